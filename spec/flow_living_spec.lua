-- Flows that live through edits: whatever was asked of one before, it answers as a fresh one of the same map does,
-- and that as the plainest search there is. On squares and hexagons, with goals that are dear, blocked and free
-- again, links, walls, callbacks, fields, limits; of flows, reaches and flows that flee; in any order of questions,
-- by jobs and packed.

local astar = require "astar"
local check = require "spec.support.check"
local hex_oracle = require "spec.support.hex_oracle"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_CASES", 150)
local FROM = tonumber(os.getenv "ASTAR_SEED") or 1

local TERRAIN = { ["."] = 1, ["#"] = false, s = 3, r = 0.5, d = 40 }
-- With these costs and an exact diagonal cost, flows count in small whole numbers. With a cost of 40 they do not.
local SMALL = { ["."] = 1, ["#"] = false, s = 3, r = 0.5, d = 12 }
local OFFSETS = { "odd_r", "even_r", "odd_q", "even_q" }
local SIDES = { north = { 0, -1 }, east = { 1, 0 }, south = { 0, 1 }, west = { -1, 0 } }
local SIDE_NAMES = { "north", "east", "south", "west" }

local function expect(holds, message, ...)
  if not holds then error(message:format(...), 0) end
end

-- ---- the map, as the oracles have it and as a grid ----

local function new_map(r)
  local is_line = r:chance(0.25)
  local width, height = r:int(1, is_line and 9 or 6), is_line and 1 or r:int(1, 5)
  local rows = r:map(width, height)
  if r:chance(0.5) then r:sow(rows, { "s", "r", "d" }) end
  local map = { offset = r:chance(0.3) and r:pick(OFFSETS) or nil, blocks = {}, doors = {} }
  map.opens_doors = r:chance(0.5)
  map.cells = map.offset and hex_oracle or oracle
  local terrain = r:pick { TERRAIN, SMALL }
  map.world = map.offset and hex_oracle.world(rows, map.offset, { terrain = terrain })
    or oracle.world(rows, { terrain = terrain })
  map.grid = astar.grid(rows, { terrain = terrain, shape = map.offset and "hex", offset = map.offset })
  return map
end

local function random_cell(r, map) return r:int(1, map.world.width), r:int(1, map.world.height) end

-- Blocks a cell or frees it, in the unnamed layer or in that of doors, which units may pass.
local function block(map, x, y, blocked, is_door)
  local cell = map.cells.cell(map.world, x, y)
  map[is_door and "doors" or "blocks"][cell] = blocked or nil
  map.world.blocks[cell] = map.blocks[cell] or map.doors[cell] and not map.opens_doors or nil
  map.grid[blocked and "block" or "unblock"](map.grid, x, y, is_door and "doors" or nil)
end

local function toggle_link(r, map)
  local x, y = random_cell(r, map)
  local nx, ny = random_cell(r, map)
  if x == nx and y == ny then return end
  local from, to = map.cells.cell(map.world, x, y), map.cells.cell(map.world, nx, ny)
  local links = map.world.links
  links[from] = links[from] or {}
  links[from][to] = not links[from][to] and r:pick { 0, 2, 25 } or nil
  if links[from][to] then
    map.grid:link(x, y, nx, ny, { cost = links[from][to], one_way = true })
  else
    map.grid:unlink(x, y, nx, ny, true)
  end
end

local function toggle_wall(r, map)
  local x, y = random_cell(r, map)
  local cell = map.cells.cell(map.world, x, y)
  local name, key
  if map.offset then
    local around = map.world.around[cell]
    if #around == 0 then return end
    name = r:pick(around).direction
    key = name
  else
    name = r:pick(SIDE_NAMES)
    key = ("%d,%d"):format(SIDES[name][1], SIDES[name][2])
  end
  local walls = map.world.walls
  walls[cell] = walls[cell] or {}
  walls[cell][key] = not walls[cell][key] or nil
  map.grid[walls[cell][key] and "wall" or "unwall"](map.grid, x, y, name, true)
end

