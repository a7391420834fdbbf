-- Routes in time with everything at once, against Dijkstra over cells and ticks: when one arrives, that all it takes
-- is free and nothing else is said of what is taken.

local astar = require "astar"
local oracle = require "spec.support.schedule_oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_CASES", 250)
local FIRST = tonumber(os.getenv "ASTAR_SEED") or 1

local TICKS = oracle.TICKS
local COSTS = { ["."] = 1, ["#"] = false, s = 3, r = 2 }
local RULES = { "only_when_no_obstacles", "if_at_most_one_obstacle", "always", "never" }
local DIRECTIONS = { "north", "east", "south", "west" }
local HEXAGONAL = { "north_east", "east", "south_east", "west" }

local function expect(holds, message, ...)
  if not holds then error(message:format(...), 0) end
end

-- ---- maps and units ----

local function new_map(r)
  local map = { width = r:int(1, 7), height = r:int(1, 6), rows = {}, blocks = {}, hex = r:chance(0.15) }
  local density = r:pick { 0, 0.1, 0.25, 0.35 }
  for y = 1, map.height do
    map.rows[y] = {}
    for x = 1, map.width do
      map.rows[y][x] = r:chance(density) and "#" or r:chance(0.15) and r:pick { "s", "r" } or "."
    end
  end
  local options = { terrain = COSTS }
  if map.hex then options.shape, options.offset = "hex", r:pick { "odd_r", "even_r" } end
  if not map.hex and map.width > 2 and map.height > 2 and r:chance(0.3) then map.wrap = r:pick { "x", "y", "both" } end
  options.wrap = map.wrap
  map.grid = astar.grid(map.rows, options)
  for _, layer in ipairs { "", "walls", "own" } do
    map.blocks[layer] = {}
    for _ = 1, r:pick { 0, 0, 1, 3, layer == "walls" and 12 or 3 } do
      local x, y = r:int(1, map.width), r:int(1, map.height)
      map.grid:block(x, y, 1, 1, layer)
      map.blocks[layer][x .. "," .. y] = true
    end
  end
  for _ = 1, map.wrap and 0 or r:pick { 0, 0, 0, 2, 5 } do
    map.grid:wall(r:int(1, map.width), r:int(1, map.height), r:pick(map.hex and HEXAGONAL or DIRECTIONS), r:chance(0.3))
  end
  for _ = 1, r:pick { 0, 0, 0, 1, 2 } do
    local x, y, to_x, to_y = r:int(1, map.width), r:int(1, map.height), r:int(1, map.width), r:int(1, map.height)
    if x ~= to_x or y ~= to_y then
      map.grid:link(x, y, to_x, to_y, { cost = r:pick { 0.5, 1, 2, 5 }, one_way = r:chance(0.4) })
    end
  end
  return map
end

local function new_options(r, map)
  local options = {}
  if not map.hex then
    options.diagonals, options.diagonal_cost = r:pick(RULES), r:pick { 1, 1.5, 2 }
    options.size = not map.wrap and r:chance(0.25) and r:int(2, 3) or nil
  end
  if r:chance(0.3) then options.costs = { s = r:pick { 1, 2, false } } end
  if r:chance(0.3) then options.ignore = { "own" } end
  if r:chance(0.3) then options.breach = { walls = r:pick { 0, 1, 3 } } end
  if r:chance(0.2) then
    local field = astar.field(map.grid)
    for _ = 1, 5 do field:set(r:int(1, map.width), r:int(1, map.height), r:int(-2, 3)) end
    options.avoid, options.avoid_weight = field, r:pick { 1, 2 }
  end
  return options
end

-- What a cell costs a unit of these options, by the map as it was made; without blocks in a square at the start.
local function pricing(map, options, lifted)
  local bars = { [""] = true, walls = not (options.breach or {}).walls, own = not options.ignore }
  return function(x, y)
    local ground, key, block = map.rows[y][x], x .. "," .. y, 0
    local cost = COSTS[ground]
    if options.costs and options.costs[ground] ~= nil then cost = options.costs[ground] end
    for layer, cells in pairs(map.blocks) do
      if cells[key] and bars[layer] and not lifted[key] then return false end
      if cells[key] and layer == "walls" and not bars.walls then block = options.breach.walls end
    end
    return cost, block, math.max(options.avoid and options.avoid:get(x, y) * options.avoid_weight or 0, 0)
  end
end

local function covered_by(map, options, x, y)
  local cells, fits = {}, true
  for row = y, y + (options.size or 1) - 1 do
    for column = x, x + (options.size or 1) - 1 do
      fits = fits and row <= map.height and column <= map.width
      cells[column .. "," .. row] = { column, row }
    end
  end
  return cells, fits
end

