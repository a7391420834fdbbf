-- Units that are not square: the option size = {columns, rows}; and units of several cells that avoid fields.
--
-- ASTAR_MAPS=20000 runs more random maps.

local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local IS_TWIN = astar.implementation == "lua"
local in_c = IS_TWIN and pending or it

describe("a unit of w x h cells", function()
  it("covers w columns and h rows from its north-west cell", function()
    local grid = astar.grid(4, 3)
    local wagon, tower = grid:finder { size = { 2, 1 } }, grid:finder { size = { 1, 3 } }
    assert.equal(2, wagon:find_path(1, 3, 3, 3).cost)
    assert.equal("goal blocked", select(2, wagon:find_path(1, 3, 4, 3)))
    assert.equal(3, tower:find_path(1, 1, 4, 1).cost)
    assert.equal("goal blocked", select(2, tower:find_path(1, 1, 4, 2)))
    assert.equal("start blocked", select(2, tower:find_path(1, 2, 1, 1)))
  end)

  it("never turns: a gap one row high lets a unit of one row pass, however long it is", function()
    local grid = astar.grid "....#....\n.........\n....#...."
    assert.equal(6, grid:finder({ size = { 3, 1 } }):find_path(1, 2, 7, 2).cost)
    assert.equal("unreachable", select(2, grid:finder({ size = { 1, 3 } }):find_path(1, 1, 9, 1)))
    assert.equal("unreachable", select(2, grid:finder({ size = { 1, 2 } }):find_path(1, 1, 9, 1)))
  end)

  it("is the same as size = n if both sides are n", function()
    local grid = astar.grid "...#...\n...#...\n.......\n......."
    local pair, square = grid:finder { size = { 2, 2 } }, grid:finder { size = 2 }
    assert.equal(square:find_path(1, 1, 6, 1).cost, pair:find_path(1, 1, 6, 1).cost)
    if not IS_TWIN then assert.equal(2, pair:options().size) end
  end)

  in_c("is returned by finder:options as a new table", function()
    local size = { 2, 1 }
    local finder = astar.grid(4, 4):finder { size = size }
    size[1] = 3
    assert.same({ 2, 1 }, finder:options().size)
    finder:options().size[1] = 4
    assert.same({ 2, 1 }, finder:options().size)
    assert.equal(finder:find_path(1, 1, 3, 4).cost, finder:with_grid(astar.grid(4, 4)):find_path(1, 1, 3, 4).cost)
  end)

  it("ignores blocks on the cells that it covers at its start", function()
    local grid = astar.grid(6, 3)
    grid:block(1, 1, 3, 1)
    assert.equal(3, grid:finder({ size = { 3, 1 } }):find_path(1, 1, 4, 1).cost)
    grid:block(4, 1)
    assert.equal("goal blocked", select(2, grid:finder({ size = { 3, 1 } }):find_path(1, 1, 4, 1)))
  end)

  it("is within range when any covered cell is", function()
    local finder = astar.grid(12, 5):finder { size = { 4, 1 } }
    local path = finder:find_path(1, 3, 9, 3, { range = 1 })
    assert.same({ 5, 3 }, { path:cell(#path) })
    path = finder:find_path(9, 5, 9, 1, { range = 2 })
    assert.same({ 9, 3 }, { path:cell(#path) })
  end)

  in_c("refuses data that was baked for units of another size", function()
    local function new_finder(size) return astar.grid(9, 9):finder { size = size } end
    local finder = new_finder { 2, 1 }
    local saved = finder:bake({ method = "labels", bytes = 2 ^ 26 }):save()
    assert.is_truthy(new_finder({ 2, 1 }):load_baked(saved))
    for _, size in ipairs { { 1, 2 }, { 2, 3 }, 2 } do
      local message = check.error_of(function() new_finder(size):load_baked(saved) end)
      assert.is_true(message:find("another size", 1, true) ~= nil)
    end
  end)

  in_c("is refused by calls that support only square units or units of one cell", function()
    local grid = astar.grid(5, 5)
    local finder = grid:finder { size = { 2, 1 } }
    assert.equal("a crowd cannot honour size { 2, 1 }: its units are squares, as with size = 2",
      check.error_of(function() astar.crowd(finder) end))
    assert.equal("a schedule cannot honour size { 2, 1 }: its units are squares, as with size = 2",
      check.error_of(function() astar.schedule(grid):find_path(finder, 1, 1, 3, 3) end))
    assert.equal("size of a world's finder must be an integer from 1 to 64, got { 1, 2 }: its units are squares, "
      .. "as with size = 2", check.error_of(function()
      astar.world({ terrain = { ["."] = 1 }, load = function() end }):finder { size = { 1, 2 } }
    end))
    assert.equal("blockers cannot honour a size above 1", check.error_of(function() finder:blockers(1, 1, 3, 3) end))
    assert.equal("min_cut cannot honour size or callbacks", check.error_of(function() finder:min_cut(1, 1, 3, 3) end))
    assert.equal("hexagons cannot honour size above 1",
      check.error_of(function() astar.grid(5, 5, { shape = "hex" }):finder { size = { 1, 2 } } end))
    assert.equal("maps that wrap around cannot honour size above 1",
      check.error_of(function() astar.grid(5, 5, { wrap = "x" }):finder { size = { 1, 2 } } end))
  end)
end)

describe("size and avoid", function()
  it("adds the highest danger of the covered cells to the highest cost of ground", function()
    local grid = astar.grid("..s.\n....", { terrain = { ["."] = 1, s = 4 } })
    local danger = astar.field(grid)
    danger:set(3, 2, 10)
    -- The swamp and the danger lie in two cells of the unit, and the unit pays for both.
    assert.equal(1 * (4 + 10), grid:finder({ size = 2, avoid = danger }):find_path(1, 1, 2, 1).cost)
    assert.equal(1 * (4 + 20), grid:finder({ size = 2, avoid = danger, avoid_weight = 2 }):find_path(1, 1, 2, 1).cost)
    assert.equal(4, grid:finder({ size = { 2, 1 }, avoid = danger }):find_path(1, 1, 2, 1).cost)
  end)

  it("passes to a cost function the cost and the danger of the same cell", function()
    local grid = astar.grid("..s.\n....", { terrain = { ["."] = 1, s = 4 } })
    local danger = astar.field(grid)
    danger:set(3, 2, 10)
    local finder = grid:finder { size = 2, avoid = danger, cost = function(_, _, _, cost) return cost end }
    assert.equal(11, finder:find_path(1, 1, 2, 1).cost)
  end)

  it("add up the fields in each cell, and use the highest sum of the cells that the unit covers", function()
    local grid = astar.grid(4, 1)
    local foes, friends = astar.field(grid), astar.field(grid)
    foes:set(2, 1, 5)
    foes:set(3, 1, 4)
    friends:set(2, 1, 3)
    local finder = grid:finder { size = { 2, 1 }, avoid = { { foes, 2 }, { friends, -3 } } }
    -- Cell 2 has 10 - 9, cell 3 has 8.
    assert.equal(9, finder:find_path(1, 1, 2, 1).cost)
    friends:set(3, 1, 2)
    assert.equal(3, finder:find_path(1, 1, 2, 1).cost)
    friends:set(2, 1, 9)
    assert.equal(3, finder:find_path(1, 1, 2, 1).cost)
  end)

  in_c("follow a change of a field in the next query, by every algorithm", function()
    for _, algorithm in ipairs { "auto", "astar", "dijkstra", "jpsw" } do
      local grid = astar.grid(40, 3)
      local danger, other = astar.field(grid), astar.field(grid)
      local wide = grid:finder { size = { 1, 2 }, avoid = danger, algorithm = algorithm }
      local several = grid:finder { avoid = { { danger, 1 }, { other, 1 } }, algorithm = algorithm }
      for i = 0, 20 do
        danger:set(20, 1, i)
        danger:set(20, 2, i)
        danger:set(20, 3, i)
        for _ = 1, 3 do -- later queries of a finder may be answered by shortcuts
          assert.equal(30 + i, wide:find_path(5, 1, 35, 1).cost, algorithm)
          assert.equal(30 + i, several:find_path(5, 1, 35, 1).cost, algorithm)
        end
      end
    end
  end)

  in_c("adds the highest danger and the highest price of a block", function()
    local grid = astar.grid(4, 1)
    local danger = astar.field(grid)
    danger:set(2, 1, 5)
    grid:block(3, 1, 1, 1, "doors")
    local finder = grid:finder { size = { 2, 1 }, avoid = danger, breach = { doors = 7 } }
    assert.equal(1 + 5 + 7, finder:find_path(1, 1, 2, 1).cost)
  end)

  it("add the field's value at the last cell that a unit of 255 cells covers, and not beyond that cell", function()
    local grid = astar.grid(300, 260)
    local danger = astar.field(grid)
    local finder = grid:finder { size = 255, avoid = danger }
    assert.equal(1, finder:find_path(1, 1, 2, 1).cost)
    danger:set(256, 255, 3)
    assert.equal(4, finder:find_path(1, 1, 2, 1).cost)
    danger:set(256, 255, 0)
    danger:set(257, 255, 3)
    assert.equal(1, finder:find_path(1, 1, 2, 1).cost)
  end)
end)

-- ---- random maps ----

local TERRAIN = { ["."] = 1, ["#"] = false, s = 2, r = 0.5 }

-- Sums of several fields have single precision, so their values are multiples of a half here.
local function random_danger(r, field, width, height, is_exact)
  for _ = 1, r:int(1, 6) do
    local x, y = r:int(1, width), r:int(1, height)
    if is_exact or r:chance(0.7) then field:set(x, y, r:pick { 0, 1, 2.5, 20 })
    else field:stamp(x, y, r:int(0, 3), r:pick { 1, 4 }) end
  end
end

local function new_case(seed)
  local r = random.new(seed)
  local width, height = r:int(3, 24), r:int(3, 24)
  local rows = r:chance(0.5) and r:scatter(width, height, r:pick { 0, 0.05, 0.15 }) or r:map(width, height)
  if r:chance(0.6) then r:sow(rows, { "s", "r" }) end
  local world = oracle.world(rows, { terrain = TERRAIN })
  local rules = { size = r:body(1, 4), diagonals = r:pick(check.RULES) }
  rules.diagonal_cost = r:pick { math.sqrt(2), 1, 1.5, 2 }
  if r:chance(0.2) then rules.costs = { s = r:pick { 0.25, 7, false } } end
  local case = { r = r, world = world, grid = maps.grid(world), rules = rules, width = width, height = height }
  local field = astar.field(case.grid)
  case.fields = { field }
  if r:chance(0.4) then
    rules.avoid, rules.avoid_weight = field, r:pick { 1, 0.25, 3 }
  elseif r:chance(0.5) then
    case.fields[2] = astar.field(case.grid)
    rules.avoid = { { field, r:pick { 1, 2 } }, { case.fields[2], r:pick { -1, 0.5 } } }
  end
  if r:chance(0.15) then
    rules.cost = function(x, y, _, cost) return (x * 5 + y) % 11 > 0 and cost + (x + y) % 3 end
  end
  if r:chance(0.15) then
    rules.step_cost = function(x, y, nx, ny, cost) return (x + 3 * y + nx) % 17 > 0 and cost * (ny > y and 2 or 1) end
  end
  case.finders = {}
  for _, algorithm in ipairs(IS_TWIN and { "auto", "astar", "dijkstra" } or check.ALGORITHMS) do
    local options = {}
    for name, value in pairs(rules) do options[name] = value end
    options.algorithm = algorithm
    if check.honours(algorithm, rules) then case.finders[algorithm] = case.grid:finder(options) end
  end
  return case
end

local function edit(case)
  local r, world, grid = case.r, case.world, case.grid
  local x, y = r:int(1, case.width), r:int(1, case.height)
  local kind = r:int(1, 3)
  if kind == 1 then
    local key = r:pick { ".", "#", "s", "r" }
    world.keys[oracle.cell(world, x, y)] = key
    grid:set(x, y, key)
  elseif kind == 2 then
    local cell = oracle.cell(world, x, y)
    world.blocks[cell] = not world.blocks[cell] or nil
    if world.blocks[cell] then grid:block(x, y) else grid:unblock(x, y) end
  else
    random_danger(r, r:pick(case.fields), case.width, case.height, #case.fields > 1)
  end
end

local function expect(holds, message, ...)
  if not holds then error(message:format(...), 0) end
end

local function is_plain(case) return not case.rules.cost and not case.rules.step_cost end

local function compare_paths(case, sx, sy, distances, entry)
  local r, world, rules = case.r, case.world, case.rules
  for _, name in ipairs(check.ALGORITHMS) do
    local finder = case.finders[name]
    local is_fit = finder and (name ~= "jps" or check.honours(name, rules, world))
    for _ = 1, is_fit and 3 or 0 do
      local gx, gy = r:int(1, case.width), r:int(1, case.height)
      local path, reason = finder:find_path(sx, sy, gx, gy)
      local refusal = oracle.refusal(world, rules, entry, sx, sy, gx, gy)
      local best = not refusal and distances[oracle.cell(world, gx, gy)]
      expect((path ~= nil) == (best and true or false), "%s to (%d, %d): %s", name, gx, gy, tostring(reason))
      if best then
        check.equal_cost(best, path.cost, name)
        check.path(path, { world = world, rules = rules, sx = sx, sy = sy, gx = gx, gy = gy, entry = entry })
        if is_plain(case) then check.equal_cost(best, (finder:cost_of(path)), name .. ", cost_of") end
      end
      local range = r:int(1, 3)
      if name ~= "jps" and name ~= "jpsw" then
        path = finder:find_path(sx, sy, gx, gy, { range = range })
        best = oracle.can_stand(world, rules, sx, sy) and oracle.within(world, rules, distances, gx, gy, range)
        expect((path ~= nil) == (best and true or false), "%s within %d of (%d, %d)", name, range, gx, gy)
        if best then check.equal_cost(best, path.cost, name .. " within a range") end
      end
    end
  end
end

-- Compares floods, which serve many starts or goals. They start at cells without blocks of the unit's own.
local function compare_floods(case, sx, sy, distances)
  local r, world, rules, finder = case.r, case.world, case.rules, case.finders.auto
  if not oracle.entry_costs(world, rules)[oracle.cell(world, sx, sy)] then return end
  local most = r:pick { 3, 8, 1000 }
  local cells, count = finder:reach(sx, sy, most), 0
  for x, y, cost in cells:cells() do
    check.equal_cost(distances[oracle.cell(world, x, y)] or math.huge, cost, "reach")
    count = count + 1
  end
  for _, cost in pairs(distances) do
    local margin = 1e-9 * math.max(1, most)
    if cost <= most - margin then count = count - 1 elseif cost <= most + margin then return end
  end
  expect(count == 0, "reach has %d cells too many", count)
  local goals = {}
  for i = 1, r:int(1, 4) do goals[i] = { r:int(1, case.width), r:int(1, case.height) } end
  local best = math.huge
  for _, goal in ipairs(goals) do best = math.min(best, distances[oracle.cell(world, goal[1], goal[2])] or best) end
  local path = finder:find_nearest(sx, sy, goals)
  expect((path ~= nil) == (best < math.huge), "find_nearest")
  if path then check.equal_cost(best, path.cost, "find_nearest") end
  local flow = finder:flow(goals)
  local distance = flow:distance(sx, sy)
  expect((distance ~= nil) == (best < math.huge), "flow:distance %s, best %s", tostring(distance), best)
  if distance then check.equal_cost(best, distance, "flow:distance") end
  if IS_TWIN then return end
  local row = finder:matrix({ { sx, sy } }, goals)[1]
  for i, goal in ipairs(goals) do
    local cost = distances[oracle.cell(world, goal[1], goal[2])]
    expect((row[i] and row[i] < math.huge or false) == (cost ~= nil), "matrix to goal %d: %s", i, tostring(row[i]))
    if cost then check.equal_cost(cost, row[i], "matrix") end
  end
end

describe("random maps", function()
  it("have the best routes of bodies of all sizes, with edits and changes of fields between the queries", function()
    local wide, paths = 0, 0
    for seed = 1, times("ASTAR_MAPS", 200) do
      local case = new_case(seed)
      local columns, rows = oracle.body(case.rules)
      wide = wide + (columns ~= rows and 1 or 0)
      local ok, problem = pcall(function()
        for _ = 1, 3 do
          for _ = 1, case.r:int(1, 3) do edit(case) end
          local sx, sy = case.r:int(1, case.width), case.r:int(1, case.height)
          local distances, entry = oracle.distances(case.world, case.rules, sx, sy)
          if not oracle.can_stand(case.world, case.rules, sx, sy) then distances = {} end
          for _ in pairs(distances) do paths = paths + 1 end
          compare_paths(case, sx, sy, distances, entry)
          compare_floods(case, sx, sy, distances)
        end
      end)
      if not ok then
        error(("map seed %d: %s\nsize %d x %d, %s, diagonal_cost %s\n%s"):format(seed, tostring(problem), columns, rows,
          case.rules.diagonals, case.rules.diagonal_cost, maps.describe(case.world)), 0)
      end
    end
    assert.is_true(wide > 0 and paths > 0)
  end)
end)
