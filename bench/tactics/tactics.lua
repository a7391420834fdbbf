-- tactics.lua -- times queries that are not for routes, each beside a program in plain Lua that answers the same query.

local astar = require "astar"
local random = require "spec.support.random"
local support = require "bench.support"

local SEED, US = support.SEED, support.US

-- ---- a field of view, by the recursive shadowcasting that roguelikes commonly use ----

local OCTANTS = { { 1, 0, 0, 1 }, { 0, 1, 1, 0 }, { 0, -1, 1, 0 }, { -1, 0, 0, 1 },
  { -1, 0, 0, -1 }, { 0, -1, -1, 0 }, { 0, 1, -1, 0 }, { 1, 0, 0, -1 } }

local function cast_light(open, seen, cx, cy, row, first, last, radius, way)
  if first < last then return end
  for j = row, radius do
    local dy, is_blocked, next_first = -j, false, first
    for dx = -j, 0 do
      local x, y = cx + dx * way[1] + dy * way[2], cy + dx * way[3] + dy * way[4]
      local left, right = (dx - 0.5) / (dy + 0.5), (dx + 0.5) / (dy - 0.5)
      if left < last then break end
      if right <= first then
        if dx * dx + dy * dy <= radius * radius then seen[y * 1024 + x] = true end
        local is_wall = not open[y * 1024 + x]
        if is_blocked and is_wall then
          next_first = right
        elseif is_blocked then
          is_blocked, first = false, next_first
        elseif is_wall and j < radius then
          is_blocked = true
          cast_light(open, seen, cx, cy, j + 1, first, left, radius, way)
          next_first = right
        end
      end
    end
    if is_blocked then return end
  end
end

local function plain_fov(open, cx, cy, radius)
  local seen = { [cy * 1024 + cx] = true }
  for _, way in ipairs(OCTANTS) do cast_light(open, seen, cx, cy, 1, 1, 0, radius, way) end
  return seen
end

-- ---- the section ----

local WIDTH, HEIGHT, RADIUS = 80, 50, 12

local function measure_fov(report, plan, name, rows)
  local grid, open = astar.grid(rows), {}
  for y = 1, HEIGHT do
    for x = 1, WIDTH do open[y * 1024 + x] = grid:is_walkable(x, y) or nil end
  end
  local finder, options, places = grid:finder(), { into = astar.field(grid) }, {}
  local r = random.new(SEED)
  for i = 1, 64 do places[i] = { r:int(RADIUS, WIDTH - RADIUS), r:int(RADIUS, HEIGHT - RADIUS) } end
  local ours = support.item(function(n)
    for i = 1, n do
      local place = places[i % 64 + 1]
      finder:fov(place[1], place[2], RADIUS, options)
    end
  end, plan.batch)
  local plain = support.item(function(n)
    for i = 1, n do
      local place = places[i % 64 + 1]
      plain_fov(open, place[1], place[2], RADIUS)
    end
  end, plan.batch)
  local s = support.compare({ ours, plain }, plan.rounds)
  report:row { "fov " .. RADIUS .. ", " .. name, s[1] * US, s[2] * US, support.ratio(s[2], s[1]) }
end

local function measure_decay(report, plan, side)
  local field, values = astar.field(side, side), {}
  field:stamp(30, 30, 6, 10)
  for i = 1, 113 do values[i] = i end
  local ours = support.item(function(n)
    for _ = 1, n do field:scale(1) end
  end, plan.batch)
  local plain = support.item(function(n)
    for _ = 1, n do
      for cell, value in pairs(values) do values[cell] = value * 1 end
    end
  end, plan.batch)
  local s = support.compare({ ours, plain }, plan.rounds)
  report:row { ("scale, %d"):format(side), s[1] * US, s[2] * US, support.ratio(s[2], s[1]) }
end

-- ---- two forts: routes through walls, and the blocks between the forts ----

local SIDE, FORT = 128, 20

local function forts()
  local grid = astar.grid(SIDE, SIDE)
  for _, corner in ipairs { 20, 90 } do
    grid:block(corner, corner, FORT, 1, "walls")
    grid:block(corner, corner, 1, FORT, "walls")
    grid:block(corner, corner + FORT, FORT + 1, 1, "walls")
    grid:block(corner + FORT, corner, 1, FORT, "walls")
  end
  return grid
end

-- Returns the least cost from 'start' to 'goal', by Dijkstra's algorithm with a list of cells per cost. A cell is
-- y * 1024 + x. Entering a cell without a wall costs 'free', entering a wall costs 'price'; both are whole numbers.
local function plain_least(walls, start, goal, free, price)
  local least, lists, cost = { [start] = 0 }, { [0] = { start } }, 0
  while true do
    local list = lists[cost] or {}
    local i = 1
    while i <= #list do
      local cell = list[i]
      if cell == goal then return cost end
      if least[cell] == cost then
        for _, step in ipairs { -1024, -1, 1, 1024 } do
          local next = cell + step
          local wall = walls[next]
          if wall ~= nil then
            local there = cost + (wall and price or free)
            if there < (least[next] or math.huge) then
              least[next], lists[there] = there, lists[there] or {}
              table.insert(lists[there], next)
            end
          end
        end
      end
      i = i + 1
    end
    cost = cost + 1
  end
end

local function measure_forts(report, plan)
  local grid, walls = forts(), {}
  for y = 1, SIDE do
    for x = 1, SIDE do walls[y * 1024 + x] = grid:is_blocked(x, y, "walls") end
  end
  local finder = grid:finder()
  local raider = grid:finder { breach = { walls = 12 }, diagonals = "never" }
  local function measure(name, query, free, price)
    local ours = support.item(function(n)
      for _ = 1, n do query() end
    end, plan.batch)
    local plain = support.item(function(n)
      for _ = 1, n do plain_least(walls, 30 * 1025, 100 * 1025, free, price) end
    end, plan.batch)
    local s = support.compare({ ours, plain }, plan.rounds)
    report:row { name, s[1] * US, s[2] * US, support.ratio(s[2], s[1]) }
  end
  measure("breach, two walls", function() raider:find_path(30, 30, 100, 100) end, 1, 13)
  measure("blockers, two walls", function() finder:blockers(30, 30, 100, 100) end, 0, 1)
end

-- Measures the fewest blocks on a route across a map with a wall and rocks. The rocks are blocks, which count as
-- blockers, or impassable terrain, which no route can cross.
local function measure_rocks(report, plan, name, are_blocks)
  local side, r, walls = plan.side, random.new(SEED), {}
  local rows = r:scatter(side, side, 0.2)
  local grid = astar.grid(are_blocks and side or rows, are_blocks and side or nil)
  for y = 1, side do
    for x = 1, side do
      local is_rock, is_wall = rows[y][x] == "#", x == side / 2
      if is_rock and are_blocks or is_wall then grid:block(x, y) end
      if are_blocks or not is_rock then walls[y * 1024 + x] = is_rock or is_wall end
    end
  end
  local finder = grid:finder()
  local x, to_x, y = 5, side - 5, side / 2
  while not grid:is_walkable(x, y) do x = x + 1 end
  while not grid:is_walkable(to_x, y) do to_x = to_x - 1 end
  local ours = support.item(function(n)
    for _ = 1, n do finder:blockers(x, y, to_x, y) end
  end, plan.batch)
  local plain = support.item(function(n)
    for _ = 1, n do plain_least(walls, y * 1024 + x, y * 1024 + to_x, 0, 1) end
  end, 0)
  local s = support.compare({ ours, plain }, math.min(plan.rounds, 2))
  report:row { ("blockers, %s, %d"):format(name, side), s[1] * US, s[2] * US, support.ratio(s[2], s[1]) }
end

-- ---- cells that blocks separate; the plain programs flood a table of cells ----

local STEPS = { 1, -1, 4096, -4096 }