local function edit(r, map, case)
  local kind = r:int(1, 10)
  local x, y = random_cell(r, map)
  if kind <= 4 then
    local goal = r:pick(case.goals)
    return block(map, goal[1], goal[2], r:chance(0.5), r:chance(0.2))
  end
  if kind <= 7 then return block(map, x, y, r:chance(0.4), r:chance(0.2)) end
  if kind == 8 and case.has_links then return toggle_link(r, map) end
  if kind == 9 and case.has_walls then return toggle_wall(r, map) end
  local avoid = case.options.avoid
  if kind == 10 and avoid and r:chance(0.5) then return avoid:set(x, y, r:pick { 0, 1, 7 }) end
  local key = r:pick { ".", "#", "s", "r", "d" }
  map.world.keys[map.cells.cell(map.world, x, y)] = key
  map.grid:set(x, y, key)
end

-- ---- the oracle ----

local function steps_from(map, options, entry, cell)
  local world = map.world
  if map.offset then return hex_oracle.steps(world, options, entry, cell) end
  local x, y = oracle.position(world, cell)
  local steps = {}
  local function add(nx, ny, cost)
    if cost then steps[#steps + 1] = { cell = oracle.cell(world, nx, ny), cost = cost } end
  end
  for ny = math.max(y - 1, 1), math.min(y + 1, world.height) do
    for nx = math.max(x - 1, 1), math.min(x + 1, world.width) do
      if nx ~= x or ny ~= y then add(nx, ny, oracle.legal_step(world, options, entry, x, y, nx, ny)) end
    end
  end
  for to in pairs(world.links[cell] or {}) do
    local nx, ny = oracle.position(world, to)
    add(nx, ny, oracle.link_step(world, options, entry, x, y, nx, ny))
  end
  return steps
end

-- The distances to the goals of all cells: those that can be entered, then of those where a unit can only stand.
local function distances_of(map, case)
  local world, options = map.world, case.options
  local entry = map.cells.entry_costs(world, options)
  local seeds, distances, steps = {}, {}, {}
  local range, size = options.range or 0, options.size or 1
  -- A range is the distance from the nearest cell that the unit covers, which lies to the south-east of its own.
  local columns = range > 0 and (type(size) == "table" and size[1] or size) or 1
  local lines = range > 0 and (type(size) == "table" and size[2] or size) or 1
  for _, goal in ipairs(case.goals) do
    for y = math.max(goal[2] - range - lines + 1, 1), math.min(goal[2] + range, world.height) do
      for x = math.max(goal[1] - range - columns + 1, 1), math.min(goal[1] + range, world.width) do
        local cell = map.cells.cell(world, x, y)
        seeds[cell] = math.min(seeds[cell] or math.huge, goal[3] or 0)
      end
    end
  end
  for cell = 1, #world.keys do
    steps[cell] = steps_from(map, options, entry, cell)
    distances[cell] = entry[cell] and seeds[cell] or math.huge
  end
  local changed
  repeat -- Bellman and Ford's: until nothing comes nearer
    changed = false
    for cell = 1, #world.keys do
      for _, step in ipairs(entry[cell] and steps[cell] or {}) do
        local way = distances[step.cell] + step.cost
        if way < distances[cell] then distances[cell], changed = way, true end
      end
    end
  until not changed
  local told = {}
  for cell = 1, #world.keys do
    told[cell] = distances[cell]
    if not entry[cell] and map.cells.can_stand(world, options, map.cells.position(world, cell)) then
      told[cell] = seeds[cell] or math.huge
      for _, step in ipairs(steps[cell]) do told[cell] = math.min(told[cell], distances[step.cell] + step.cost) end
    end
  end
  return told
end

local function expect_oracle(map, case, flow)
  for cell, distance in ipairs(distances_of(map, case)) do
    local x, y = map.cells.position(map.world, cell)
    local told, why = flow:distance(x, y)
    if distance > case.limit or distance == math.huge then
      expect(told == nil, "(%d, %d): %s instead of none", x, y, tostring(told))
      expect(why ~= "unreachable" or distance == math.huge, "(%d, %d) is unreachable at %g", x, y, distance)
      expect(why ~= "max_cost" or case.limit < math.huge, "(%d, %d): max_cost without one", x, y)
    else
      expect(told == distance, "(%d, %d): %s instead of %.17g", x, y, tostring(told or why), distance)
    end
  end
end

-- ---- what flows tell ----

local function text_of(...)
  local parts = {}
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    parts[i] = type(value) == "number" and ("%.17g"):format(value) or tostring(value)
  end
  return table.concat(parts, " ")
end

local QUERIES = {
  distance = function(flow, x, y) return text_of(flow:distance(x, y)) end,
  next = function(flow, x, y) return text_of(flow:next(x, y)) end,
  path = function(flow, x, y)
    local path, why = flow:path(x, y)
    if not path then return "none, " .. why end
    local parts = { text_of(path.cost) }
    for cx, cy in path:cells() do parts[#parts + 1] = text_of(cx, cy) end
    return table.concat(parts, ", ")
  end,
}
local ALL, OF_STEPS = { "distance", "next", "path" }, { "next", "path" }

local function cells_of(flow)
  local parts = {}
  for x, y, distance in flow:cells() do parts[#parts + 1] = text_of(x, y, distance) end
  return table.concat(parts, ", ")
end

-- Each makes a flow of the case anew.
local NAMES = { "flow", "steps", "reach", "fleeing", "fleeing twice" }
local KINDS = {
  flow = function(case) return case.finder:flow(case.goals, { max_cost = case.max_cost }) end,
  steps = function(case) return case.finder:flow(case.goals, { max_cost = case.max_cost, steps_only = true }) end,
  reach = function(case) return case.finder:reach(case.goals[1][1], case.goals[1][2], case.max_cost or math.huge) end,
  fleeing = function(case) return case.finder:flow(case.goals, { max_cost = case.max_cost }):flee(-1.5) end,
  ["fleeing twice"] = function(case)
    return case.finder:flow(case.goals, { max_cost = case.max_cost }):flee(-1.5):flee(-1.25)
  end,
}

local function new_case(r, map)
  local options = {}
  if not map.offset then
    options.diagonals, options.diagonal_cost = r:pick(check.RULES), r:pick { 1, 1.25, 1.5, 2 }
    if r:chance(0.2) then options.range = r:int(1, 2) end
    if r:chance(0.15) then options.size = r:body(2, 3) end
  end
  map.grid:block(1, 1, "doors")
  map.grid:unblock(1, 1, "doors")
  if map.opens_doors then options.ignore = { "doors" } end
  if r:chance(0.15) then options.costs = { s = r:pick { false, 1, 7 } } end
  if r:chance(0.15) then
    options.cost = function(x, y, _, cost) return (x * 5 + y) % 9 > 0 and cost + y % 2 end
  end
  if r:chance(0.15) then
    options.step_cost = function(x, y, nx, ny, cost) return (x + 2 * y + nx) % 11 > 0 and cost * (ny > y and 2 or 1) end
    options.min_cost = 0.5
  end
  if r:chance(0.15) then
    options.avoid = astar.field(map.grid)
    options.avoid:set(1, 1, 2)
  end
  local case = { options = options, goals = {}, has_links = r:chance(0.5), has_walls = r:chance(0.4) }
  case.max_cost = r:chance(0.4) and r:pick { 0, 2, 4.5, 6 } or nil
  case.limit = case.max_cost or math.huge
  for i = 1, r:pick { 1, 2, 2, 3, 5 } do
    local x, y = random_cell(r, map)
    case.goals[i] = { x, y, r:pick { 0, 0, 0, 5, 5, 60, -1.5 } }
    if r:chance(0.4) then block(map, x, y, true) end
  end
  case.finder = map.grid:finder(options)
  return case
end

local function expect_alike(map, flow, fresh, names, what)
  for cell = 1, #map.world.keys do
    local x, y = map.cells.position(map.world, cell)
    for _, name in ipairs(names) do
      local told, right = QUERIES[name](flow, x, y), QUERIES[name](fresh, x, y)
      expect(told == right, "%s: %s of (%d, %d) is %s, of a fresh one %s", what, name, x, y, told, right)
    end
  end
end

-- Some questions, so that there is something to remember.
local function ask_a_little(r, map, case, flow, names)
  for _ = 1, r:pick { 0, 1, 3, 10 } do
    local x, y = random_cell(r, map)
    if r:chance(0.5) then
      local goal = r:pick(case.goals)
      x, y = goal[1], goal[2]
    end
    QUERIES[r:pick(names)](flow, x, y)
  end
  if r:chance(0.3) then flow:complete() end
  if r:chance(0.2) then flow:update() end
end

local function complete_in_steps(r, map, case, flow)
  local job, budget = flow:completing(), r:pick { 1, 7, 1000 }
  for _ = 1, 300 do
    if r:chance(0.1) then edit(r, map, case) end
    if job:step(budget) == "done" then return end
  end
  job:close()
end

local function live(r, map, case)
  local living = {}
  for _, kind in ipairs(NAMES) do living[kind] = KINDS[kind](case) end
  for _ = 1, 12 do
    for _, kind in ipairs(NAMES) do
      ask_a_little(r, map, case, living[kind], kind == "steps" and OF_STEPS or ALL)
      if r:chance(0.05) then complete_in_steps(r, map, case, living[kind]) end
    end
    for _ = 1, r:pick { 1, 1, 1, 2, 5 } do edit(r, map, case) end
    if r:chance(0.5) then
      for _, kind in ipairs(NAMES) do
        local fresh, names = KINDS[kind](case), kind == "steps" and OF_STEPS or ALL
        expect_alike(map, living[kind], fresh, names, kind)
        if kind == "flow" then
          expect_oracle(map, case, fresh)
          expect_alike(map, living.steps, fresh, OF_STEPS, "steps only")
          local sliced, packed = KINDS.flow(case), KINDS.steps(case)
          local job = sliced:completing()
          repeat until job:step(r:pick { 1, 2, 30 }) == "done"
          expect_alike(map, sliced, fresh, ALL, "sliced")
          packed:complete()
          expect_alike(map, packed, fresh, OF_STEPS, "packed")
        end
        if kind ~= "steps" then
          expect(cells_of(living[kind]) == cells_of(fresh), "%s: other cells", kind)
        end
      end
    end
  end
end

describe("a flow on a map that is edited", function()
  it("returns the distances of a new flow and of a plain implementation of the rules", function()
    for seed = FROM, FROM + CASES - 1 do
      local r = random.new(seed)
      local map = new_map(r)
      local case = new_case(r, map)
      local ok, problem = pcall(live, r, map, case)
      if not ok then
        local goals = {}
        for i, goal in ipairs(case.goals) do goals[i] = ("{%d,%d,%g}"):format(goal[1], goal[2], goal[3]) end
        error(("seed %d, %s, to %s, %s, limit %g: %s\n%s"):format(seed, map.offset or "squares",
          table.concat(goals, " "), case.options.diagonals or "", case.limit, tostring(problem), map.grid:draw()), 0)
      end
    end
  end)
end)

-- A row of cells: "." ground, "d" that costs 40, "X" blocked, "#" rock; and whatever the shape, the same row.
local SHAPES = { squares = {}, hexagons = { shape = "hex", offset = "odd_r" } }

local function row_of(drawing, shape)
  local grid = astar.grid({ (drawing:gsub("X", ".")) }, {
    terrain = TERRAIN, shape = SHAPES[shape].shape, offset = SHAPES[shape].offset,
  })
  for x = 1, #drawing do
    if drawing:sub(x, x) == "X" then grid:block(x, 1) end
  end
  return grid
end

describe("a flow asked from a blocked cell, while better goals are blocked,", function()
  -- { what, row, goals, x of the unit, what is freed, where it goes then }
  local CASES_OF_GOALS = {
    { "at a dearer goal", "..X.X", { { 3, 1, 5 }, { 5, 1, 0 } }, 3, 5, 4 },
    { "at a goal dearer than all that was reached", "...X" .. ("."):rep(40) .. "X",
      { { 4, 1, 500 }, { 45, 1, 0 } }, 4, 45, 5 },
    { "beside a goal on dear ground", "dX" .. ("."):rep(25) .. "X", { { 1, 1, 0 }, { 28, 1, 0 } }, 2, 28, 3 },
    { "at a goal, to one by a link", "X#..X", { { 1, 1, 50 }, { 5, 1, 0 } }, 1, 5, 3 },
  }
  for shape in pairs(SHAPES) do
    for _, case in ipairs(CASES_OF_GOALS) do
      it("leads to a goal as soon as one goal is free: " .. case[1] .. ", on " .. shape, function()
        local grid = row_of(case[2], shape)
        if case[1]:find "link" then grid:link(1, 1, 3, 1) end
        for _, question in ipairs { "next", "path" } do
          for _, mends in ipairs { "complete", "update", "distance" } do
            local flow = grid:finder():flow(case[3])
            flow:complete()
            QUERIES[question](flow, case[4], 1)
            grid:unblock(case[5], 1)
            if mends == "distance" then flow:distance(2, 1) else flow[mends](flow) end
            assert.equal(case[6], (flow:next(case[4], 1)))
            local path = flow:path(case[4], 1)
            assert.equal(case[5], (path:cell(#path)))
            grid:block(case[5], 1)
            local fresh = grid:finder():flow(case[3])
            assert.equal(QUERIES[question](fresh, case[4], 1), QUERIES[question](flow, case[4], 1))
          end
        end
      end)
    end
  end
end)

describe("the reason of a flow with a limit", function()
  local function whys(grid, goals, x, max_cost, change)
    local function new(options) return grid:finder():flow(goals, options) end
    local living = new { max_cost = max_cost }
    living:distance(x, 1)
    if change then change() end
    local fresh, packed, sliced = new { max_cost = max_cost }, new { max_cost = max_cost, steps_only = true },
      new { max_cost = max_cost }
    packed:complete()
    local job = sliced:completing()
    repeat until job:step(1) == "done"
    local why = select(2, fresh:distance(x, 1))
    for name, flow in pairs { living = living, packed = packed, sliced = sliced } do
      assert.equal(why, select(2, flow:next(x, 1)), name)
    end
    return why
  end

  for shape in pairs(SHAPES) do
    it('is "unreachable" by connected components, even if other cells are beyond the limit, on ' .. shape, function()
      assert.equal("unreachable", whys(row_of("......#.", shape), { { 1, 1 } }, 8, 3))
      assert.equal("max_cost", whys(row_of("......#.", shape), { { 1, 1 } }, 6, 3))
      assert.equal("unreachable", whys(row_of("......#.", shape), { { 1, 1, 9 } }, 8, 3))
      assert.equal("max_cost", whys(row_of("......#.", shape), { { 1, 1, 9 } }, 6, 3))
    end)

    it('is "unreachable" if the search reached every cell or only a one-way link leads away, on ' .. shape, function()
      local grid = row_of("...#...", shape)
      grid:link(3, 1, 5, 1, { one_way = true })
      assert.equal("unreachable", whys(grid, { { 1, 1 } }, 7, 3))
      grid = row_of("....", shape)
      grid:wall(3, 1, "east")
      assert.equal("unreachable", whys(grid, { { 1, 1 } }, 4, 2))
    end)

    it("is max_cost if the route needs a link that costs too much, on " .. shape, function()
      local grid = row_of("...#...", shape)
      grid:link(5, 1, 3, 1, { cost = 9, one_way = true })
      assert.equal("max_cost", whys(grid, { { 1, 1 } }, 7, 3))
    end)

    it("does not depend on cells that were beyond the limit before an edit, on " .. shape, function()
      local grid = row_of("......#.", shape)
      local function close() grid:block(3, 1) end
      assert.equal("unreachable", whys(grid, { { 1, 1 } }, 6, 3, close))
      assert.equal("max_cost", whys(grid, { { 1, 1 } }, 6, 3, function() grid:unblock(3, 1) end))
    end)

    it("does not depend on a route that was too expensive, if another route reaches the cell, on " .. shape, function()
      assert.equal("unreachable", whys(row_of("...d#.", shape), { { 1, 1 }, { 4, 1 } }, 6, 3))
    end)
  end

  it("is the same for all flows that flee from the flow with goals", function()
    for count = 1, 5 do
      local grid = row_of("......#.", "squares")
      local flow = grid:finder():flow({ { 1, 1 } }, { max_cost = 3 })
      for _ = 1, count do flow = flow:flee() end
      assert.equal("max_cost", select(2, flow:distance(6, 1)))
      assert.equal("unreachable", select(2, flow:distance(8, 1)))
      grid:block(3, 1)
      assert.equal("unreachable", select(2, flow:distance(6, 1)))
    end
  end)
end)

describe("the reason why a cell has no distance in a flow with a limit", function()
  it('is "max_cost" exactly if the cell has a distance without the limit, also over diagonal steps', function()
    local beyond, without = 0, 0
    for seed = FROM, FROM + 60 * CASES - 1 do
      local r = random.new(seed)
      local rows = r:map(r:int(2, 4), r:int(2, 4))
      r:sow(rows, { "s", "r" })
      local grid = astar.grid(rows, { terrain = r:pick { TERRAIN, SMALL } })
      local finder = grid:finder { diagonals = r:pick(check.RULES),
        diagonal_cost = r:pick { 1.25, 1.4, 1.5, math.sqrt(2) } }
      local gx, gy, limit = r:int(1, #rows[1]), r:int(1, #rows), r:pick { 0.2, 0.5, 1, 2, 4 }
      local whole, flow = finder:flow(gx, gy), finder:flow(gx, gy, { max_cost = limit })
      if r:chance(0.5) then flow:complete() end
      for y = 1, #rows do
        for x = 1, #rows[1] do
          local distance, why = flow:distance(x, y)
          local best, reason = whole:distance(x, y)
          if not distance then
            local expected = best and "max_cost" or reason
            expect(why == expected, "seed %d: (%d, %d) is %s instead of %s", seed, x, y, why, expected)
            if best then beyond = beyond + 1 else without = without + 1 end
          end
        end
      end
    end
    assert.is_true(beyond > CASES and without > CASES)
  end)
end)

describe("a flow over patches of several terrain costs", function()
  local COSTS = { ["."] = 1, s = 3, r = 0.5, d = 7 }

  local function new_patches(r, width, height)
    local grid = astar.grid(width, height, { terrain = COSTS, fill = "." })
    local side = r:pick { 3, 8, 15 }
    for y = 1, height, side do
      for x = 1, width, side do
        grid:fill(x, y, math.min(side, width - x + 1), math.min(side, height - y + 1), r:pick { ".", "s", "r", "d" })
      end
    end
    for _ = 1, r:pick { 0, 5, 60 } do grid:block(r:int(2, width), r:int(1, height)) end
    return grid
  end

  local function edit_patches(r, grid, width, height)
    local x, y = r:int(2, width - 1), r:int(1, height - 1)
    local kind = r:int(1, 3)
    if kind == 1 then grid:block(x, y, 2, 2)
    elseif kind == 2 then grid:unblock(x, y, 2, 2)
    else grid:fill(x, y, 2, 2, r:pick { ".", "s", "r", "d" }) end
  end

  -- Amid a patch steps are left out and runs followed at once; an edit may part what those led to.
  it("has the distances of a plain Dijkstra search, after edits too", function()
    for seed = 1, 12 do
      local r = random.new(seed)
      local width, height, rule = r:int(20, 60), r:int(15, 40), r:pick(check.RULES)
      local grid = new_patches(r, width, height)
      local gx, gy = r:int(1, width), r:int(1, height)
      local plain = grid:finder { diagonals = rule, algorithm = "dijkstra" }
      local flow = grid:finder({ diagonals = rule }):flow(gx, gy)
      for round = 1, 4 do
        for _ = 1, 12 do
          local x, y = r:int(1, width), r:int(1, height)
          local path = grid:is_walkable(x, y) and grid:is_walkable(gx, gy) and plain:find_path(x, y, gx, gy)
          local distance = path and flow:distance(x, y)
          local message = ("seed %d, round %d, at %d, %d"):format(seed, round, x, y)
          if path then assert.is_true(math.abs(path.cost - distance) < 1e-6, message) end
        end
        edit_patches(r, grid, width, height)
      end
    end
  end)
end)