-- The oracle's unit, on a map without the blocks under its start that bar it.
local function unit_at(map, finder, options, speed, x, y)
  local cells = covered_by(map, options, x, y)
  local clone, lifted = map.grid:clone(), {}
  for key, cell in pairs(cells) do
    for layer, blocked in pairs(map.blocks) do
      local bars = layer == "" or layer == "walls" and not options.breach or layer == "own" and not options.ignore
      if blocked[key] and bars then
        clone:unblock(cell[1], cell[2], 1, 1, layer)
        lifted[key] = true
      end
    end
  end
  return oracle.unit(clone, finder:with_grid(clone), options, pricing(map, options, lifted), speed)
end

-- ---- a case ----

local function take_all(calendar, list)
  for _, taken in ipairs(list) do
    for _, key in ipairs(taken[1]) do oracle.take(calendar, key, taken[2], taken[3]) end
  end
end

local function ticks_of(time)
  local ticks = math.floor(time * TICKS + 0.5)
  expect(math.abs(ticks - time * TICKS) < 1e-5, "%s is no time of ticks", tostring(time))
  return ticks
end

-- What a timed path takes by the oracle; `tail`: the cells behind the start, the last car's first.
local function taken_by(unit, path, tail, span, stay)
  local cells, arrivals, departures = {}, {}, {}
  for _, cell in ipairs(tail) do cells[#cells + 1] = cell end
  for i = 1, path.count do
    local arrival, departure = path:time(i)
    cells[#cells + 1] = { path:cell(i) }
    arrivals[i] = ticks_of(arrival)
    departures[i] = i < path.count and ticks_of(departure) or nil
  end
  return oracle.taken_by(unit, cells, #tail, arrivals, departures, span, stay)
end

local function reserve_cells(r, case)
  for _ = 1, r:pick { 0, 1, 3, 8 } do
    local x, y = r:int(1, case.map.width), r:int(1, case.map.height)
    local from, options = r:int(0, 60) / TICKS, {}
    options.from, options.to = from, from + r:int(1, 40) / TICKS
    if r:chance(0.15) then options.to = nil elseif r:chance(0.15) then options.from = nil end
    if options.from and options.to and r:chance(0.3) then options.every, options.times = r:int(1, 12), r:int(1, 5) end
    options.open = r:chance(0.2) or nil
    local id, before = case.schedule:reserve_cell(x, y, options), -math.huge
    if r:chance(0.2) then
      case.schedule:release(id)
    else
      for i = 0, (options.times or 1) - 1 do
        local first = (options.from or -math.huge) + i * (options.every or 0)
        local last = (options.to or math.huge) + i * (options.every or 0)
        if options.open then
          if before < first then oracle.take(case.calendar, x .. "," .. y, before * TICKS, first * TICKS) end
          before = math.max(before, last)
        else
          oracle.take(case.calendar, x .. "," .. y, first * TICKS, last * TICKS)
        end
      end
      if options.open and before < math.huge then
        oracle.take(case.calendar, x .. "," .. y, before * TICKS, math.huge)
      end
    end
  end
end

-- The cells behind a start, the nearest first: as far as steps lead back.
local function new_tail(r, unit, x, y, most)
  local tail, cells = {}, { { x, y, sides = {} } }
  for i = 1, most do
    local from = cells[#cells]
    for _ = 1, 12 do
      local dx, dy = r:int(-1, 1), r:int(-1, 1)
      local bx, by = oracle.around(unit, from[1] + dx, from[2] + dy)
      local inside = bx >= 1 and by >= 1 and bx <= unit.x1 and by <= unit.y1
      local is_new = inside and unit.grid:distance(bx, by, from[1], from[2]) == 1
      for _, cell in ipairs(cells) do is_new = is_new and not (cell[1] == bx and cell[2] == by) end
      local diagonal = unit.is_square and dx ~= 0 and dy ~= 0
      if is_new and unit.price(bx, by) and unit.price(from[1], from[2]) and not (diagonal and unit.rule == "never")
        and oracle.may(unit, bx, by, from[1], from[2]) then
        from.sides = oracle.sides(unit, bx, by, from[1], from[2])
        cells[#cells + 1] = { bx, by, sides = {} }
        tail[i] = { bx, by }
        break
      end
    end
    if not tail[i] then break end
  end
  return tail, cells
end

local function tell(question, sx, sy, gx, gy)
  return ("%d,%d to %d,%d at %s speed %s length %s stay %s"):format(sx, sy, gx, gy, tostring(question.at),
    tostring(question.speed), tostring(question.length), tostring(question.stay))
end

-- Asks one question of both, and reserves what comes out of it.
local function ask(r, case)
  local map, options = case.map, new_options(r, case.map)
  local finder = map.grid:finder(options)
  local sx, sy, gx, gy = r:int(1, map.width), r:int(1, map.height), r:int(1, map.width), r:int(1, map.height)
  local question = { at = r:int(0, 40) / TICKS, speed = r:pick { 1, 1, 2 }, stay = r:pick { true, false, 0, 2, 5.25 } }
  local unit = unit_at(map, finder, options, question.speed, sx, sy)
  local tail, cells = {}, { { sx, sy, sides = {} } }
  if not options.size and #map.grid:links() == 0 and map.width * map.height <= 20 and r:chance(0.4) then
    question.length = r:int(2, 4)
    if r:chance(0.5) then tail, cells = new_tail(r, unit, sx, sy, question.length - 1) end
    question.tail = #tail > 0 and tail or nil
  end
  local span = question.length or 1
  local stay = question.stay == true and math.huge or (question.stay or 0) * TICKS
  local _, fits = covered_by(map, options, sx, sy)
  local stands = fits
  for key in pairs(covered_by(map, options, sx, sy)) do
    local x, y = key:match "(%d+),(%d+)"
    stands = stands and unit.price(tonumber(x), tonumber(y)) and true
  end
  local best = stands and oracle.earliest(unit, case.calendar, cells, gx, gy, question.at * TICKS, span, stay)
  local path, reason
  if r:chance(0.5) then
    path, reason = case.schedule:find_path(finder, sx, sy, gx, gy, question)
  else
    local told = { case.schedule }
    for name, value in pairs(question) do told[name] = value end
    path, reason = finder:find_path(sx, sy, gx, gy, { schedule = told })
  end
  local text = tell(question, sx, sy, gx, gy)
  if not path then
    expect(not best, "%s: %s, but one may arrive at %s", text, tostring(reason), best and best / TICKS or "")
    return false
  end
  expect(best, "%s: arrives at %s, but there is no way", text, path.arrival)
  expect(ticks_of(path.arrival) == best, "%s: arrives at %s, could at %s", text, path.arrival, best / TICKS)
  local from_last = {}
  for i = #tail, 1, -1 do from_last[#from_last + 1] = tail[i] end
  for _, link in ipairs(map.grid:links()) do -- of a step or a link to a neighbour it is not told which it takes
    if map.grid:distance(link.x0, link.y0, link.x1, link.y1) == 1 then return true end
  end
  local taken = taken_by(unit, path, from_last, span, stay)
  for _, part in ipairs(taken) do
    local is_free = oracle.is_free(case.calendar, part[1], part[2], part[3])
    expect(is_free, "%s: comes through %s from %s to %s", text,
      part[1][1], part[2] / TICKS, part[3] / TICKS)
  end
  local id = case.schedule:reserve(path)
  expect(id, "%s: what was found cannot be reserved", text)
  if r:chance(0.2) then
    case.schedule:release(id)
  else
    take_all(case.calendar, taken)
  end
  return true
end

-- A path that knows of no schedule, walked all the same.
local function reserve_plain(r, case)
  local map, options = case.map, new_options(r, case.map)
  local finder = map.grid:finder(options)
  local x, y = r:int(1, map.width), r:int(1, map.height)
  local path = finder:find_path(x, y, r:int(1, map.width), r:int(1, map.height))
  local unit = unit_at(map, finder, options, 1, x, y)
  if not path or #map.grid:links() > 0 or not unit.price(path:cell(1)) then return end
  local at, speed, stay = r:int(0, 40) / TICKS, r:pick { 1, 2 }, r:pick { 0, 3 }
  local own = { at = at, speed = speed, stay = stay, finder = finder }
  local ok, id, _, where_x, where_y, since = pcall(case.schedule.reserve, case.schedule, path, own)
  if not ok then return end -- it begins among blocks: the finder has no steps back to where it stood
  local cells, arrivals, departures, tick = {}, {}, {}, at * TICKS
  for i = 1, #path do
    local cell_x, cell_y = path:cell(i)
    cells[i], arrivals[i] = { cell_x, cell_y }, tick
    if i > 1 then
      local dx, dy = cell_x - cells[i - 1][1], cell_y - cells[i - 1][2]
      local length = not map.hex and dx ~= 0 and dy ~= 0 and options.diagonal_cost or 1
      local price, blocks, danger = 0, 0, 0
      for key in pairs(covered_by(map, options, cell_x, cell_y)) do
        local px, py = key:match "(%d+),(%d+)"
        local ground, of_blocks, shunned = unit.price(tonumber(px), tonumber(py))
        price, blocks = math.max(price, ground or 0), math.max(blocks, of_blocks or 0)
        danger = math.max(danger, shunned or 0)
      end
      arrivals[i] = arrivals[i - 1] + (price + blocks + danger) * length * TICKS / speed
      tick = arrivals[i]
      departures[i - 1] = arrivals[i - 1]
    end
  end
  local taken, is_free = oracle.taken_by(unit, cells, 0, arrivals, departures, 1, stay * TICKS), true
  for _, part in ipairs(taken) do
    is_free = is_free and (part[3] <= part[2] or oracle.is_free(case.calendar, part[1], part[2], part[3]))
  end
  expect(is_free == (id ~= nil), "a path that is %s to be reserved is %s", is_free and "" or "not", id and "" or "not")
  if not id then
    own.force = true
    expect(since >= at and where_x and where_y, "where it is taken is not said")
    expect(case.schedule:reserve(path, own), "what is forced is not reserved")
  end
  take_all(case.calendar, taken)
end

local function new_case(seed)
  local r = random.new(seed)
  local map = new_map(r)
  return r, { map = map, schedule = astar.schedule(map.grid), calendar = oracle.calendar() }
end

describe("a route in time", function()
  it("is the route that Dijkstra's algorithm over cells and ticks finds, with all earlier reservations", function()
    local found, none = 0, 0
    for seed = FIRST, FIRST + CASES - 1 do
      local r, case = new_case(seed)
      local ok, problem = pcall(function()
        reserve_cells(r, case)
        for _ = 1, 4 do
          if r:chance(0.3) then reserve_plain(r, case) end
          if ask(r, case) then found = found + 1 else none = none + 1 end
        end
      end)
      if not ok then error(("seed %d: %s\n%s"):format(seed, tostring(problem), case.map.grid:draw()), 0) end
    end
    assert.is_true(found > CASES / 2)
    assert.is_true(none > CASES / 10)
  end)

  it("costs as much as an ordinary path if nothing is reserved, also with blocks under a large unit", function()
    local compared = 0
    for seed = FIRST, FIRST + CASES - 1 do
      local r, case = new_case(seed)
      local map, options = case.map, new_options(r, case.map)
      for _ = 1, r:pick { 0, 3, 9 } do map.grid:block(r:int(1, map.width), r:int(1, map.height), 1, 1, "crates") end
      options.breach = { walls = r:pick { 0, 1, 3 }, crates = r:pick { 0.5, 2, 4 } }
      local finder = map.grid:finder(options)
      for _ = 1, 4 do
        local x, y, gx, gy = r:int(1, map.width), r:int(1, map.height), r:int(1, map.width), r:int(1, map.height)
        local path, timed = finder:find_path(x, y, gx, gy), case.schedule:find_path(finder, x, y, gx, gy)
        expect(not path == not timed, "seed %d: %s, in time %s", seed, tostring(path), tostring(timed))
        if path then
          compared = compared + 1
          expect(math.abs(path.cost - timed.cost) < 1e-6,
            "seed %d: (%d, %d) to (%d, %d) costs %s, in time %s\n%s", seed, x, y,
            gx, gy, path.cost, timed.cost, map.grid:draw())
        end
      end
    end
    assert.is_true(compared > CASES)
  end)

  it("ends with a reason if no route exists, for a train on open ground too", function()
    local grid = astar.grid(200, 200)
    local schedule, finder = astar.schedule(grid), grid:finder()
    for x = 98, 102 do
      for y = 98, 102 do
        if math.max(math.abs(x - 100), math.abs(y - 100)) == 2 then schedule:reserve_cell(x, y, { from = 2 }) end
      end
    end
    local path, reason = schedule:find_path(finder, 1, 1, 100, 100)
    assert.is_nil(path)
    assert.equal("taken", reason)
    path, reason = schedule:find_path(finder, 1, 1, 100, 100, { length = 5 })
    assert.is_nil(path)
    assert.equal("max_expansions", reason)
    path, reason = schedule:find_path(finder, 1, 1, 100, 100, { max_expansions = 100 })
    assert.is_nil(path)
    assert.equal("max_expansions", reason)
  end)

  it("is searched only as far as needed if the goal becomes free late or never", function()
    local grid = astar.grid(200, 200)
    local schedule, finder = astar.schedule(grid), grid:finder()
    schedule:reserve_cell(100, 100, { from = 300, to = 1000 })
    local path = schedule:find_path(finder, 1, 1, 100, 100)
    assert.equal(1001, path.arrival)
    assert.is_true(path.expanded < 500)
    for x = 99, 101 do
      for y = 99, 101 do schedule:reserve_cell(x, y, { from = 2 }) end
    end
    local none, reason = schedule:find_path(finder, 1, 1, 102, 100, { max_expansions = 500 })
    assert.is_truthy(none, reason)
    schedule:reserve_cell(103, 100, { from = 2 })
    for x = 101, 103 do
      schedule:reserve_cell(x, 99, { from = 2 })
      schedule:reserve_cell(x, 101, { from = 2 })
    end
    none, reason = schedule:find_path(finder, 1, 1, 102, 100, { max_expansions = 500 })
    assert.is_nil(none)
    assert.equal("taken", reason)
  end)
end)