-- Floods the connected cells from a cell until the flood reaches 'goal'. Returns the number of flooded cells, and true
-- if the flood reached 'goal'.
local function plain_flood(open, from, goal)
  local seen, list = { [from] = true }, { from }
  local i = 1
  while list[i] do
    local cell = list[i]
    if cell == goal then return i, true end
    for _, step in ipairs(STEPS) do
      local to = cell + step
      if open[to] and not seen[to] then
        seen[to] = true
        list[#list + 1] = to
      end
    end
    i = i + 1
  end
  return #list, false
end

-- Returns the least number of cells that separate 'goal' from 'start', by augmenting paths over two nodes per cell.
local function plain_cut(open, start, goal)
  local before, from, list = {}, nil, nil -- before: the previous cell of each cell on a path
  local function visit(to, node)
    if from[to] then return end
    from[to] = node
    list[#list + 1] = to
  end
  local function find_augmenting_path()
    from, list = { [start * 2 + 1] = 0 }, { start * 2 + 1 }
    local i = 1
    while list[i] do
      local node = list[i]
      local cell = math.floor(node / 2)
      if cell == goal then return true end
      if node % 2 == 0 then
        visit((before[cell] or cell) * 2 + 1, node)
      else
        for _, step in ipairs(STEPS) do
          local to = cell + step
          if open[to] and to ~= start then visit(to * 2, node) end
        end
        if before[cell] then visit(cell * 2, node) end
      end
      i = i + 1
    end
    return false
  end
  local count = 0
  while find_augmenting_path() do
    count = count + 1
    local node = goal * 2
    while node ~= start * 2 + 1 do
      local cell, other = math.floor(node / 2), math.floor(from[node] / 2)
      if node % 2 == 0 and other == cell then
        before[cell] = nil
      elseif node % 2 == 0 and cell ~= goal then
        before[cell] = other
      end
      node = from[node]
    end
  end
  return count
end

-- Returns a map with a walled base that has three gaps, the cells as a table, and the first column of the base.
local function new_base(side)
  local grid, open = astar.grid(side, side), {}
  local first, last = side / 2 - 48, side / 2 + 48
  for i = first, last do
    grid:block(i, first)
    grid:block(i, last)
    grid:block(first, i)
    grid:block(last, i)
  end
  grid:unblock(first + 30, first)
  grid:unblock(last, first + 20)
  grid:unblock(first, first + 70)
  for y = first - 79, last + 79 do
    for x = first - 79, last + 79 do open[y * 4096 + x] = grid:is_walkable(x, y) or nil end
  end
  return grid, open, first
end

local function measure_supposed(report, plan, side)
  local grid, open, first = new_base(side)
  local finder, x, y = grid:finder(), first + 30, first
  local options = { suppose_blocked = { { x + 1, y + 4, 2, 2 } } }
  local ours = support.item(function(n)
    for _ = 1, n do finder:reachable(x, y - 10, x, y + 10, options) end
  end, plan.batch)
  local plain = support.item(function(n)
    for _ = 1, n do
      for cell = 0, 3 do open[(y + 4 + cell % 2) * 4096 + x + 1 + (cell - cell % 2) / 2] = nil end
      plain_flood(open, (y - 10) * 4096 + x, (y + 10) * 4096 + x)
    end
  end, plan.batch)
  local s = support.compare({ ours, plain }, plan.rounds)
  report:row { ("suppose_blocked, %d"):format(side), s[1] * US, s[2] * US, support.ratio(s[2], s[1]) }
end

local function measure_base(report, plan)
  local grid, open, first = new_base(256)
  local finder = grid:finder { diagonals = "never" }
  local flow, x, y = finder:flow(first + 48, first + 48), first + 48, first - 60
  local start, goal = y * 4096 + x, (first + 48) * 4096 + first + 48
  local function compare(name, query, plainly)
    local ours = support.item(function(n) for _ = 1, n do query() end end, 1)
    local plain = support.item(function(n) for _ = 1, n do plainly() end end, 1)
    local s = support.compare({ ours, plain }, math.min(plan.rounds, 2))
    report:row { name, s[1] * US, s[2] * US, support.ratio(s[2], s[1]) }
  end
  compare("count_cut_off, 256", function() flow:count_cut_off(first + 30, first) end,
    function() plain_flood(open, goal) end)
  compare("min_cut, 256", function() finder:min_cut(x, y, first + 48, first + 48) end,
    function() plain_cut(open, start, goal) end)
  compare("chokepoints, 256", function() finder:chokepoints(x, y, first + 48, first + 48) end,
    function() plain_flood(open, start) end)
end

-- ---- values that spread from a cell ----

local function plain_spread(open, from, reach)
  local far, list = { [from] = 0 }, { from }
  local i = 1
  while list[i] do
    local cell = list[i]
    for _, step in ipairs(STEPS) do
      local to = cell + step
      if open[to] and not far[to] and far[cell] < reach then
        far[to] = far[cell] + 1
        list[#list + 1] = to
      end
    end
    i = i + 1
  end
  for cell, steps in pairs(far) do far[cell] = 1 - steps / (reach + 1) end
  return far
end

local function measure_spread(report, plan)
  local grid, open, first = new_base(256)
  local finder, x, y = grid:finder { diagonals = "never" }, first + 30, first + 4
  local options, sources = { into = astar.field(grid) }, { { x, y } }
  local ours = support.item(function(n) for _ = 1, n do finder:spread(sources, 12, options) end end, plan.batch)
  local plain = support.item(function(n) for _ = 1, n do plain_spread(open, y * 4096 + x, 12) end end, plan.batch)
  local s = support.compare({ ours, plain }, plan.rounds)
  report:row { "spread 12, 256", s[1] * US, s[2] * US, support.ratio(s[2], s[1]) }
end

-- ---- the next step by a desire map of four flows ----

local AROUND = { { 0, 0 }, { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 }, { 1, -1 }, { 1, 1 }, { -1, 1 }, { -1, -1 } }

-- Returns the cell among nine that has the least weighted sum of distances, on a map without blocks.
local function plain_next(parts, x, y)
  local least, best_x, best_y
  for _, step in ipairs(AROUND) do
    local to_x, to_y, sum = x + step[1], y + step[2], 0
    for _, part in ipairs(parts) do sum = sum + part[2] * part[1]:distance(to_x, y) end
    if not least or sum < least then least, best_x, best_y = sum, to_x, to_y end
  end
  return best_x, best_y
end

local function measure_desires(report, plan)
  local finder, parts = astar.grid(256, 256):finder(), {}
  for i, weight in ipairs { 1, -0.5, 2, 0.3 } do
    parts[i] = { finder:flow(i * 50, i * 40), weight }
    parts[i][1]:complete()
  end
  local desires = finder:desire_map(parts)
  local ours = support.item(function(n)
    for i = 1, n do desires:next(i % 250 + 3, i % 200 + 3) end
  end, plan.batch)
  local plain = support.item(function(n)
    for i = 1, n do plain_next(parts, i % 250 + 3, i % 200 + 3) end
  end, plan.batch)
  local s = support.compare({ ours, plain }, plan.rounds)
  report:row { "desire map, 256", s[1] * US, s[2] * US, support.ratio(s[2], s[1]) }
end

-- ---- routes over the edge of a map that wraps around, beside routes over links between the two edges ----

local function measure_wrapped(report, plan, rows)
  local wrapped, linked, side = astar.grid(rows, { wrap = "x" }), astar.grid(rows), #rows
  for y = 1, side do
    for other = math.max(1, y - 1), math.min(side, y + 1) do
      linked:link(side, y, 1, other, { cost = other == y and 1 or math.sqrt(2) })
    end
  end
  local function querying(grid)
    local finder = grid:finder()
    return support.item(function(n)
      for i = 1, n do finder:find_path(side - i % 9, i % side + 1, 5 + i % 7, (i * 7) % side + 1) end
    end, plan.batch)
  end
  local s = support.compare({ querying(wrapped), querying(linked) }, plan.rounds)
  report:row { ("wrap = x, %d"):format(side), s[1] * US, s[2] * US, support.ratio(s[2], s[1]) }
end

return function(report, plan)
  report:title(([[
tactics: microseconds per query, and per run of a plain Lua program for the same query. "ratio": time of plain Lua
divided by the time of the query. The number at the end of a row is the width of the map.
  fov 12: a field of view of radius 12 on %d x %d cells, written into an existing field
  wrap: routes over the edge of a map that wraps around; "plain us" is the time with links between the edges instead
  scale: multiplies a field that contains one stamp of radius 6
  breach, blockers, two walls: cheapest route through two walls, and fewest blocks between two forts, on %d x %d cells
  blockers, terrain and rocks: fewest blocks on a route through a wall; 20 %% of the cells are rocks, which are terrain
    or blocks
  suppose_blocked, count_cut_off, min_cut, chokepoints: a walled base with three gaps; plain Lua floods a table of
    cells, once for all chokepoints
  spread 12: values that spread 12 steps from a cell
  desire map: next step by four flows; plain Lua reads nine distances of each flow]]):format(WIDTH, HEIGHT, SIDE, SIDE))
  report:section("tactics", { { "query", "%-24s" }, { "us", "%9.2f" }, { "plain us", "%12.2f" },
    { "ratio", "%7.2f" } })
  local r = random.new(SEED)
  measure_fov(report, plan, "open", r:scatter(WIDTH, HEIGHT, 0))
  measure_fov(report, plan, "obstacles", r:scatter(WIDTH, HEIGHT, 0.1))
  measure_fov(report, plan, "caves", r:caves(WIDTH, HEIGHT))
  measure_fov(report, plan, "rooms", r:rooms(WIDTH, HEIGHT, 8))
  measure_wrapped(report, plan, r:scatter(256, 256, 0.1))
  measure_decay(report, plan, 64)
  measure_decay(report, plan, plan.largest)
  measure_forts(report, plan)
  measure_rocks(report, plan, "terrain", false)
  measure_rocks(report, plan, "rocks", true)
  measure_supposed(report, plan, 512)
  if plan.largest > 512 then measure_supposed(report, plan, plan.largest) end
  measure_base(report, plan)
  measure_spread(report, plan)
  measure_desires(report, plan)
end
