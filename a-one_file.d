one_file.o: build/5.4/one_file.c src/base/alloc.c src/base/alloc.h \
 src/astar.h src/base/transpose.c src/base/transpose.h src/base/bits.h \
 src/openlist/bucket_queue.c src/openlist/bucket_queue.h \
 src/openlist/heap.c src/openlist/heap.h src/openlist/heap64.c \
 src/openlist/heap64.h src/openlist/slotted_queue.c \
 src/openlist/slotted_queue.h src/map/field.c src/map/field.h \
 src/map/grid.c src/map/grid.h src/map/links_and_walls.h \
 src/base/directions.h src/map/links_and_walls.c src/rules/corner_rules.c \
 src/rules/corner_rules.h src/derived/component_cut.c \
 src/derived/component_cut.h src/derived/components.c \
 src/derived/components.h src/derived/erode.c src/derived/erode.h \
 src/derived/footprint_terrain.c src/derived/footprint_terrain.h \
 src/derived/jump_bitmaps.c src/derived/jump_bitmaps.h \
 src/derived/landmarks.c src/derived/landmarks.h src/derived/walkable.h \
 src/derived/uniform_areas.c src/derived/uniform_areas.h \
 src/derived/walkable.c src/unit/costs.c src/unit/costs.h \
 src/unit/finder.h src/unit/finder.c src/unit/heuristic.h \
 src/unit/heuristic.c src/path/path.c src/path/path.h src/base/line.h \
 src/path/sight.c src/path/sight.h src/search/bake.c src/search/jps.h \
 src/search/search.h src/search/canonical.h src/search/goal_range.h \
 src/search/best_first.c src/search/expand_grid.h src/search/jpsw.h \
 src/search/links.h src/search/bidirectional.c src/search/canonical.c \
 src/search/clearance.c src/search/clearance.h \
 src/search/distance_transform.c src/search/distance_transform.h \
 src/search/expand_grid.c src/search/expand_layers.h \
 src/search/expand_jps.c src/search/expand_jps.h \
 src/search/expand_layers.c src/search/find.c src/search/path_validity.h \
 src/search/raycast.h src/search/repair.h src/search/goal_range.c \
 src/search/hunt.c src/search/hunt.h src/search/nearest.h \
 src/search/reachable.h src/search/inspect.c src/search/inspect.h \
 src/search/jps.c src/search/jpsw.c src/search/lazy_theta.c \
 src/search/lazy_theta.h src/search/links.c src/search/nearest.c \
 src/search/path_segments.c src/search/path_validity.c \
 src/search/raycast.c src/search/reachable.c src/search/repair.c \
 src/search/resume.c src/search/resume.h src/search/search.c \
 src/search/smooth.c src/flow/flow.c src/flow/flow.h src/flow/flow_ask.c \
 src/flow/flow_expand.c src/flow/flow_plain.c src/flow/flow_repair.c \
 src/flow/flow_steps.c src/binding/lua_astar.c src/binding/lua_clock.h \
 src/binding/lua_util.h src/binding/lua_charge.c src/binding/lua_clock.c \
 src/binding/lua_draw.c src/binding/lua_keys.h src/binding/lua_dump.c \
 src/binding/lua_edges.c src/binding/lua_field.c src/binding/lua_finder.c \
 src/binding/lua_path.h src/binding/lua_query.h src/binding/lua_flow.c \
 src/binding/lua_grid.c src/binding/lua_keys.c \
 src/binding/lua_make_grid.c src/binding/lua_nearest.c \
 src/binding/lua_path.c src/binding/lua_query.c src/binding/lua_search.c \
 src/binding/lua_util.c
src/base/alloc.c:
src/base/alloc.h:
src/astar.h:
src/base/transpose.c:
src/base/transpose.h:
src/base/bits.h:
src/openlist/bucket_queue.c:
src/openlist/bucket_queue.h:
src/openlist/heap.c:
src/openlist/heap.h:
src/openlist/heap64.c:
src/openlist/heap64.h:
src/openlist/slotted_queue.c:
src/openlist/slotted_queue.h:
src/map/field.c:
src/map/field.h:
src/map/grid.c:
src/map/grid.h:
src/map/links_and_walls.h:
src/base/directions.h:
src/map/links_and_walls.c:
src/rules/corner_rules.c:
src/rules/corner_rules.h:
src/derived/component_cut.c:
src/derived/component_cut.h:
src/derived/components.c:
src/derived/components.h:
src/derived/erode.c:
src/derived/erode.h:
src/derived/footprint_terrain.c:
src/derived/footprint_terrain.h:
src/derived/jump_bitmaps.c:
src/derived/jump_bitmaps.h:
src/derived/landmarks.c:
src/derived/landmarks.h:
src/derived/walkable.h:
src/derived/uniform_areas.c:
src/derived/uniform_areas.h:
src/derived/walkable.c:
src/unit/costs.c:
src/unit/costs.h:
src/unit/finder.h:
src/unit/finder.c:
src/unit/heuristic.h:
src/unit/heuristic.c:
src/path/path.c:
src/path/path.h:
src/base/line.h:
src/path/sight.c:
src/path/sight.h:
src/search/bake.c:
src/search/jps.h:
src/search/search.h:
src/search/canonical.h:
src/search/goal_range.h:
src/search/best_first.c:
src/search/expand_grid.h:
src/search/jpsw.h:
src/search/links.h:
src/search/bidirectional.c:
src/search/canonical.c:
src/search/clearance.c:
src/search/clearance.h:
src/search/distance_transform.c:
src/search/distance_transform.h:
src/search/expand_grid.c:
src/search/expand_layers.h:
src/search/expand_jps.c:
src/search/expand_jps.h:
src/search/expand_layers.c:
src/search/find.c:
src/search/path_validity.h:
src/search/raycast.h:
src/search/repair.h:
src/search/goal_range.c:
src/search/hunt.c:
src/search/hunt.h:
src/search/nearest.h:
src/search/reachable.h:
src/search/inspect.c:
src/search/inspect.h:
src/search/jps.c:
src/search/jpsw.c:
src/search/lazy_theta.c:
src/search/lazy_theta.h:
src/search/links.c:
src/search/nearest.c:
src/search/path_segments.c:
src/search/path_validity.c:
src/search/raycast.c:
src/search/reachable.c:
src/search/repair.c:
src/search/resume.c:
src/search/resume.h:
src/search/search.c:
src/search/smooth.c:
src/flow/flow.c:
src/flow/flow.h:
src/flow/flow_ask.c:
src/flow/flow_expand.c:
src/flow/flow_plain.c:
src/flow/flow_repair.c:
src/flow/flow_steps.c:
src/binding/lua_astar.c:
src/binding/lua_clock.h:
src/binding/lua_util.h:
src/binding/lua_charge.c:
src/binding/lua_clock.c:
src/binding/lua_draw.c:
src/binding/lua_keys.h:
src/binding/lua_dump.c:
src/binding/lua_edges.c:
src/binding/lua_field.c:
src/binding/lua_finder.c:
src/binding/lua_path.h:
src/binding/lua_query.h:
src/binding/lua_flow.c:
src/binding/lua_grid.c:
src/binding/lua_keys.c:
src/binding/lua_make_grid.c:
src/binding/lua_nearest.c:
src/binding/lua_path.c:
src/binding/lua_query.c:
src/binding/lua_search.c:
src/binding/lua_util.c:
