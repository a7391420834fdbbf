-- examples.lua -- what docs/reference/ shows of each call, made into its pages by tools/reference.lua, run by
-- spec/readme_spec.lua: what is printed is what `-->` says.
--
-- After `--# page` stands what all examples of that page follow; after `--: call` the call's own. Each is a program by
-- itself. `--# page, not run` is shown only: it needs LÖVE, or a map from Tiled.

--# grid
local grid = astar.grid("...~.\n.##~.\n.....", { terrain = { ["."] = 1, ["~"] = 3, ["#"] = false } })
--: astar.grid
print(astar.grid(64, 48):size()) --> 64  48
print(astar.grid({ { 0, 1 }, { 0, 0 } }):get(2, 1), astar.grid("..\n.#"):get(2, 2)) --> 1  #
print(astar.grid(9, 3, { wrap = "x" }):find_path(1, 1, 9, 1).cost) --> 1.0
--: astar.load
local again = astar.load(grid:dump())
print(again:get(4, 1)) --> ~
--: astar.preload
astar.preload() -- before the host takes `require` away
--: astar.shared
grid:share "the reference" -- here or in another thread's state
print(astar.shared("the reference"):get(4, 1), (astar.shared "nowhere")) --> ~  nil
--: grid:get
print(grid:get(1, 1), grid:get(2, 2), grid:get(4, 1)) --> .  #  ~
--: grid:set
grid:set(2, 2, ".")
print(grid:is_walkable(2, 2)) --> true
--: grid:fill
grid:fill(1, 3, 5, 1, "#")
print(grid:draw())
--> ...~.
--> .##~.
--> #####
--: grid:set_cells
grid:set_cells(1, 1, 2, 2, "#..#")
print(grid:draw())
--> #..~.
--> .##~.
--> .....
--: grid:get_cells
print(grid:get_cells(2, 1, 3, 2)) --> ..~##~
--: grid:block
grid:block(4, 3)
grid:block(1, 1, 1, 2, "doors") -- a layer of its own
print(grid:is_walkable(4, 3), grid:is_walkable(1, 2)) --> false  false
--: grid:unblock
grid:block(4, 3)
grid:unblock(4, 3)
print(grid:is_walkable(4, 3)) --> true
--: grid:is_blocked
grid:block(4, 3, "doors")
print(grid:is_blocked(4, 3), grid:is_blocked(4, 3, "doors")) --> false  true
--: grid:block_layers
grid:block(4, 3, "doors")
print(#grid:block_layers(), grid:block_layers(4, 3)[1]) --> 2  doors
--: grid:find_cells
print(#grid:find_cells ".", grid:find_cells("#")[1].x) --> 11  2
--: grid:contains
print(grid:contains(1, 1), grid:contains(0, 1)) --> true  false
--: grid:is_walkable
print(grid:is_walkable(1, 1), grid:is_walkable(2, 2)) --> true  false
--: grid:terrain
grid:terrain("~", false) -- nobody swims any more
print(grid:terrain "~", grid:terrain ".", grid:is_walkable(4, 1)) --> false  1.0  false
--: grid:size
print(grid:size()) --> 5  3
--: grid:bounds
print(grid:bounds()) --> 1  1  5  3
--: grid:shape
print(grid:shape()) --> square
print(astar.grid(3, 3, { shape = "hex" }):shape()) --> hex  odd_r
--: grid:neighbour
print(grid:neighbour(1, 1, "south_east")) --> 2  2
print(grid:neighbour(1, 1, "north")) --> nil
--: grid:distance
print(grid:distance(1, 1, 5, 3)) --> 4
--: grid:center
local hexagons = astar.grid(3, 3, { shape = "hex" })
print(hexagons:center(1, 2)) --> 1.5  1.8660254037844
--: grid:cell_at
print(grid:cell_at(1.4, 2.6)) --> 1  3
--: grid:bytes
print(grid:bytes() > 0) --> true
--: grid:link
grid:link(1, 1, 5, 3, { cost = 1, label = "portal" })
print(#grid:find_path(1, 1, 5, 3)) --> 2
--: grid:unlink
grid:link(1, 1, 5, 3)
print(grid:unlink(1, 1, 5, 3), grid:unlink(1, 1, 5, 3)) --> true  false
--: grid:links
grid:link(1, 1, 5, 3, { label = "portal" })
print(grid:links()[1].x1, grid:links()[1].label) --> 5  portal
--: grid:wall
grid:wall(1, 2, "south")
print(grid:has_wall(1, 3, "north"), grid:find_path(1, 2, 1, 3).cost) --> true  11.828427124746
--: grid:unwall
grid:wall(1, 2, "south")
grid:unwall(1, 3, "north") -- the same wall, from the other side
print(#grid:walls()) --> 0
--: grid:has_wall
grid:wall(1, 2, "south", true) -- a ledge: up, but not down
print(grid:has_wall(1, 2, "south"), grid:has_wall(1, 3, "north")) --> true  false
--: grid:walls
grid:wall(1, 2, "south")
print(grid:walls()[1].x, grid:walls()[1].y, grid:walls()[1].direction) --> 1  2  south
--: grid:restrict
local field = astar.grid(5, 3)
field:restrict(1, 2, 3, 1, "east") -- a belt
print(field:find_path(3, 2, 2, 2).cost > 1) --> true
--: grid:unrestrict
grid:restrict(1, 2, { "east", "north_east" })
grid:unrestrict(1, 2)
print(#grid:restrictions()) --> 0
--: grid:restrictions
grid:restrict(1, 2, { "south", "east" })
print(grid:restrictions()[1].x, table.concat(grid:restrictions()[1].directions, " ")) --> 1  east south
--: grid:clone
local plan = grid:clone()
plan:block(1, 2)
print(grid:is_walkable(1, 2), plan:is_walkable(1, 2)) --> true  false
--: grid:version
local before = grid:version()
grid:block(1, 2)
print(grid:version() > before) --> true
--: grid:changes
local before = grid:version()
grid:block(4, 3, 2, 1)
print(table.concat(grid:changes(before), " ")) --> 4 3 2 1
--: grid:share
grid:share "the town"
local map = astar.shared "the town" -- as another thread's state would
print(map:find_path(1, 1, 1, 3).cost) --> 2.0
--: grid:publish
grid:share "the village"
local map = astar.shared "the village"
grid:block(1, 2)
print(map:is_walkable(1, 2)) --> true
print(grid:publish() > 0, map:is_walkable(1, 2)) --> true  false
--: grid:unshare
grid:share "the hamlet"
grid:unshare()
print((astar.shared "the hamlet")) --> nil
--: grid:dump
local text = grid:dump() -- for a file
print(astar.load(text):draw() == grid:draw()) --> true
--: grid:draw
print(grid:draw(grid:find_path(1, 1, 5, 1), { ["#"] = "@" }))
--> S***G
--> .@@~.
--> .....
--: grid:finder
local goblin = grid:finder { diagonals = "never", costs = { ["~"] = false } }
print(goblin:find_path(1, 1, 5, 1).cost) --> 8.0
local cart = grid:finder { bend_cost = { [45] = 1, [90] = 3, [180] = 9 } }
print(cart:find_path(1, 1, 3, 3).cost) --> 7.0
--: grid:find_path
local path, reason = grid:find_path(1, 1, 5, 3)
print(#path, path.cost) --> 7  6.0
print(grid:find_path(1, 1, 2, 2)) --> nil  goal blocked

--# field
local grid = astar.grid(5, 3)
local field = astar.field(grid)
field:set(3, 2, 4)
--: astar.field
print(grid:finder { avoid = field }:find_path(1, 2, 5, 2).cost) --> 4.8284271247462
--: astar.load_field
print(astar.load_field(field:dump()):get(3, 2)) --> 4.0
--: field:dump
print(astar.load_field(field:dump()):dump() == field:dump()) --> true
--: field:get
print(field:get(3, 2), field:get(1, 1)) --> 4.0  0.0
--: field:set
field:set(1, 1, 2.5)
print(field:get(1, 1)) --> 2.5
--: field:add
field:add(3, 2, -1)
print(field:get(3, 2)) --> 3.0
--: field:fill
field:fill(1, 1, 2, 3, 7)
print(field:get(2, 3), field:get(3, 2)) --> 7.0  4.0
--: field:stamp
field:stamp(1, 2, 1, 8)
print(field:get(1, 2), field:get(2, 2)) --> 8.0  4.0
--: field:decay
field:decay(0.5)
print(field:get(3, 2)) --> 2.0
--: field:add_field
local scent = astar.field(grid)
scent:fill(2)
field:add_field(scent, 0.5)
print(field:get(3, 2), field:get(1, 1)) --> 5.0  1.0
--: field:max
local seen = astar.field(grid)
seen:fill(1)
field:max(seen)
print(field:get(3, 2), field:get(1, 1)) --> 4.0  1.0
--: field:scale
field:scale(-1)
print(field:get(3, 2)) --> -4.0
--: field:threshold
field:set(1, 1, 0.5)
field:threshold(1)
print(field:get(1, 1), field:get(3, 2)) --> 0.0  4.0
--: field:cells
for x, y, value in field:cells() do print(x, y, value) end --> 3  2  4.0
--: field:size
print(field:size()) --> 5  3
--: field:bounds
print(field:bounds()) --> 1  1  5  3
--: field:bytes
print(field:bytes() > 0) --> true
--: field:version
local before = field:version()
field:set(1, 1, 1)
print(field:version() > before) --> true

--# finder
local grid = astar.grid ".....\n.###.\n.....\n.#.##\n....."
local finder = grid:finder { diagonals = "never" }
--: finder:options
print(finder:options().diagonals) --> never
--: finder:with_grid
local plan = grid:clone()
plan:block(1, 2)
print(finder:with_grid(plan):find_path(1, 1, 1, 3).cost, finder:find_path(1, 1, 1, 3).cost) --> 10.0  2.0
--: finder:find_path
local path, reason = finder:find_path(1, 1, 1, 3)
print(path.cost, finder:find_path(1, 1, 2, 2)) --> 2.0  nil  goal blocked
local schedule = astar.schedule(grid)
schedule:reserve_cell(3, 1, { from = 0, to = 4 })
print(finder:find_path(1, 1, 5, 1, { schedule = schedule }).arrival) --> 7.0
--: finder:bake
local baked = finder:bake { method = "labels" }
print(baked.method, baked:is_current()) --> labels  true
--: finder:baking
local job = finder:baking { method = "labels" }
while job:step { ms = 1 } == "running" do end -- one step a frame
print(job.result.method) --> labels
--: finder:load_baked
local data = finder:bake({ method = "labels" }):save()
print(finder:load_baked(data).method) --> labels
--: finder:reachable
print(finder:reachable(1, 1, 5, 5), finder:reachable(1, 1, 2, 2)) --> true  false
--: finder:raycast
print(finder:raycast(1, 1, 5, 1)) --> true
print(finder:raycast(3, 1, 3, 3)) --> false  3  2
--: finder:sees
print(finder:sees(1, 1, 5, 1), finder:sees(3, 1, 3, 3)) --> true  false
--: finder:sweep
local yard = astar.grid { "....", "....", "..#." }
print(yard:finder():raycast(1, 3, 4, 1)) --> true
print(yard:finder():sweep(1, 3, 4, 1)) --> false  3  3
--: finder:clearance
print(finder:clearance(1, 1), finder:clearance(2, 2)) --> 1  0
--: finder:fov
local seen = finder:fov(1, 1, 4)
print(seen:get(5, 1), seen:get(3, 3)) --> 1.0  0.0
print(finder:fov(1, 1, 4, { opaque = { layers = { "smoke" } } }):get(3, 3)) --> 1.0
--: finder:spread
local sound = finder:spread({ { 3, 1 } }, 9, { value = 10 })
print(sound:get(3, 1), sound:get(1, 1), sound:get(3, 3)) --> 10.0  8.0  4.0
--: finder:desire_map
local desires = finder:desire_map { { finder:flow(5, 5), 1 }, { finder:flow(5, 1), 2 } }
print(desires:next(1, 1)) --> 2  1  16.0
--: finder:find_nearest
local path, i = finder:find_nearest(1, 1, { { 5, 5 }, { 5, 1 } })
print(i, path.cost) --> 2  4.0
print(finder:find_nearest(1, 1, function(x, y) return y == 3 end).cost) --> 2.0
--: finder:finding_nearest
local search = finder:finding_nearest(1, 1, { { 5, 5 }, { 5, 1 } })
while search:step(100) == "running" do end
print(select(2, search:path())) --> 2
--: finder:search
local search = finder:search(1, 1, 5, 5)
while search:step { ms = 1 } == "running" do end -- one step a frame
print(search.status, search:path().cost) --> found  8.0
--: finder:preparing
local job = finder:preparing()
while job:step { ms = 1 } == "running" do end
print(job.status) --> done
--: finder:flow
local flow = finder:flow { { 1, 1 }, { 5, 5 } }
print(flow:next(2, 3)) --> 1  3
--: finder:reach
local reach = finder:reach(1, 1, 3)
print(reach:distance(1, 3), reach:distance(5, 1)) --> 2.0  nil  max_cost
--: finder:cost_of
local way_down = finder:find_path(1, 1, 1, 4)
print(finder:cost_of(way_down)) --> 3.0  3.0
print(finder:cost_of(way_down, 1, 3)) --> 2.0  2.0
--: finder:min_cut
print(#finder:min_cut(1, 1, 5, 5)) --> 1
--: finder:chokepoints
for _, cell in ipairs(finder:chokepoints(1, 1, 5, 5)) do print(cell.x, cell.y) end
--> 3  5
--> 4  5
--: finder:blockers
grid:block(1, 4)
grid:block(3, 4, "doors")
print(#finder:blockers(1, 1, 5, 5)) --> 1
--: finder:measuring
local job = finder:measuring { { 1, 1 }, { 5, 1 }, { 5, 5 } }
while job:step { ms = 1 } == "running" do end
print(#job.result, job.result[1][2]) --> 3  4.0
--: finder:touring
local job = finder:touring({ { 4, 1 }, { 1, 5 }, { 5, 5 } }, { from = { 1, 1 } })
while job:step { ms = 1 } == "running" do end
print(table.concat(job.result.order, " "), job.result.exact) --> 1 2 3  true
--: finder:matrix
local rows = finder:matrix { { 1, 1 }, { 5, 1 }, { 5, 5 } }
print(rows[1][2], rows[1][3], rows[2][3]) --> 4.0  8.0  8.0
--: finder:tour
local order, cost, exact = finder:tour({ { 5, 5 }, { 1, 1 }, { 5, 1 } }, { from = { 1, 3 } })
print(table.concat(order, " "), cost, exact) --> 2 3 1  14.0  true
--: finder:intercept
local thief = finder:find_path(1, 1, 5, 1)
local way, seconds, i = finder:intercept(5, 3, thief)
print(way.cost, seconds, i) --> 3.0  3.0  4

--# desire_map
local grid = astar.grid(9, 1)
local finder = grid:finder()
local guard = astar.field(grid)
guard:stamp(7, 1, 2, 9)
local desires = finder:desire_map { { finder:flow(9, 1), 1 }, { guard, 1 } }
--: desires:next
print(desires:next(1, 1)) --> 2  1  8.0
print(desires:next(4, 1)) --> 4  1  5.0
--: desires:value
print(desires:value(7, 1)) --> 11.0

--# flow
local grid = astar.grid ".....\n.###.\n....."
local finder = grid:finder { diagonals = "never" }
local flow = finder:flow(1, 1)
--: flow:distance
print(flow:distance(5, 3), flow:distance(1, 2)) --> 6.0  1.0
--: flow:next
print(flow:next(3, 1)) --> 2  1
--: flow:path
print(#flow:path(5, 1), flow:path(5, 1).cost) --> 5  4.0
--: flow:cells
local far = 0
for x, y, distance in flow:cells() do far = math.max(far, distance) end
print(far) --> 6.0
--: flow:flee
local away = flow:flee()
print(away:next(2, 1)) --> 3  1
--: flow:update
flow:complete()
grid:block(3, 1)
print(flow:update() > 0, flow:distance(4, 1)) --> true  9.0
--: flow:complete
print(flow:complete()) --> 12
--: flow:completing
local job = flow:completing()
while job:step { ms = 1 } == "running" do end
print(job.status, flow:distance(5, 3)) --> done  6.0
--: flow:count_cut_off
print(flow:count_cut_off(3, 1), flow:count_cut_off(3, 1, 1, 3)) --> 0  5

--# job
local grid = astar.grid(9, 9)
local job = grid:finder():flow(1, 1):completing()
--: job:step
while job:step { ms = 1 } == "running" do end -- one step a frame
print(job.status) --> done
--: job:close
job:close()
print((pcall(job.step, job))) --> false

--# baked
local grid = astar.grid(20, 20)
local finder = grid:finder()
local baked = finder:bake { method = "labels" }
--: baked:save
local data = baked:save() -- for a file beside the map
print(finder:load_baked(data).method) --> labels
--: baked:is_current
print(baked:is_current()) --> true
finder:bake { pivots = 0 }
print(baked:is_current()) --> false

--# search
local grid = astar.grid ".....\n.###.\n....."
local search = grid:finder({ algorithm = "astar" }):search(1, 1, 3, 3)
--: search:step
print(search:step(2), search.expanded) --> running  2
--: search:path
print(search:path()) --> nil  running
while search:step(10) == "running" do end
print(search:path().cost) --> 4.0
--: search:cells
search:step(3)
local open = 0
for x, y, state, g, h, f in search:cells() do open = open + (state == "open" and 1 or 0) end
print(open) --> 2
--: search:close
search:close()
print((pcall(search.step, search))) --> false

--# workers
local workers = astar.workers(1)
local queue = astar.queue { workers = workers }
local finder = astar.grid(9, 9):finder()
--: astar.workers
print(workers:count()) --> 1
workers:close() -- with the level, or when collected
--: workers:close
workers:close()
print(workers:count()) --> 0
--: workers:count
print(workers:count()) --> 1
--: workers:bytes
local ticket = queue:request(finder, 1, 1, 9, 9)
for _ = 1, 3 do queue:update() end
print(ticket:path().cost > 11, workers:bytes() > 0) --> true  true

--# queue
local grid = astar.grid(9, 9)
local finder = grid:finder { algorithm = "astar" }
local queue = astar.queue()
--: astar.queue
queue:request(finder, 1, 9, 9, 9, function(path) print(path.cost) end) --> 8.0
while queue:update { ms = 2 } > 0 do end -- a game calls it once a frame
--: queue:request
local ticket = queue:request(finder, 1, 1, 9, 9, { max_cost = 5 }, function(path, reason)
  print(path, reason) --> nil  max_cost
end)
while queue:update { expansions = 100 } > 0 do end
print(ticket.status) --> max_cost
--: queue:await
coroutine.wrap(function() print(queue:await(finder, 1, 9, 9, 9).cost) end)() --> 8.0
while queue:update { expansions = 100 } > 0 do end
--: queue:add
local flow = finder:flow(1, 1)
queue:add(flow:completing(), { done = function() print(flow:distance(9, 1)) end }) --> 8.0
while queue:update { expansions = 100 } > 0 do end
--: queue:update
queue:request(finder, 1, 1, 9, 9)
print(queue:update { expansions = 5 }) --> 1
print(queue:update { expansions = 500 }) --> 0
--: queue:count
queue:request(finder, 1, 1, 9, 9)
queue:request(finder, 9, 1, 1, 9)
print(queue:count()) --> 2
--: queue:repair
local walker = astar.walker(finder:find_path(1, 1, 9, 1))
grid:block(5, 1)
local ticket = queue:repair(walker)
while queue:update { expansions = 100 } > 0 do end
print(ticket.status, walker.path.cost > 8) --> found  true

--# ticket
local queue = astar.queue()
local ticket = queue:request(astar.grid(9, 9):finder(), 1, 1, 9, 1)
--: ticket:path
print(ticket:path()) --> nil  waiting
while queue:update { expansions = 100 } > 0 do end
print(ticket:path().cost) --> 8.0
--: ticket:cancel
print(ticket:cancel(), ticket.status) --> true  cancelled
--: ticket:set_priority
ticket:set_priority(10)
print(ticket.priority) --> 10

--# path
local grid = astar.grid "......\n.####.\n......"
local path = grid:find_path(1, 2, 4, 3)
--: astar.load_path
print(astar.load_path(path:dump(), grid:finder()).cost == path.cost) --> true
--: path:dump
print(type(path:dump())) --> string
--: path:cell
print(path:cell(1)) --> 1  2
print(path:cell(#path)) --> 4  3
--: path:center
print(path:center(2)) --> 1  3
--: path:cells
for x, y in path:cells() do print(x, y) end
--> 1  2
--> 1  3
--> 2  3
--> 3  3
--> 4  3
--: path:cells_flat
print(table.concat(path:cells_flat(), " ")) --> 1 2 1 3 2 3 3 3 4 3
--: path:copy_into
local xs, ys = {}, {}
print(path:copy_into(xs, ys), xs[5], ys[5]) --> 5  4  3
--: path:totable
local cells = path:totable()
print(#cells, cells[1].x, cells[1].y) --> 5  1  2
--: path:link
grid:link(1, 2, 4, 3, { label = "tunnel" })
print(grid:find_path(1, 2, 4, 3):link(1)) --> tunnel
--: path:waypoints
print(#path:waypoints(), path:waypoints()[2].x) --> 3  1
--: path:directions
print(table.concat(path:directions(), " ")) --> south east east east
--: path:smooth
local open = astar.grid(9, 5):find_path(1, 1, 9, 4)
print(#open:waypoints(), #open:smooth():waypoints()) --> 3  2
--: path:reverse
print(path:reverse():cell(1)) --> 4  3
--: path:cost_at
local open = astar.grid(6, 1):find_path(1, 1, 6, 1)
print(open:cost_at(1), open:cost_at(4)) --> 0.0  3.0
--: path:index_within
local open = astar.grid(6, 1):find_path(1, 1, 6, 1)
print(open:index_within(2.5), open:index_within(2.5, 3)) --> 3  5
--: path:is_valid
grid:block(3, 3)
print(path:is_valid()) --> false  4
--: path:repair
grid:block(2, 3)
print(path.cost, path:repair().cost) --> 4.0  10.0
--: path:repairing
grid:block(2, 3)
local search = path:repairing { from = 1 }
while search:step(100) == "running" do end
print(search:path().cost) --> 10.0
--: path:retarget
local moved = path:retarget(3, 3, { from = 2 })
print(moved:cell(#moved)) --> 3  3
--: path:breaches
grid:block(2, 3, "doors")
local ram = grid:finder { breach = { doors = 2 } }
print(ram:find_path(1, 2, 4, 3):breaches()[1].layer) --> doors

--# walker
local grid = astar.grid "......\n.####.\n......"
local path = grid:find_path(1, 1, 6, 1)
local walker = astar.walker(path, { speed = 2 })
--: astar.walker
print(walker.x, walker.y, walker.arrived) --> 1  1  false
--: walker:update
print(walker:update(0.25)) --> 1.5  1.0  false
print(walker:update(60)) --> 6  1  true
--: walker:cell
walker:update(0.25)
print(walker:cell()) --> 2  1
--: walker:follow
walker:update(0.25)
walker:follow(grid:find_path(1, 3, 6, 3, { partial = true }))
print(walker.path.cost) --> 5.0
--: walker:repair
walker:update(0.5)
grid:block(4, 1)
print(walker:repair().cost) --> 10.0
--: walker:repairing
grid:block(4, 1)
local job = walker:repairing()
while job:step(100) == "running" do end
print(job.status, walker.path.cost) --> found  9.0
--: walker:retarget
walker:update(0.5)
print(walker:retarget(6, 2).cost) --> 5.0
--: walker:dump
local saved_grid, saved = grid:dump(), walker:dump()
--: astar.load_walker
local loaded = astar.load_walker(walker:dump(), grid:finder())
print(loaded:update(0.25)) --> 1.5  1.0  false

--# crowd
local grid = astar.grid(9, 5)
local crowd = astar.crowd(grid:finder())
local a, b = crowd:add(1, 1), crowd:add(1, 2)
--: astar.crowd
a:go(5, 1)
while crowd:update(1 / 60) > 0 do end -- once a frame
print(a:cell()) --> 5  1
--: crowd:add
print(crowd:add(1, 1)) --> nil  occupied
print(#crowd) --> 2
--: crowd:go
print(crowd:go({ a, b }, 9, 5)) --> 2
--: crowd:update
crowd:go({ a, b }, 9, 5)
print(crowd:update(1 / 60)) --> 2
while crowd:update(1 / 60) > 0 do end
--: crowd:step
crowd:go({ a, b }, 9, 5)
while crowd:step { ms = 1 } == "running" do end -- what is left of a frame
print(crowd.beats) --> 0
--: crowd:beat
a:go(3, 1)
for _, move in ipairs(crowd:beat()) do print(move.x, move.y, move.heading) end --> 2  1  east
--: crowd:dump
local saved_grid, saved = grid:dump(), crowd:dump()
--: astar.load_crowd
local loaded = astar.load_crowd(crowd:dump(), grid:finder())
print(#loaded:units()) --> 2
--: crowd:positions
local list, count = crowd:positions()
print(count, list[1], list[2], list[3]) --> 2  1  1  false
--: crowd:units
print(#crowd:units()) --> 2
--: crowd:unit_at
print(crowd:unit_at(1, 2) == b, (crowd:unit_at(5, 5))) --> true  nil
--: crowd:resolving
a:go(1, 2)
b:go(1, 1)
local job = crowd:resolving()
while job:step { ms = 1 } == "running" do end
print(job.status, job.beats > 0) --> done  true

--# resolving
local crowd = astar.crowd(astar.grid(9, 2):finder())
local a, b = crowd:add(1, 1), crowd:add(9, 1)
a:go(9, 1)
b:go(1, 1)
local job = crowd:resolving()
--: job:step
while job:step { ms = 1 } == "running" do end
print(job.status) --> done
--: job:follow
while not job:follow() do job:step(100) end -- the first plan there is
print(job.status) --> done
--: job:close
job:close()
print((pcall(job.step, job))) --> false

--# unit
local grid = astar.grid(9, 5)
local crowd = astar.crowd(grid:finder())
local unit = crowd:add(1, 1)
--: unit:cell
unit:go(3, 1)
crowd:beat()
print(unit:cell()) --> 2  1
--: unit:goal
print((unit:goal())) --> nil
unit:go(9, 5)
print(unit:goal()) --> 9  5
--: unit:go
print(unit:go(3, 1), unit.state) --> true  planning
while crowd:update(1 / 60) > 0 do end
print(unit.state) --> arrived
--: unit:stop
unit:go(9, 5)
unit:stop()
print((unit:goal())) --> nil
--: unit:hold
unit:hold(true) -- a guard, whom nobody asks to step aside
print(unit.state) --> held
--: unit:set_priority
unit:set_priority(10)
print(unit.priority) --> 10
--: unit:remove
print(unit:remove(), unit.state, #crowd) --> true  removed  0
--: unit:chase
local hare = crowd:add(4, 1)
hare:go(9, 5)
unit:chase(hare)
for _ = 1, 20 do crowd:beat() end
print(unit.state, unit:cell()) --> arrived  8  4

--# goals
local grid = astar.grid(9, 5)
local goals = astar.goals(grid, { { 2, 1 }, { 9, 5 } })
--: astar.goals
local path, i = grid:finder():find_nearest(1, 5, goals)
print(goals:cell(i)) --> 2  1
--: astar.load_goals
print(astar.load_goals(goals:dump(), grid):count()) --> 2
--: goals:dump
print(type(goals:dump())) --> string
--: goals:add
print(goals:add(3, 5), goals:add(3, 5)) --> true  false
--: goals:remove
print(goals:remove(2, 1), goals:remove(2, 1)) --> true  false
--: goals:has
print(goals:has(9, 5), goals:has(1, 1)) --> true  false
--: goals:count
print(goals:count()) --> 2
--: goals:cell
print(goals:cell(1)) --> 2  1
--: goals:cells
for x, y in goals:cells() do print(x, y) end
--> 2  1
--> 9  5

--# schedule
local grid = astar.grid "....\n.##."
local schedule, finder = astar.schedule(grid), grid:finder()
--: astar.schedule
print(schedule.grid == grid) --> true
--: astar.load_schedule
schedule:reserve_cell(2, 1, { from = 3, to = 5 })
print(astar.load_schedule(schedule:dump(), grid):taken_by(2, 1, 4)) --> 1
--: schedule:dump
print(type(schedule:dump())) --> string
--: schedule:load_path
local timed = schedule:find_path(finder, 1, 1, 3, 1)
print(schedule:load_path(timed:dump(), finder).arrival) --> 2.0
--: schedule:reserve
local guard = schedule:reserve(grid:find_path(1, 1, 4, 1), { at = 2, speed = 1, stay = false })
print(schedule:taken_by(3, 1, 2), schedule:taken_by(3, 1, 4) == guard) --> nil  true
print(schedule:reserve(grid:find_path(4, 1, 1, 1), { at = 3 })) --> nil  taken  3  1  3
--: schedule:reserve_cell
schedule:reserve_cell(2, 1, { from = 8, to = 12, open = true })
print(schedule:find_path(finder, 1, 1, 3, 1).arrival) --> 10.0
--: schedule:release
local id = schedule:reserve_cell(2, 1)
print(schedule:release(id), schedule:release(id)) --> true  false
--: schedule:forget
schedule:reserve_cell(2, 1, { to = 5 })
schedule:forget(6)
print(schedule:taken_by(2, 1, 4)) --> nil
--: schedule:taken_by
local id = schedule:reserve_cell(2, 1, { from = 3, to = 5 })
print(schedule:taken_by(2, 1, 4) == id, schedule:taken_by(2, 1, 5)) --> true  nil
--: schedule:find_path
schedule:reserve_cell(3, 1, { from = 0, to = 5 })
local timed = schedule:find_path(finder, 1, 1, 4, 1)
print(timed.arrival, timed:time(2)) --> 7.0  1.0  5.0

--# timed_path
local grid = astar.grid(5, 1)
local schedule = astar.schedule(grid)
schedule:reserve_cell(3, 1, { from = 0, to = 4 })
local timed = schedule:find_path(grid:finder(), 1, 1, 5, 1)
--: timed:dump
print(schedule:load_path(timed:dump(), grid:finder()):time(3)) --> 5.0  5.0
--: timed:cell
print(timed:cell(timed.count)) --> 5  1
--: timed:time
print(timed:time(3)) --> 5.0  5.0
--: timed:cells
for x, y, time in timed:cells() do
  if time > 4 then print(x, y, time) end
end
--> 3  1  5.0
--> 4  1  6.0
--> 5  1  7.0
--: timed:totable
print(timed:totable()[3].time) --> 5.0
--: timed:place
print(timed:place(2), timed:place(4.5)) --> 2.0  2.5  1.0  2

--# tower
local tower = astar.floors { "...\n.#.\n...", "...\n...\n..." }
tower:link(3, 3, 1, 3, 3, 2, { label = "stairs" })
--: astar.floors
local X, Y = tower:at(1, 1, 2)
print(tower.grid:find_path(1, 1, X, Y).cost) --> 7.8284271247462
--: astar.load_floors
print(#astar.load_floors(tower:dump()).grid:links()) --> 1
--: tower:dump
print(type(tower:dump())) --> string
--: tower:at
print(tower:at(1, 1, 2)) --> 5  1
--: tower:of
print(tower:of(5, 1)) --> 1  1  2
--: tower:size
print(tower:size(2)) --> 3  3
--: tower:link
tower:link(1, 1, 1, 1, 1, 2, { label = "lift", cost = 0 })
local X, Y = tower:at(1, 1, 2)
print(tower.grid:find_path(1, 1, X, Y):link(1)) --> lift

--# graph
local graph = astar.graph()
graph:node("inn", 0, 0)
graph:node("mill", 3, 4)
graph:node("cave", 9, 4)
graph:edge("inn", "mill")
graph:edge("mill", "cave", { label = "path" })
--: astar.states
local numbers = astar.states { neighbours = function(n, add) add(n + 1) add(2 * n) end }
print(numbers:finder():find_path(1, 10).cost) --> 4.0
--: astar.graph.load
local again = astar.graph.load(graph:dump())
print(#again) --> 3
--: graph:node
graph:node("well", 0, 1)
print(#graph) --> 4
--: graph:edge
graph:edge("inn", "cave", { cost = 2, one_way = true })
print(graph:finder():find_path("inn", "cave").cost) --> 2.0
--: graph:remove
print(graph:remove "mill", #graph) --> true  2
--: graph:remove_edge
print(graph:remove_edge("inn", "mill"), graph:remove_edge("inn", "mill")) --> true  false
--: graph:block
graph:block("inn", "mill")
print(graph:finder():find_path("inn", "cave")) --> nil  unreachable
--: graph:unblock
graph:block "mill"
graph:unblock "mill"
print(graph:is_blocked "mill") --> false
--: graph:is_blocked
graph:block "mill"
print(graph:is_blocked "mill", graph:is_blocked "inn") --> true  false
--: graph:has
print(graph:has "inn", graph:has "attic") --> true  false
--: graph:position
print(graph:position "mill") --> 3.0  4.0
--: graph:nearest
print(graph:nearest(8, 8)) --> cave
--: graph:nodes
for key, x, y in graph:nodes() do print(key, x, y) end
--> inn  0.0  0.0
--> mill  3.0  4.0
--> cave  9.0  4.0
--: graph:edges
for key, cost, label in graph:edges "mill" do print(key, cost, label) end
--> inn  5.0  nil
--> cave  6.0  path
--: graph:version
local before = graph:version()
graph:block "mill"
print(graph:version() > before) --> true
--: graph:bytes
print(graph:bytes() > 0) --> true
--: graph:dump
print(astar.graph.load(graph:dump()):has "inn") --> true
--: graph:bake
print(graph:bake({ landmarks = 1 }).landmarks) --> 1
--: graph:baking
local job = graph:baking()
while job:step { ms = 1 } == "running" do end
print(job.status) --> done
--: graph:finder
local finder = graph:finder { cost = function(a, b, label, cost) return label ~= "path" and cost end }
print(finder:find_path("inn", "cave")) --> nil  unreachable
--: graph:join
local joined = graph:join(astar.grid(12, 12, { origin = { 0, 0 } }):finder())
print(joined:find_path(0, 0, 9, 5).cost > 10) --> true

--# graph_finder
local graph = astar.graph()
for i, key in ipairs { "inn", "mill", "cave" } do graph:node(key, 3 * i, 0) end
graph:edge("inn", "mill")
graph:edge("mill", "cave")
local finder = graph:finder { max_cost = 50 }
--: finder:find_path
local path = finder:find_path("inn", "cave")
print(path.cost, path[2]) --> 6.0  mill
--: finder:find_nearest
local path, i = finder:find_nearest("inn", { "cave", "mill" })
print(i, path.cost) --> 2  3.0
--: finder:reach
print(finder:reach("inn", 4):distance "mill", (finder:reach("inn", 4):distance "cave")) --> 3.0  nil
--: finder:search
local search = finder:search("inn", "cave")
while search:step(1) == "running" do end
print(search:path().cost) --> 6.0
--: finder:options
print(finder:options().max_cost) --> 50
--: finder:measuring
local job = finder:measuring { "inn", "mill" }
while job:step(10) == "running" do end
print(#job.result, job.result[1][1]) --> 2  0
--: finder:touring
local job = finder:touring { "inn", "mill" }
while job:step(10) == "running" do end
print(job.status, #job.result.order) --> done  2
--: finder:matrix
local rows = finder:matrix { "inn", "mill", "cave" }
print(rows[1][2], rows[1][3]) --> 3.0  6.0
--: finder:tour
local order, cost = finder:tour({ "cave", "mill" }, { from = "inn" })
print(table.concat(order, " "), cost) --> 2 1  6.0

--# graph_path
local graph = astar.graph()
graph:node("inn", 0, 0)
graph:node("mill", 3, 4)
graph:edge("inn", "mill", { label = "road" })
local path = graph:finder():find_path("inn", "mill")
--: path:link
print(path:link(1)) --> road
--: path:totable
print(table.concat(path:totable(), " ")) --> inn mill

--# graph_search
local graph = astar.graph()
graph:node("inn", 0, 0)
graph:node("mill", 3, 4)
graph:edge("inn", "mill")
local search = graph:finder():search("inn", "mill")
--: search:step
while search:step { ms = 1 } == "running" do end -- one step a frame
print(search.status) --> found
--: search:path
print(search:path()) --> nil  running
while search:step(9) == "running" do end
print(search:path().cost) --> 5.0
--: search:close
search:close()
print((pcall(search.step, search))) --> false

--# graph_reach
local graph = astar.graph()
for i, key in ipairs { "inn", "mill", "cave" } do graph:node(key, 3 * i, 0) end
graph:edge("inn", "mill")
graph:edge("mill", "cave")
local reach = graph:finder():reach("inn", 4)
--: reach:distance
print(reach:distance "mill") --> 3.0
print(reach:distance "cave") --> nil  max_cost
--: reach:path
print(reach:path("mill").cost) --> 3.0
--: reach:nodes
for key, cost in reach:nodes() do print(key, cost) end
--> inn  0.0
--> mill  3.0

--# joined_graph
local grid = astar.grid "....#....\n....#....\n........."
local graph = astar.graph()
graph:node("gate", 5, 3)
local joined = graph:join(grid:finder())
--: joined:find_path
local path = joined:find_path(1, 3, 9, 1)
print(#path, path[2]) --> 3  gate
--: joined:search
local search = joined:search(1, 3, 9, 1)
while search:step { ms = 1 } == "running" do end
print(search.status, #search:path()) --> found  3
--: joined:leg
local path = joined:find_path(1, 3, 9, 1)
print(joined:leg(path, 1).cost) --> 4.0

--# joined_search
local grid = astar.grid "....#....\n....#....\n........."
local graph = astar.graph()
graph:node("gate", 5, 3)
graph:node("yard", 9, 3)
local search = graph:join(grid:finder()):search(1, 1, 9, 1)
--: search:step
while search:step { ms = 1 } == "running" do end -- in a game, one step per frame
print(search.status, search.expanded) --> found  2
--: search:path
while search:step { ms = 1 } == "running" do end
print(search:path()[2]) --> gate
--: search:close
search:close()

--# world
local world = astar.world { load = function() return ("."):rep(4096) end, save = function() end }
local finder = world:finder()
--: astar.world
local endless = astar.world { load = function() return ("."):rep(4096) end }
print(endless:finder():find_route(1, 1, 1000, 1).cost) --> 999.0
--: world:put_chunk
world:put_chunk(0, 0, false) -- solid rock
print(world:get(1, 1)) --> false
--: world:forget_chunk
world:forget_chunk(0, 0) -- asked of load again when it is needed
print(world:get(1, 1)) --> .
--: world:save
world:set(1, 1, "#")
world:save()
print(world:stats().saved) --> 1
world:block(5, 5)
local text = world:save(0, 0)
world:put_chunk(3, 0, text)
print(world:is_blocked(197, 5)) --> true
--: world:get
print(world:get(-500, 70)) --> .
--: world:set
print(world:set(1, 1, "#"), world:get(1, 1)) --> true  #
--: world:fill
print(world:fill(60, 1, 10, 3, "#"), world:get(65, 2)) --> true  #
--: world:is_walkable
world:fill(60, 1, 1, 1, "#")
print(world:is_walkable(60, 1), world:is_walkable(59, 1)) --> false  true
--: world:block
world:block(3, 1, 2, 5)
print(world:is_blocked(4, 5)) --> true
--: world:unblock
world:block(3, 1)
world:unblock(3, 1)
print(world:is_blocked(3, 1)) --> false
--: world:is_blocked
print(world:is_blocked(3, 1)) --> false
--: world:link
world:link(1, 1, 900, 1, { cost = 5, label = "portal" })
print(finder:find_route(1, 1, 900, 1).cost) --> 5.0
--: world:unlink
world:link(1, 1, 900, 1)
print(world:unlink(1, 1, 900, 1), world:unlink(1, 1, 900, 1)) --> true  false
--: world:wall
world:wall(1, 1, "east")
print(world:has_wall(2, 1, "west")) --> true
--: world:unwall
world:wall(1, 1, "east")
world:unwall(1, 1, "east")
print(world:has_wall(1, 1, "east")) --> false
--: world:has_wall
print(world:has_wall(1, 1, "east")) --> false
--: world:restrict
world:restrict(10, 10, 4, 1, "east") -- a belt
print(world:finder({ diagonals = "never" }):find_route(13, 10, 10, 10).cost) --> 7.0
--: world:unrestrict
world:restrict(10, 10, 4, 1, "east")
world:unrestrict(11, 10)
print(#world:restrictions(10, 10, 4, 1)) --> 3
--: world:restrictions
world:restrict(10, 10, { "south", "east" })
print(table.concat(world:restrictions(10, 10)[1].directions, " ")) --> east south
--: world:version
local before = world:version()
world:block(1, 1)
print(world:version() > before) --> true
--: world:wanted
local later = astar.world()
later:put_chunk(0, 0, ("."):rep(4096))
later:finder():find_route(1, 30, 900, 30)
print(later:wanted(1)[1].cx, later:wanted(1)[1].cy) --> 1  0
--: world:window
local grid = world:window(1, 1, 100, 100)
print(grid:finder():raycast(1, 1, 90, 50)) --> true
--: world:stats
print(world:get(1, 1), world:stats().chunks) --> .  1
--: world:finder
local ogre = world:finder { size = 2, exact = true }
print(ogre:find_route(1, 1, 11, 1).cost) --> 10.0

--# world_finder
local world = astar.world { load = function() return ("."):rep(4096) end }
local finder = world:finder()
--: finder:find_route
local route = finder:find_route(1, 1, 500, 1)
print(route.cost, route.partial) --> 499.0  false
print(finder:find_route(1, 1, 500, 1, { range = 2 }).cost) --> 497.0
world:block(500, 1)
print(finder:find_route(1, 1, 500, 1, { partial = true }).gx) --> 499
--: finder:find_nearest
local nearest, index = finder:find_nearest(1, 1, { { 500, 1 }, { 1, 90 } })
print(nearest.cost, index) --> 89.0  2
--: finder:raycast
world:block(9, 1)
print(finder:raycast(1, 1, 20, 1)) --> false  9  1
--: finder:reachable
print(finder:reachable(1, 1, 500, 1)) --> true
--: finder:search
local search = finder:search(1, 1, 500, 1)
while search:step { ms = 1 } == "running" do end -- one step a frame
print(search:route().cost) --> 499.0

--# route_search
local world = astar.world { load = function() return ("."):rep(4096) end }
local search = world:finder():search(1, 1, 500, 1)
--: search:step
while search:step { ms = 1 } == "running" do end -- one step a frame
print(search.status) --> found
--: search:route
print(search:route()) --> nil  running
while search:step(1000) == "running" do end
print(search:route().cost) --> 499.0
--: search:path
while search:step(1000) == "running" do end
print(search:path().cost) --> 499.0
--: search:close
search:close()
print((pcall(search.step, search))) --> false

--# route
local world = astar.world { load = function() return ("."):rep(4096) end }
local route = world:finder():find_route(1, 1, 500, 1)
--: route:stretch
local walker = astar.walker(route:stretch())
print(walker.x, route.x) --> 1  43
--: route:step
while route:step { ms = 1 } == "running" do end -- one step a frame, or queue:add(route)
print(route.status) --> refined
--: route:path
print(#route:path { legs = 1 }, #route:path()) --> 43  500
--: route:is_valid
print(route:is_valid()) --> true

--# movingai
local text = "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n"
local scenarios = "version 1\n0\ttown.map\t3\t2\t0\t0\t2\t1\t2.41421356\n"
--: astar.movingai.read_map
local name = os.tmpname()
astar.movingai.write_map(astar.grid "..#\n...", name)
print(astar.movingai.read_map(name):size()) --> 3  2
os.remove(name)
--: astar.movingai.parse_map
print(astar.movingai.parse_map(text):get(2, 0)) --> @
--: astar.movingai.format_map
print(astar.movingai.format_map(astar.grid "..#\n..."))
--> type octile
--> height 2
--> width 3
--> map
--> ..@
--> ...
--: astar.movingai.write_map
local name = os.tmpname()
astar.movingai.write_map(astar.grid "..#\n...", name)
print(astar.movingai.read_map(name):get(2, 0)) --> @
os.remove(name)
--: astar.movingai.read_scenarios
local name = os.tmpname()
local file = io.open(name, "w")
file:write(scenarios)
file:close()
print(astar.movingai.read_scenarios(name)[1].length) --> 2.41421356
os.remove(name)
--: astar.movingai.parse_scenarios
print(astar.movingai.parse_scenarios(scenarios)[1].map) --> town.map

--# ldtk
local project = astar.ldtk.load "spec/ldtk/cave.ldtk"
--: astar.ldtk.load
local yard = astar.ldtk.grid(project, { level = "Yard" })
print(yard:size()) --> 2  1
--: astar.ldtk.grid
local cave = astar.ldtk.grid(project, { level = "Cave", costs = { walls = false, water = 4 } })
print(cave:get(2, 3), cave:is_walkable(3, 2), cave:terrain "water") --> water  false  4.0
--: astar.ldtk.objects
local door = astar.ldtk.objects(project, { level = "Cave", layer = "Things" })[1]
print(door.name, door.x, door.y, door.fields.locked) --> Door  4  1  true
--# tiled, not run
local grid = astar.tiled.grid("town.lua", { default = 1 })
--: astar.tiled.load
local map = astar.tiled.load "town.lua"
local grid = astar.tiled.grid(map)
--: astar.tiled.grid
local grid = astar.tiled.grid("town.lua", { "ground", "bridges", blocks = { "walls" }, default = 1 })
--: astar.tiled.objects
for _, entry in ipairs(astar.tiled.objects("town.lua", "spawns")) do print(entry.object.name, entry.x, entry.y) end
--: astar.tiled.graph
local ways = astar.tiled.graph("town.lua", { "ways" })
print(ways:finder():find_path("inn", "mill").cost)

--# love, not run
local view = astar.love.view(grid, { scale = 24 })
--: astar.love.view
local view = astar.love.view(grid, { scale = 24, theme = { path = "#ff8800" } })
--: astar.love.grid
local grid = astar.love.grid(love.image.newImageData "map.png", { colors = { ["."] = "#ffffff", ["#"] = "#000000" } })

--# view, not run
local view = astar.love.view(grid, { scale = 24 })
--: view:to_cell
local x, y = view:to_cell(love.mouse.getPosition())
--: view:to_pixel
local px, py = view:to_pixel(walker.x, walker.y)
love.graphics.circle("fill", px, py, 8)
--: view:zoom
function love.wheelmoved(_, dy) view:zoom(1.1 ^ dy, love.mouse.getPosition()) end
--: view:scroll
function love.mousemoved(_, _, dx, dy) if love.mouse.isDown(3) then view:scroll(dx, dy) end end
--: view:fit
view:fit(0, 0, love.graphics.getDimensions())
--: view:touch
grid:set(3, 4, "#")
view:touch(3, 4)
--: view:draw
function love.draw() view:draw() end
--: view:draw_lines
view:draw_lines { 1, 1, 1, 0.1 }
--: view:draw_cell
view:draw_cell(walker.x, walker.y, "#ffcc00", 0.1)
--: view:draw_path
view:draw_path(walker.path, "#ffcc00")
--: view:draw_graph
view:draw_graph(ways, ways:finder():find_path("inn", "mill"))
--: view:draw_search
local open, closed = view:draw_search(search)
--: view:draw_flow
view:draw_flow(flow)
