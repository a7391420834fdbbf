graph.o: src/parts/graph/graph.c src/parts/graph/graph.h src/base/alloc.h \
 src/astar.h src/astar/map.h src/astar/saving.h src/astar/sharing.h \
 src/astar/field.h src/astar/finder.h src/astar/baking.h src/astar/path.h \
 src/astar/search.h src/astar/flow.h src/astar/crowd.h \
 src/astar/workers.h src/astar/graph.h src/astar/world.h \
 src/astar/tactics.h src/astar/jobs.h src/parts/graph/keys.h \
 src/map/grid.h src/base/bits.h src/base/shape.h src/base/directions.h \
 src/base/thread.h src/map/edit_log.h src/base/array.h \
 src/parts/graph/graph_baking.h src/parts/graph/graph_search.h \
 src/openlist/heap.h src/openlist/heap_template.h
src/parts/graph/graph.h:
src/base/alloc.h:
src/astar.h:
src/astar/map.h:
src/astar/saving.h:
src/astar/sharing.h:
src/astar/field.h:
src/astar/finder.h:
src/astar/baking.h:
src/astar/path.h:
src/astar/search.h:
src/astar/flow.h:
src/astar/crowd.h:
src/astar/workers.h:
src/astar/graph.h:
src/astar/world.h:
src/astar/tactics.h:
src/astar/jobs.h:
src/parts/graph/keys.h:
src/map/grid.h:
src/base/bits.h:
src/base/shape.h:
src/base/directions.h:
src/base/thread.h:
src/map/edit_log.h:
src/base/array.h:
src/parts/graph/graph_baking.h:
src/parts/graph/graph_search.h:
src/openlist/heap.h:
src/openlist/heap_template.h:
