-- targets.lua -- what astar aims at in speed, each target beside what was measured.
--
-- Where a target is a ratio of two times taken in turns it holds on any machine; where it is a time, the
-- machine is named, and so is what a dependent read of memory takes there, to judge it by.

local astar = require "astar"
local edits = require "bench.edits"
local maps = require "bench.maps"
local odd = require "bench.sections.odd"
local random = require "spec.support.random"
local support = require "bench.support"
local waypoints = require "bench.waypoints"

local SEED, US, NS = support.SEED, support.US, support.NS

local clock = os.clock

-- ---- the machine ----

local function processor()
  local file = io.open "/proc/cpuinfo"
  local text = file and file:read "*a" or ""
  if file then file:close() end
  return text:match "model name%s*:%s*([^\n]+)" or "a processor of unknown name"
end

-- Nanoseconds of a plain Lua step that reads where the one before told it to, over 'count' places.
local function read_ns(count)
  local at, r = {}, random.new(SEED)
  for i = 1, count do at[i] = i end
  for i = count, 2, -1 do -- one cycle through all (Sattolo)
    local j = r:int(1, i - 1)
    at[i], at[j] = at[j], at[i]
  end
  local place, before = 1, clock()
  for _ = 1, count do place = at[place] end
  return (clock() - before) / count * NS, place
end

-- ---- single measures; times in seconds ----

local function caves(side) return maps.kind("caves").make(SEED, side, side) end
local function open_grid(side) return astar.grid(side, side) end

local function batch(run, plan) return support.compare({ support.item(run, plan.batch) }, plan.rounds)[1] end

local function speed_over_astar(kind, side, plan)
  local rows = maps.kind(kind).make(SEED, side, side)
  local grid = astar.grid(rows)
  local queries = support.queries(grid, SEED, math.ceil(plan.sample / 4))
  local auto, plain = grid:finder(), grid:finder { algorithm = "astar" }
  local baked = grid:finder()
  baked:bake()
  for _, finder in ipairs { auto, plain, baked } do support.warm(finder, queries) end
  local s = support.compare({ support.asking(auto, queries), support.asking(plain, queries),
    support.asking(baked, queries) }, plan.rounds)
  return s[2] / s[1], s[1] / s[3]
end

-- The longest update over what its budget allows, in milliseconds: of the first, the one after a large
-- edit, and of all.
local function longest_over(rows, options, frames)
  local budget = 2
  local grid = astar.grid(rows, { terrain = { ["."] = 1, ["#"] = false, s = 3 } })
  local r, queue = random.new(SEED), astar.queue()
  local width, height = grid:size()
  local finder, first, after, longest, late = grid:finder(options), 0, 0, 0, 0
  collectgarbage()
  for frame = 1, frames do
    local is_large = frame % 40 == 0
    local side = is_large and math.min(64, width) or 1
    local x, y = r:int(1, width - side + 1), r:int(1, height - side + 1)
    local edit = frame % 2 == 0 and frame % 80 ~= 0 and grid.block or grid.unblock
    edit(grid, x, y, side, side)
    while queue:count() < 20 do
      queue:request(finder, r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height))
    end
    local before = clock()
    queue:update { ms = budget }
    local over = (clock() - before) * 1e3 - budget
    if frame == 1 then first = over end
    if is_large then after = math.max(after, over) end
    longest, late = math.max(longest, over), late + (over > 1 and 1 or 0)
  end
  return first, after, longest, late
end

local function edit_seconds(side, plan)
  local grid = open_grid(side)
  local finder, edit = grid:finder(), edits.of(grid)
  local cells = support.pick_cells(grid, SEED, plan.sample, support.is_harmless)
  return support.compare({ edits.item(finder, support.queries(grid, SEED, 3), cells, edit.block, edit.unblock) },
    plan.rounds)[1]
end

