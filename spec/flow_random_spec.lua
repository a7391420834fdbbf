-- Flow fields with goals that have values and a range, over links that cost nothing, against Dijkstra's
-- algorithm from every cell: distances to the last bit, and where units go, in the stated order.

local check = require "spec.support.check"
local layers = require "spec.support.layers"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_CASES", 250)
local FROM = tonumber(os.getenv "ASTAR_SEED") or 1

local TERRAIN = { terrain = { ["."] = 1, ["#"] = false, s = 3, r = 0.5 } }

-- Of equally good steps the diagonal ones come first, then clockwise from north.
local ORDER = {
  { 1, -1 }, { 1, 1 }, { -1, 1 }, { -1, -1 }, { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 },
}

local function expect(holds, message, ...)
  if not holds then error(message:format(...), 0) end
end

local function plain_step(_, _, _, _, cost) return cost end

local function add_free_links(r, world)
  local cells = world.width * world.height
  for _ = 1, cells > 1 and r:pick { 1, 4, 12, 30 } or 0 do
    local from, to = r:int(1, cells), r:int(1, cells)
    if from ~= to then
      world.links[from] = world.links[from] or {}
      world.links[from][to] = 0
      if r:chance(0.5) then
        world.links[to] = world.links[to] or {}
        world.links[to][from] = 0
      end
    end
  end
end

local function new_case(r)
  local width, height = r:int(1, 9), r:int(1, 8)
  local rows = r:map(width, height)
  if r:chance(0.4) then r:sow(rows, { "s", "r" }) end
  local world = oracle.world(rows, TERRAIN)
  if r:chance(0.2) then layers.add_links(r, world) end
  if r:chance(0.6) then add_free_links(r, world) end
  if r:chance(0.2) then layers.add_walls(r, world) end
  -- Lengths whose sums are exact, so that what is equal compares equal.
  local options = { diagonals = r:pick(check.RULES), diagonal_cost = r:pick { 1, 1.25, 1.5, 2 } }
  if r:chance(0.5) then options.range = r:pick { 1, 2, 4, 50 } end
  if r:chance(0.3) then options.size = r:body(2, 4) end
  if r:chance(0.3) then options.step_cost, options.min_cost = plain_step, 0.5 end
  local case = { world = world, grid = maps.grid(world), options = options, goals = {} }
  for i = 1, r:pick { 1, 1, 2, 5, 30 } do
    case.goals[i] = { r:int(1, width), r:int(1, height), r:pick { 0, 0, 0, 2, -1.5, 7 } }
  end
  return case
end

-- What cells are worth as goals: the least value of those within range.
local function seeds_of(case)
  local world, range, seeds = case.world, case.options.range or 0, {}
  for cell = 1, #world.keys do
    local x, y = oracle.position(world, cell)
    for _, goal in ipairs(case.goals) do
      local away = oracle.away(case.options, range, x, y, goal[1], goal[2])
      if away <= range and case.entry[cell] then
        seeds[cell] = math.min(seeds[cell] or math.huge, goal[3])
      end
    end
  end
  return seeds
end

-- The least over all goals of the way from each cell that can be entered.
local function distances_of(case)
  local distances = {}
  for from = 1, #case.world.keys do
    if case.entry[from] then
      local x, y = oracle.position(case.world, from)
      for cell, cost in pairs((oracle.distances(case.world, case.options, x, y))) do
        local seed = case.seeds[cell]
        if seed and (not distances[from] or cost + seed < distances[from]) then
          distances[from] = cost + seed
        end
      end
    end
  end
  return distances
end

-- Where a unit goes on from a cell, nil where only links lead on.
local function next_by_steps(case, cell)
  local x, y = oracle.position(case.world, cell)
  if case.seeds[cell] == case.distances[cell] then return x, y end
  for _, step in ipairs(ORDER) do
    local nx, ny = x + step[1], y + step[2]
    local cost = oracle.legal_step(case.world, case.options, case.entry, x, y, nx, ny)
    local on = cost and case.distances[oracle.cell(case.world, nx, ny)]
    if on and on + cost == case.distances[cell] then return nx, ny end
  end
end

local function expect_next(case, flow, cell)
  local x, y = oracle.position(case.world, cell)
  local nx, ny = flow:next(x, y)
  local right_x, right_y = next_by_steps(case, cell)
  if right_x then
    expect(nx == right_x and ny == right_y, "(%d, %d) leads to (%s, %s) instead of (%d, %d)", x, y,
      tostring(nx), tostring(ny), right_x, right_y)
    return
  end
  local cost = oracle.link_step(case.world, case.options, case.entry, x, y, nx, ny)
  expect(cost and case.distances[oracle.cell(case.world, nx, ny)] + cost == case.distances[cell],
    "(%d, %d) leads to (%d, %d)", x, y, nx, ny)
end

local function expect_way(case, flow, cell)
  local x, y = oracle.position(case.world, cell)
  local steps = 0
  repeat
    local from_x, from_y = x, y
    x, y = flow:next(x, y)
    steps = steps + 1
    expect(steps <= #case.world.keys, "units go round in circles")
  until x == from_x and y == from_y
  local path = flow:path(oracle.position(case.world, cell))
  expect(path.cost == case.distances[cell] - case.seeds[oracle.cell(case.world, x, y)], "a path's cost")
end

local function expect_flow(case)
  case.entry = oracle.entry_costs(case.world, case.options)
  case.seeds = seeds_of(case)
  case.distances = distances_of(case)
  local flow, count = case.grid:finder(case.options):flow(case.goals), 0
  for x, y, distance in flow:cells() do
    local right = case.distances[oracle.cell(case.world, x, y)]
    expect(distance == right, "(%d, %d): %.17g instead of %s", x, y, distance, tostring(right))
    expect(flow:distance(x, y) == right, "(%d, %d): another distance by itself", x, y)
    count = count + 1
  end
  for cell in pairs(case.distances) do
    expect_next(case, flow, cell)
    expect_way(case, flow, cell)
    count = count - 1
  end
  expect(count == 0, "%d cells too many", count)
  local steps = case.grid:finder(case.options):flow(case.goals, { steps_only = true })
  steps:complete()
  for cell in pairs(case.distances) do
    expect_next(case, steps, cell)
    expect_way(case, steps, cell)
  end
end

describe("a flow", function()
  it("returns exact distances and the first of equally good steps, over links of cost 0, too", function()
    for seed = FROM, FROM + CASES - 1 do
      local r = random.new(seed)
      local case = new_case(r)
      local ok, problem = pcall(expect_flow, case)
      if not ok then
        local goals = {}
        for i, goal in ipairs(case.goals) do goals[i] = ("{%d,%d,%g}"):format(goal[1], goal[2], goal[3]) end
        error(("seed %d, to %s, range %d, %s, %g: %s\n%s"):format(seed, table.concat(goals, " "),
          case.options.range or 0, case.options.diagonals, case.options.diagonal_cost, tostring(problem),
          maps.describe(case.world)), 0)
      end
    end
  end)
end)
