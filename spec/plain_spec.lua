-- The twin in plain Lua: its answers against the C module's, on random maps with options drawn at random.
--
-- ASTAR_MAPS=100000 asks more questions, ASTAR_SEED=7 others, and one seed alone with both.

local astar = require "astar"
local plain = require "astar.plain"
local check = require "spec.support.check"
local process = require "spec.support.process"
local random = require "spec.support.random"
local times = require "spec.support.times"

local QUERIES = times("ASTAR_MAPS", 2000)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

local TERRAINS = {
  { ["."] = 1, ["#"] = false }, { ["."] = 10, ["#"] = false },
  { ["."] = 1, ["#"] = false, r = 0.5, g = 2, s = 5 },
  { ["."] = 1, ["#"] = math.huge, r = 1.1, g = 3.7, s = 1 },
  { ["."] = 10, ["#"] = false, r = 9.5, g = 1000, s = false },
}
local GROUNDS = { "r", "g", "s" }
local LAYERS = { "", "red", "blue" }

local function expect(holds, message, ...)
  if not holds then error(message:format(...), 0) end
end

local function show(options)
  local parts = {}
  for name, value in pairs(options or {}) do
    parts[#parts + 1] = name .. " = " .. (type(value) == "table" and show(value) or tostring(value))
  end
  table.sort(parts)
  return "{ " .. table.concat(parts, ", ") .. " }"
end

-- The same of two numbers but for rounding, of all else the very same.
local function expect_same(expected, got, what)
  if type(expected) == "number" and type(got) == "number" then
    return check.equal_cost(expected, got, what)
  end
  expect(expected == got, "%s: the C module says %s, the twin %s", what, tostring(expected), tostring(got))
end

local function random_cell(r, case)
  return case.x0 + r:int(0, case.width - 1), case.y0 + r:int(0, case.height - 1)
end

-- Makes the same edit of both grids.
local function edit(case, name, ...)
  if name == "unblock" then -- whose layer has to have been named
    for _, grid in ipairs { case.grid, case.twin } do grid:finder { ignore = { (select(3, ...)) } } end
  end
  case.grid[name](case.grid, ...)
  case.twin[name](case.twin, ...)
end

local function edit_at_random(r, case, count)
  for _ = 1, count do
    local x, y = random_cell(r, case)
    local kind = r:int(1, 4)
    if kind == 1 then
      edit(case, "set", x, y, r:pick { ".", "#" })
    elseif kind == 2 then
      edit(case, "unblock", x, y, r:pick(LAYERS))
    else
      local w, h = r:int(1, case.x0 + case.width - x), r:int(1, case.y0 + case.height - y)
      edit(case, "block", x, y, math.min(w, r:int(1, 2)), math.min(h, r:int(1, 2)), r:pick(LAYERS))
    end
  end
end

local function new_case(r, case)
  case.width, case.height = r:sides()
  case.x0, case.y0 = r:pick { 1, 0, -5 }, r:pick { 1, 0, 70 }
  local rows, terrain = r:map(case.width, case.height), r:pick(TERRAINS)
  if terrain.r then r:sow(rows, GROUNDS) end
  local options = { terrain = terrain, origin = { case.x0, case.y0 } }
  case.grid, case.twin, case.terrain = astar.grid(rows, options), plain.grid(rows, options), terrain
  if r:chance(0.6) then edit_at_random(r, case, r:int(1, 6)) end
end

-- A cost that depends on the cell alone.
local function slope(x, y, _, cost)
  local height = (x * 7 + y * 13) % 5
  return height < 4 and cost * (1 + height)
end

local function climb(x, y, nx, ny, cost)
  return (x * 3 + ny) % 7 > 0 and cost * (1 + (nx + y) % 3)
end

local function question_at_random(r, into)
  if r:chance(0.15) then into.weight = r:pick { 1, 1.5, 4 } end
  if r:chance(0.15) then into.max_cost = r:pick { 0, 3, 8, 20, 1000 } end
  if r:chance(0.15) then into.partial = true end
  if r:chance(0.15) then into.range = r:int(1, 4) end
  return into
end

local function options_at_random(r, case)
  local options = question_at_random(r, { diagonals = r:pick(check.RULES) })
  if r:chance(0.4) then options.diagonal_cost = r:pick { 1, 1.4, 1.5, 2 } end
  if r:chance(0.2) then options.size = r:body(2, 3) end
  if r:chance(0.3) then options.ignore = { r:pick(LAYERS) } end
  if r:chance(0.3) then options.heuristic = r:pick(check.HEURISTICS) end
  if r:chance(0.2) and case.terrain.r then options.costs = { [r:pick(GROUNDS)] = r:pick { 0.25, 4, false } } end
  if r:chance(0.1) then options.cost = slope end
  if r:chance(0.1) then options.step_cost = climb end
  if r:chance(0.05) then
    options.heuristic = function(dx, dy) return 0.25 * math.max(dx, dy) end
    options.min_cost = nil
  end
  if r:chance(0.3) then options.algorithm = r:pick { "astar", "dijkstra", "auto" } end
  return options
end

-- Each step of a best path is legal, and a best way between its ends; their sum is its cost: asked of the C module. A
-- blocked start is left by the first step alone, and a large unit may still stand among its own blocks after that.
local function check_route(case, path, options)
  local finder = case.grid:finder {
    diagonals = options.diagonals, diagonal_cost = options.diagonal_cost, size = options.size, ignore = options.ignore,
    costs = options.costs, cost = options.cost, step_cost = options.step_cost, algorithm = "dijkstra",
  }
  local sum, x, y = 0, path:cell(1)
  local is_asked = (options.size or 1) == 1
  for i = 2, #path do
    local nx, ny = path:cell(i)
    expect(math.max(math.abs(nx - x), math.abs(ny - y)) == 1, "cell %d is not beside the one before", i)
    local step, reason = true, nil
    if is_asked then step, reason = finder:find_path(x, y, nx, ny) end
    expect(step, "the step to cell %d is not legal: %s", i, reason)
    sum = sum + (is_asked and step.cost or 0)
    x, y = nx, ny
  end
  expect(not is_asked or math.abs(sum - path.cost) < 1e-6, "the steps cost %s, the path %s", sum, path.cost)
end

local function compare_paths(case, path, reason, twin_path, twin_reason)
  expect_same(path ~= nil, twin_path ~= nil, "whether there is a path (" .. tostring(reason or twin_reason) .. ")")
  if not path then
    return expect_same(reason, twin_reason, "the reason")
  end
  expect_same(path.partial, twin_path.partial, "partial")
  if (case.question.weight or case.options.weight or 1) == 1 then
    expect_same(path.cost, twin_path.cost, "cost")
  end
  expect(twin_path:is_valid(), "the twin's own path is not valid")
  local x, y = twin_path:cell(1)
  expect(x == case.sx and y == case.sy, "the twin's path begins elsewhere")
  if (case.question.weight or case.options.weight or 1) == 1 then check_route(case, twin_path, case.options) end
  check.accessors(twin_path)
end

local kinds = {}

function kinds.find_path(r, case)
  local path, reason = case.finder:find_path(case.sx, case.sy, case.gx, case.gy, case.question)
  local twin_path, twin_reason = case.twin_finder:find_path(case.sx, case.sy, case.gx, case.gy, case.question)
  compare_paths(case, path, reason, twin_path, twin_reason)
  if path and not path.partial and r:chance(0.5) then
    edit_at_random(r, case, 2)
    local repaired, why = case.twin_finder:find_path(case.sx, case.sy, case.gx, case.gy, case.question)
    local best, other = case.finder:find_path(case.sx, case.sy, case.gx, case.gy, case.question)
    compare_paths(case, best, other, repaired, why)
    local fixed = twin_path:repair()
    expect(not fixed or fixed:is_valid(), "a repaired path is not valid")
    expect_same(path:repair { optimal = true } ~= nil, twin_path:repair { optimal = true } ~= nil, "repair")
  end
end

function kinds.in_slices(_, case)
  local path, reason = case.finder:find_path(case.sx, case.sy, case.gx, case.gy, case.question)
  local search = case.twin_finder:search(case.sx, case.sy, case.gx, case.gy, case.question)
  repeat until search:step(3) ~= "running"
  local twin_path, twin_reason = search:path()
  compare_paths(case, path, reason, twin_path, twin_reason)
end

function kinds.find_nearest(r, case)
  local goals = {}
  for i = 1, r:int(0, 4) do goals[i] = { random_cell(r, case) } end
  local path, index = case.finder:find_nearest(case.sx, case.sy, goals, case.question)
  local twin_path, twin_index = case.twin_finder:find_nearest(case.sx, case.sy, goals, case.question)
  compare_paths(case, path, index, twin_path, twin_index)
  if path and (case.question.weight or case.options.weight or 1) == 1 then
    expect_same(index, twin_index, "the index of the goal")
  end
end

function kinds.find_by_function(r, case)
  local divisor = r:int(3, 30)
  local function is_goal(x, y) return (x * 5 + y * 3) % divisor == 0 end
  local path, reason = case.finder:find_nearest(case.sx, case.sy, is_goal, case.question)
  local twin_path, twin_reason = case.twin_finder:find_nearest(case.sx, case.sy, is_goal, case.question)
  compare_paths(case, path, reason, twin_path, twin_reason)
end

local function compare_flows(r, case, flow, twin_flow)
  for _ = 1, 6 do
    local x, y = random_cell(r, case)
    local distance, reason = flow:distance(x, y)
    local twin_distance, twin_reason = twin_flow:distance(x, y)
    expect_same(distance, twin_distance, ("distance of (%d, %d)"):format(x, y))
    expect_same(reason, twin_reason, ("reason at (%d, %d)"):format(x, y))
    local nx, ny = flow:next(x, y)
    local twin_x, twin_y = twin_flow:next(x, y)
    if not (case.options.cost or case.options.step_cost) then
      expect_same(nx, twin_x, ("next of (%d, %d): x"):format(x, y))
      expect_same(ny, twin_y, ("next of (%d, %d): y"):format(x, y))
    end
    local path, twin_path = flow:path(x, y), twin_flow:path(x, y)
    expect_same(path and path.cost, twin_path and twin_path.cost, "cost of a flow's path")
  end
end

function kinds.flow(r, case)
  local goals = {}
  for i = 1, r:int(1, 3) do
    goals[i] = { random_cell(r, case) }
    goals[i][3] = r:chance(0.3) and r:pick { -2, 0, 3 } or nil
  end
  local options = r:chance(0.3) and { max_cost = r:int(2, 20), range = r:int(0, 3) } or nil
  local flow, twin_flow = case.finder:flow(goals, options), case.twin_finder:flow(goals, options)
  compare_flows(r, case, flow, twin_flow)
  if r:chance(0.5) then
    edit_at_random(r, case, 2)
    compare_flows(r, case, flow, twin_flow)
  end
end

function kinds.reach(r, case)
  local most = r:pick { 2, 5, 12, math.huge }
  local flow, twin_flow = case.finder:reach(case.sx, case.sy, most), case.twin_finder:reach(case.sx, case.sy, most)
  compare_flows(r, case, flow, twin_flow)
  local count = 0
  for _ in flow:cells() do count = count + 1 end
  for _ in twin_flow:cells() do count = count - 1 end
  expect_same(0, count, "how many more cells the C module reaches")
end

function kinds.sight(r, case)
  for _ = 1, 4 do
    local x, y = random_cell(r, case)
    local sees, stop_x, stop_y = case.finder:raycast(case.sx, case.sy, x, y)
    local twin_sees, twin_x, twin_y = case.twin_finder:raycast(case.sx, case.sy, x, y)
    expect_same(sees, twin_sees, "raycast")
    expect_same(stop_x, twin_x, "raycast: x")
    expect_same(stop_y, twin_y, "raycast: y")
    expect_same(case.finder:reachable(case.sx, case.sy, x, y), case.twin_finder:reachable(case.sx, case.sy, x, y),
      "reachable")
    expect_same(case.grid:is_walkable(x, y), case.twin:is_walkable(x, y), "is_walkable")
    expect_same(case.grid:get(x, y), case.twin:get(x, y), "get")
  end
  expect_same(case.grid:draw(), case.twin:draw(), "draw")
end

local NAMES = {
  "find_path", "find_path", "find_path", "in_slices", "find_nearest", "find_by_function", "flow", "reach", "sight",
}

local function ask(seed, case)
  local r = random.new(seed)
  new_case(r, case)
  case.options = options_at_random(r, case)
  case.finder, case.twin_finder = case.grid:finder(case.options), case.twin:finder(case.options)
  for _ = 1, 4 do
    case.sx, case.sy = random_cell(r, case)
    if case.grid:is_walkable(case.sx, case.sy) then break end
  end
  case.gx, case.gy = random_cell(r, case)
  case.question, case.kind = r:chance(0.3) and question_at_random(r, {}) or {}, r:pick(NAMES)
  kinds[case.kind](r, case)
end

describe("the implementation in plain Lua", function()
  it("can be distinguished from the C module, and has the same version", function()
    assert.same({ "c", "lua" }, { astar.implementation, plain.implementation })
    assert.equal(astar._VERSION, plain._VERSION)
  end)

  it("raises an error that names the unsupported call and its object", function()
    local grid = plain.grid(9, 9)
    local function lacks(what, misuse)
      assert.equal(what .. " needs the C module of astar; see docs/platforms.md", check.error_of(misuse))
    end
    lacks("any_angle", function() grid:finder { any_angle = true } end)
    lacks("grid:link", function() grid:link(1, 1, 3, 3) end)
    lacks("path:smooth", function() grid:find_path(1, 1, 9, 9):smooth() end)
    lacks("path:breaches", function() grid:find_path(1, 1, 9, 9):breaches() end)
    lacks("walker:dump", function() plain.walker(grid:find_path(1, 1, 9, 9)):dump() end)
    lacks("astar.load_walker", function() plain.load_walker("", grid:finder()) end)
    lacks("astar.load_crowd", function() plain.load_crowd("", grid:finder()) end)
    lacks("field:dump", function() plain.field(grid):dump() end)
    lacks("path:dump", function() grid:find_path(1, 1, 9, 9):dump() end)
    lacks("astar.load_field", function() plain.load_field "" end)
    lacks("astar.load_path", function() plain.load_path("", grid:finder()) end)
    lacks("astar.load_floors", function() plain.load_floors "" end)
    lacks("tower:dump", function() plain.floors({ "..\n.." }):dump() end)
    lacks("finder:blockers", function() grid:finder():blockers(1, 1, 9, 9) end)
    lacks("breach", function() grid:finder { breach = { walls = 1 } } end)
    lacks("astar.graph", function() plain.graph() end)
    lacks('shape "hex"', function() plain.grid(9, 9, { shape = "hex" }) end)
  end)

  it("has each annotated method of its objects, if only to name the C module", function()
    local file = assert(io.open("lua/astar/core.d.lua", "rb"))
    local annotations = file:read "*a"
    file:close()
    local grid = plain.grid(3, 3)
    local finder = grid:finder()
    local path = finder:find_path(1, 1, 3, 3)
    local objects = {
      Grid = grid, Finder = finder, Path = path, Search = finder:search(1, 1, 3, 3), Flow = finder:flow(1, 1),
      Field = plain.field(grid), Queue = plain.queue(), Walker = plain.walker(path), Schedule = plain.schedule(grid),
    }
    local missing = {}
    for class, object in pairs(objects) do
      for name in annotations:gmatch("\nfunction " .. class .. ":([%w_]+)%(") do
        local is_there, method = pcall(function() return object[name] end)
        if not is_there or type(method) ~= "function" then missing[#missing + 1] = class .. ":" .. name end
      end
    end
    assert.same({}, missing)
  end)

  it("returns the line that a walker follows, for drawing", function()
    local grid = plain.grid(9, 9)
    local parts = require "astar.plain.walked_line"(grid:find_path(1, 1, 5, 9), 0.4, grid)
    local points = parts[1]
    assert.same({ 1, 1, 1, 5, 9 }, { #parts, points[1], points[2], points[#points - 1], points[#points] })
  end)

  it("is used if the C core is missing, prints one notice about that, and is contained in the one file", function()
    local code = ([[
      package.path, package.cpath = %q, ""
      local astar, one = require "astar", dofile(arg[1])
      print(astar.implementation, require "astar.plain" == astar, one.grid(5, 5):find_path(1, 1, 5, 1).cost == 4)
      print(select(2, pcall(one.grid, 0)))
    ]]):format(package.path)
    local name = os.tmpname()
    local output, status = process.run_alone("arg = { '" .. name .. "' } " .. code,
      process.interpreter() .. " tools/one_file.lua >" .. name)
    os.remove(name)
    assert.equal(0, status, output)
    assert.equal("astar: module 'astar.core' not found: its twin in plain Lua stands in, see docs/platforms.md\n"
      .. "lua\ttrue\ttrue\nwidth must be an integer from 1 to 16777216, got 0\n", output)
  end)

  it("returns the results of the C module", function()
    for seed = FIRST_SEED, FIRST_SEED + QUERIES - 1 do
      local case = {}
      local ok, problem = pcall(ask, seed, case)
      if not ok then
        error(("seed %d, %s: %s\n(%s, %s) to (%s, %s) with %s, %s\n%s"):format(seed, tostring(case.kind),
          tostring(problem), case.sx, case.sy, case.gx, case.gy, show(case.options), show(case.question),
          case.grid and case.grid:draw() or ""), 0)
      end
    end
  end)
end)