-- Mean and worst of `reachable` right after a cell was blocked.
local function reachable_seconds(kind, side, plan)
  local grid = support.grid_of(maps.kind(kind), side)
  local finder, sum, worst = grid:finder(), 0, 0
  local cells = support.pick_cells(grid, SEED, plan.sample, function() return true end)
  local query = support.queries(grid, SEED, 1)[1]
  finder:reachable(query.sx, query.sy, query.gx, query.gy)
  for _, cell in ipairs(cells) do
    grid:block(cell.x, cell.y)
    local before = clock()
    finder:reachable(query.sx, query.sy, query.gx, query.gy)
    local took = math.max(clock() - before - support.clock_seconds, 0)
    sum, worst = sum + took, math.max(worst, took)
    grid:unblock(cell.x, cell.y)
    finder:reachable(query.sx, query.sy, query.gx, query.gy)
  end
  return sum / math.max(#cells, 1), worst
end

-- How much more a rectangle of 64 x 64 cells takes than one of 63 x 63, with the question after it.
local function rectangle_ratio(side, plan)
  local grid = astar.grid(caves(side))
  local finder = grid:finder()
  local query = support.queries(grid, SEED, 1)[1]
  local function of(size)
    size = math.min(size, side)
    return { count = 4, run = function(n)
      for i = 1, n do
        local at = 1 + (i * 37) % math.max(side - size, 1)
        grid:block(at, at, size, size)
        finder:reachable(query.sx, query.sy, query.gx, query.gy)
        grid:unblock(at, at, size, size)
        finder:reachable(query.sx, query.sy, query.gx, query.gy)
      end
    end }
  end
  local s = support.compare({ of(64), of(63) }, plan.rounds)
  return s[1] / math.max(s[2], 1e-9)
end

local function first_answer_ns(side)
  local grid = astar.grid(caves(side))
  local query = support.queries(grid, SEED, 1)[1]
  return support.first_milliseconds(grid:finder(), query) / 1e3 / (side * side) * NS
end

-- Bytes of this process in memory, nil where that cannot be told.
local function resident_bytes()
  local file = io.open "/proc/self/statm"
  local pages = file and tonumber(file:read "*l":match "^%d+ (%d+)")
  if file then file:close() end
  return pages and pages * 4096
end

-- Bytes a cell that a map and all that searches make of it come to: after searches by jumps, and after A*,
-- too.
local function bytes_of_map(side, plan)
  local rows = caves(side)
  collectgarbage()
  collectgarbage()
  local before = resident_bytes()
  if not before then return end
  local grid, taken = astar.grid(rows), {}
  local queries = support.queries(grid, SEED, plan.sample)
  for i, algorithm in ipairs { "auto", "astar" } do
    support.ask(grid:finder { algorithm = algorithm }, queries)
    collectgarbage()
    collectgarbage()
    taken[i] = (resident_bytes() - before) / (side * side)
  end
  return taken[1], taken[2]
end

local function callback_ns(plan)
  local side = math.floor(plan.side / 2)
  local grid = astar.grid(caves(side))
  local asked = 0
  local function cost(_, _, _, given) return given end
  local queries = support.queries(grid, SEED, math.ceil(plan.sample / 10))
  support.ask(grid:finder { cost = function(_, _, _, given) asked = asked + 1 return given end }, queries)
  local s = support.compare({ support.asking(grid:finder { cost = cost }, queries),
    support.asking(grid:finder { algorithm = "astar" }, queries),
    support.item(function(n)
      local sum = 0
      for i = 1, n do sum = sum + cost(i, 7, ".", 2) end
      return sum
    end, plan.batch) }, plan.rounds)
  return (s[1] - s[2]) * #queries / asked * NS - s[3] * NS
end

local function flow_ns(side, plan)
  local finder = open_grid(side):finder()
  local seconds = support.compare({ { count = 1, run = function() finder:flow(3, 3):complete() end } }, plan.rounds)[1]
  return seconds / (side * side) * NS
end

-- How many of some searches are begun again while a cell far from their routes is toggled each frame.
local function restarts(plan)
  local side = math.max(plan.side, 64)
  local grid, queue, tickets, r = open_grid(side), astar.queue(), {}, random.new(SEED)
  local finder = grid:finder { algorithm = "astar" }
  for i = 1, 50 do
    local x, y = r:int(1, math.floor(side / 2)), r:int(1, math.floor(side / 2))
    tickets[i] = queue:request(finder, x, y, r:int(1, math.floor(side / 2)), r:int(1, math.floor(side / 2)))
  end
  local frame, sum = 0, 0
  repeat
    frame = frame + 1
    if frame % 2 == 0 then grid:block(side, side) else grid:unblock(side, side) end
  until queue:update { expansions = 10 } == 0
  for _, ticket in ipairs(tickets) do sum = sum + ticket.restarts end
  return sum
end

-- How many times as long an expansion takes on hexagons as on squares, both by the same algorithm over ground
-- with as many blocks.
local function hexagons_ratio(algorithm, plan)
  local side, items = math.floor(plan.side / 2), {}
  for i, shape in ipairs { "hex", "square" } do
    local r, grid = random.new(SEED), astar.grid(side, side, { shape = shape })
    for _ = 1, side * side / 5 do grid:block(r:int(1, side), r:int(1, side)) end
    local finder, queries, expanded = grid:finder { algorithm = algorithm }, {}, 0
    for _, query in ipairs(support.queries(grid, SEED, plan.sample)) do
      local path = finder:find_path(query.sx, query.sy, query.gx, query.gy)
      if path then
        queries[#queries + 1], expanded = query, expanded + path.expanded
      end
    end
    items[i] = { count = 1, per = expanded, run = function() support.ask(finder, queries) end }
  end
  local s = support.compare(items, math.max(plan.rounds, 5))
  return s[1] / math.max(s[2], 1e-12)
end

-- How many times as long plain Lua takes for a query over way-points.
local function graph_speed(side, plan)
  local ours, theirs, keys = waypoints.make(side)
  local queries = waypoints.pairs_of(keys, math.max(math.floor(plan.sample / 2), 3))
  local s = support.compare(waypoints.items(ours:finder(), theirs, queries), math.max(plan.rounds, 5))
  return support.ratio(s[2], s[1])
end

-- ---- the table ----

local function verdict(measured, target, is_least)
  local factor = is_least and target / math.max(measured, 1e-12) or measured / target
  if is_least and measured >= target or not is_least and measured <= target then return "met" end
  return ("missed by %.2f times"):format(factor)
end

local function new_table(report)
  report:section("targets", { { "target", "%-58s" }, { "at most", "%9g" }, { "at least", "%10g" },
    { "measured", "%10.2f" }, { "verdict", "%22s" } })
  local function most(what, target, measured)
    report:row { what, target, nil, measured, verdict(measured, target, false) }
  end
  local function least(what, target, measured)
    report:row { what, nil, target, measured, verdict(measured, target, true) }
  end
  return most, least
end

local function show_queries(least, plan)
  for _, kind in ipairs { "caves", "rooms", "maze-8" } do
    support.progress("targets: " .. kind)
    local online, baked = speed_over_astar(kind, plan.side, plan)
    least(("1 online, %s: times A*"):format(kind), 1.5, online)
    least(("2 baked, %s: times online"):format(kind), 1, baked)
  end
end

local function show_frames(most, plan, frames)
  for _, unit in ipairs { { "one cost", nil }, { "weighted", "s" } } do
    support.progress("targets: frames, " .. unit[1])
    local rows = caves(plan.side)
    if unit[2] then
      local r = random.new(SEED)
      for y, row in ipairs(rows) do rows[y] = row:gsub("%.", function(c) return r:chance(0.1) and unit[2] or c end) end
    end
    local first, after, longest, late = longest_over(rows, {}, frames)
    most("3 frames, " .. unit[1] .. ": first update over its budget, ms", 1, first)
    most("3 frames, " .. unit[1] .. ": after 64 x 64 cells, ms", 1, after)
    most("3 frames, " .. unit[1] .. ": longest, ms", 1, longest)
    most("3 frames, " .. unit[1] .. (": that exceed 1 ms, of %d"):format(frames), 0.5, late)
  end
end

local function show_odd(most, plan, options)
  local placements = options.quick and 2 or options.placements
  local rows = caves(plan.side)
  local queries = support.queries(astar.grid(rows), SEED, math.ceil(plan.sample / 10))
  support.progress "targets: odd cells"
  for _, each in ipairs(odd.single(rows, queries, placements)) do
    most("3 " .. each.name .. ": mean times the query without", 1.5, each.mean)
    if each.worst then most("3 " .. each.name .. ": worst placement", 1.5, each.worst) end
  end
  for _, each in ipairs(odd.shares(rows, queries, math.ceil(placements / 10))) do
    most("3 " .. each.name .. " odd cells: worst placement, times A*", 1.1, each.worst)
  end
end

local function show_edits(most, plan)
  support.progress "targets: edits"
  local large = math.min(plan.largest, 4 * plan.side)
  most(("5 one cell, %d wide, us"):format(plan.side), 3, edit_seconds(plan.side, plan) * US)
  most(("5 one cell, %d wide, us"):format(large), 10, edit_seconds(large, plan) * US)
  local mean = reachable_seconds("maze-8", plan.side, plan)
  most(("5 reachable after a block, maze of %d, mean us"):format(plan.side), 50, mean * US)
  local _, worst = reachable_seconds("maze-8", large, plan)
  most(("5 reachable after a block, maze of %d, worst us"):format(large), 1000, worst * US)
  most("5 a block of 64 x 64, times one of 63 x 63", 1.5, rectangle_ratio(plan.side, plan))
end

-- First of all: what is measured before leaves memory that could be used again.
local function show_memory(most, plan)
  local side = math.min(plan.largest, 2 * plan.side)
  local jumping, stepping = bytes_of_map(side, plan)
  if not jumping then return end
  most(("7 bytes a cell after jumps, %d wide"):format(side), 6, jumping)
  most(("7 bytes a cell after A* as well, %d wide"):format(side), 12, stepping)
end

local function show_sizes(most, plan)
  support.progress "targets: first answers"
  local large = math.min(plan.largest, 4 * plan.side)
  local small_ns, large_ns = first_answer_ns(plan.side), first_answer_ns(large)
  most(("6 first answer, %d wide, ns a cell"):format(plan.side), 10, small_ns)
  most(("6 first answer, %d wide, ns a cell"):format(large), 10, large_ns)
  most("6 the same from small to large: times", 1.3, large_ns / math.max(small_ns, 1e-9))
  local small = open_grid(8)
  small:finder():find_path(1, 1, 8, 8)
  most("7 an 8 x 8 grid with a finder, asked once, KiB", 4, small:bytes() / 1024)
end

local function show_calls(most, plan)
  support.progress "targets: calls, flows, queue"
  local finder = open_grid(64):finder()
  local smallest = batch(function(n) for _ = 1, n do finder:find_path(30, 30, 31, 30) end end, plan)
  most("8 the smallest query, us", 0.5, smallest * US)
  most("8 a cost callback over Lua's own call, ns", 30, callback_ns(plan))
  most(("9 flow over open ground of %d, ns a cell"):format(plan.side), 8, flow_ns(plan.side, plan))
  most("10 searches begun again by edits far away, of 50", 0.5, restarts(plan))
end

local function show_shapes(most, least, plan)
  support.progress "targets: hexagons, graphs"
  for _, algorithm in ipairs { "astar", "dijkstra" } do
    most(("11 an expansion on hexagons, %s: times squares"):format(algorithm), 1.2, hexagons_ratio(algorithm, plan))
  end
  local target = rawget(_G, "jit") and 3 or 20
  for _, side in ipairs(plan.side > 100 and { 32, 100, 320 } or { 5, 10 }) do
    least(("12 graphs, %d nodes: times plain Lua"):format(side * side), target, graph_speed(side, plan))
  end
end

return function(report, plan, options)
  report:title(([[
targets: what is aimed at beside what this run measured, by number; %d wide maps. Ratios ("times") hold on any
machine. Times are of %s, where a dependent step through a table of a million places takes
%.1f ns, through a thousand %.1f. Target 4 compares with A* of others and is measured outside.]])
    :format(plan.side, processor(), (read_ns(options.quick and 1000 or 1000000)), (read_ns(1000))))
  local most, least = new_table(report)
  show_memory(most, plan)
  show_queries(least, plan)
  show_frames(most, plan, options.quick and 20 or options.count)
  show_odd(most, plan, options)
  show_edits(most, plan)
  show_sizes(most, plan)
  show_calls(most, plan)
  show_shapes(most, least, plan)
end
