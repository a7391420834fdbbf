-- Random links, walls and fields, alone and together: every question against the oracle.
--
-- ASTAR_MAPS=100000 runs more maps, ASTAR_SEED=7 others, as for differential_spec.lua.

local check = require "spec.support.check"
local layers = require "spec.support.layers"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 1500)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

local TERRAINS = {
  { ["."] = 1, ["#"] = false },
  { ["."] = 1, ["#"] = false, r = 0.5, g = 3 },
  { ["."] = 10, ["#"] = false, r = 9, g = 1000 },
}

local function random_world(r)
  local width, height = r:sides()
  local terrain = r:pick(TERRAINS)
  local rows = r:map(width, height)
  if terrain.r and r:chance(0.7) then r:sow(rows, { "r", "g" }) end
  local world = oracle.world(rows, { terrain = terrain, origin = r:pick { { 1, 1 }, { -5, 70 } } })
  if r:chance(0.2) then
    for cell = 1, width * height do world.blocks[cell] = r:chance(0.1) or nil end
  end
  return world
end

local function random_cell(r, world)
  return world.x0 + r:int(0, world.width - 1), world.y0 + r:int(0, world.height - 1)
end

local function describe_links_and_walls(world)
  local parts = {}
  for from, links in pairs(world.links) do
    for to, cost in pairs(links) do parts[#parts + 1] = ("%d->%d: %s"):format(from, to, cost) end
  end
  for cell, walls in pairs(world.walls) do
    for step in pairs(walls) do parts[#parts + 1] = ("%d|%s"):format(cell, step) end
  end
  return table.concat(parts, "; ", 1, math.min(#parts, 60))
end

-- What it costs to go from the i-th cell of a path to the j-th: by a step, over a link; nil where that is not legal.
local function ways_between(case, path, i, j)
  local x, y = path:cell(i)
  local nx, ny = path:cell(j)
  return oracle.legal_step(case.world, case.rules, case.entry, x, y, nx, ny),
    oracle.link_step(case.world, case.rules, case.entry, x, y, nx, ny)
end

-- The way back leads from cell to cell by a step or over a link, whichever is cheaper, and costs that.
local function check_back(case, path)
  local back, sum = path:reverse(), 0
  -- A block on the cell where the way back begins is ignored, as it may be the unit itself.
  local last_x, last_y = path:cell(#path)
  case = { world = case.world, rules = case.rules,
    entry = oracle.entry_costs(case.world, case.rules, last_x, last_y, true) }
  assert.equal(#path, #back)
  for i = 1, #path do
    local x, y = path:cell(i)
    local bx, by = back:cell(#path + 1 - i)
    assert(x == bx and y == by, "not the same cells")
  end
  for i = 1, #path - 1 do
    local step, link = ways_between(case, path, i + 1, i)
    local by_link = path:link(i) ~= nil
    if step and link and step ~= link then by_link = link < step
    elseif step and not link or link and not step then by_link = not step end
    sum = sum + (step or link or math.huge)
    if link and step and link < step then sum = sum - step + link end
    if step or link then assert.equal(by_link, back:link(#path - i) ~= nil, "over a link") end
  end
  check.equal_cost(sum, back.cost, "the way back")
  if sum < math.huge then
    check.cost(back, case)
    assert.is_true(back:is_valid())
  end
end

local function has_link(case, path, i)
  local links = case.world.links[oracle.cell(case.world, path:cell(i))]
  return links and links[oracle.cell(case.world, path:cell(i + 1))]
end

-- The first cell that cannot be come to along a path, by the oracle: over a link that is gone a step leads, too.
local function first_bad(case, path)
  if not oracle.can_stand(case.world, case.rules, path:cell(1)) then return 1 end
  for i = 1, #path - 1 do
    local step, link = ways_between(case, path, i, i + 1)
    if path:link(i) then step = link or not has_link(case, path, i) and step end
    if not step then return i + 1 end
  end
end

-- 'body(r, case)' on 'share' of the maps, each with 'add' done to its world.
local salt = 0
local function it_on_maps(name, share, add, body)
  salt = salt + 7000001
  local own_salt = salt
  it(name, function()
    for seed = FIRST_SEED, FIRST_SEED + math.ceil(MAPS * share) - 1 do
      local r = random.new(seed + own_salt)
      local case = { world = random_world(r) }
      case.rules = { diagonals = r:pick(check.RULES), diagonal_cost = r:pick { math.sqrt(2), 1.4, 1, 2 } }
      add(r, case.world, case.rules)
      case.sx, case.sy = random_cell(r, case.world)
      case.gx, case.gy = random_cell(r, case.world)
      case.grid = maps.grid(case.world)
      case.distances, case.entry = oracle.distances(case.world, case.rules, case.sx, case.sy)
      case.refusal = oracle.refusal(case.world, case.rules, case.entry, case.sx, case.sy, case.gx, case.gy)
      case.best = case.distances[oracle.cell(case.world, case.gx, case.gy)]
      local ok, problem = pcall(body, r, case)
      if not ok then
        error(("map seed %d: %s\n(%s, %s) to (%s, %s), origin (%d, %d), %s, diagonal_cost %s, %s\n%s"):format(
          seed, tostring(problem), case.sx, case.sy, case.gx, case.gy, case.world.x0, case.world.y0,
          case.rules.diagonals, case.rules.diagonal_cost, describe_links_and_walls(case.world),
          maps.describe(case.world)), 0)
      end
    end
  end)
end

local function add_links(r, world) layers.add_links(r, world) end
local function add_walls(r, world) layers.add_walls(r, world) end
-- Links between neighbours, walls one way, and step_cost.
local function add_near(r, world, rules)
  layers.add_walls(r, world)
  for cell = 1, world.width * world.height do
    if r:chance(0.3) then
      local x, y = oracle.position(world, cell)
      local nx, ny = x + r:int(-1, 1), y + r:int(-1, 1)
      local is_inside = nx >= world.x0 and ny >= world.y0 and nx < world.x0 + world.width
        and ny < world.y0 + world.height
      if is_inside and (nx ~= x or ny ~= y) then
        world.links[cell] = world.links[cell] or {}
        world.links[cell][oracle.cell(world, nx, ny)] = r:pick { 0, 0.5, 1, 1, math.sqrt(2), 3 }
      end
    end
  end
  if r:chance(0.3) then
    rules.step_cost = function(x, y, nx, ny, cost)
      if (x * 7 + y * 5 + nx * 3 + ny) % 13 == 0 then return nil end
      return (nx + ny) % 3 == 0 and cost * 2 or cost
    end
  end
end

-- Takes a link or a wall at a cell of the path away, or puts one there.
local function change_near(r, case, path)
  local world, i = case.world, r:int(1, #path)
  local x, y = path:cell(i)
  local cell, way = oracle.cell(world, x, y), r:int(1, 4)
  if way == 1 then
    for to in pairs(world.links[cell] or {}) do case.grid:unlink(x, y, oracle.position(world, to)) end
    for to in pairs(world.links[cell] or {}) do
      if world.links[to] then world.links[to][cell] = nil end
    end
    world.links[cell] = nil
  elseif way == 2 and i < #path then
    local nx, ny = path:cell(i + 1)
    local to = oracle.cell(world, nx, ny)
    case.grid:link(x, y, nx, ny, { cost = 0.5, one_way = true, label = cell .. " to " .. to })
    world.links[cell] = world.links[cell] or {}
    world.links[cell][to] = 0.5
  elseif way == 3 then
    world.walls[cell] = world.walls[cell] or {}
    world.walls[cell]["1,0"] = true
    case.grid:wall(x, y, "east", true)
  elseif i > 1 then
    world.blocks[cell] = true
    case.grid:block(x, y)
  end
end

local function add_some(r, world, rules)
  if r:chance(0.7) then layers.add_links(r, world) end
  if r:chance(0.7) then layers.add_walls(r, world) end
  if r:chance(0.4) then rules.avoid = layers.field(r, world) end
end

local function copy(rules, more)
  local options = {}
  for name, value in pairs(rules) do options[name] = value end
  for name, value in pairs(more) do options[name] = value end
  return options
end

local function query_of(case)
  return {
    world = case.world, rules = case.rules, entry = case.entry, sx = case.sx, sy = case.sy,
    gx = case.gx, gy = case.gy,
  }
end

local function check_found(case, path, reason, what)
  if case.refusal or not case.best then
    assert(path == nil, what .. ": expected no path")
    assert.equal(case.refusal or "unreachable", reason, what)
    return
  end
  assert(path, what .. ": " .. tostring(reason))
  check.equal_cost(case.best, path.cost, what)
  check.path(path, query_of(case))
end

local function check_algorithms(_, case)
  for _, algorithm in ipairs(check.algorithms(case.rules, case.world)) do
    local options = copy(case.rules, { algorithm = algorithm })
    local path, reason = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, options)
    check_found(case, path, reason, algorithm)
  end
  for _, heuristic in ipairs(check.HEURISTICS) do
    local options = copy(case.rules, { heuristic = heuristic })
    local path, reason = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, options)
    check_found(case, path, reason, heuristic)
  end
end

describe("routes are best", function()
  it_on_maps("over links", 0.2, add_links, check_algorithms)
  it_on_maps("past walls", 0.2, add_walls, check_algorithms)
  it_on_maps("over links, past walls and through fields", 0.2, add_some, check_algorithms)

  it_on_maps("if callbacks return the costs", 0.1, add_some, function(r, case)
    local salt_of_cells, shut = r:int(1, 1000), r:int(0, 12)
    case.rules.cost = function(x, y, _, cost)
      local number = (x * 31 + y * 17 + salt_of_cells) % 13
      if number < shut / 4 then return false end
      return cost * (1 + number)
    end
    if r:chance(0.5) then
      case.rules.step_cost = function(x, y, nx, ny, cost)
        if (x * 7 + y * 5 + nx * 3 + ny) % 11 == 0 then return nil end
        return nx < x and cost * 2 or cost
      end
    end
    case.distances, case.entry = oracle.distances(case.world, case.rules, case.sx, case.sy)
    case.refusal = oracle.refusal(case.world, case.rules, case.entry, case.sx, case.sy, case.gx, case.gy)
    case.best = case.distances[oracle.cell(case.world, case.gx, case.gy)]
    for _, algorithm in ipairs { "astar", "dijkstra" } do
      local options = copy(case.rules, { algorithm = algorithm })
      local path, reason = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, options)
      -- The callback is not asked about a goal that no way leads to.
      if case.refusal == "goal blocked" and reason == "unreachable" then reason = "goal blocked" end
      check_found(case, path, reason, algorithm .. " with callbacks")
      assert.equal(case.best ~= nil and not case.refusal,
        case.grid:finder(options):reachable(case.sx, case.sy, case.gx, case.gy), "reachable")
    end
  end)
end)

describe("with links, walls and fields", function()
  it_on_maps("reachable returns whether a route exists", 0.3, add_some, function(_, case)
    local finder = case.grid:finder(case.rules)
    local expected = not case.refusal and case.best ~= nil
    assert.equal(expected, finder:reachable(case.sx, case.sy, case.gx, case.gy))
  end)

  it_on_maps("a partial path leads to the nearest cell", 0.2, add_some, function(_, case)
    if case.refusal == "start blocked" then return end
    local options = copy(case.rules, { partial = true })
    local path = assert(case.grid:find_path(case.sx, case.sy, case.gx, case.gy, options))
    local there = not case.refusal and case.best ~= nil
    assert.equal(not there, path.partial)
    if there then
      check.equal_cost(case.best, path.cost, "partial")
    else
      local distance, cost = oracle.nearest(case.world, case.rules, case.distances, case.gx, case.gy)
      local x, y = path:cell(#path)
      check.equal_cost(distance, oracle.ground_distance(case.rules, x, y, case.gx, case.gy), "distance")
      check.equal_cost(cost, path.cost, "cost of the nearest cell")
    end
  end)

  it_on_maps("a path leads within range of the goal", 0.1, add_some, function(r, case)
    if case.refusal == "start blocked" then return end
    local range = r:int(1, 4)
    local options = copy(case.rules, { range = range })
    local path, reason = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, options)
    local best = oracle.within(case.world, case.rules, case.distances, case.gx, case.gy, range)
    if best then
      check.equal_cost(best, assert(path, reason).cost, "range")
    else
      assert.equal("unreachable", reason)
    end
  end)

  it_on_maps("max_cost is an exact limit", 0.1, add_some, function(r, case)
    if case.refusal or not case.best then return end
    for _, algorithm in ipairs { "astar" } do
      local limit = case.best * r:pick { 0.5, 0.999, 1, 1.5 }
      local options = copy(case.rules, { max_cost = limit, algorithm = algorithm })
      local path, reason = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, options)
      if limit >= case.best then
        check.equal_cost(case.best, assert(path, reason).cost, "max_cost")
      else
        assert.equal("max_cost", reason)
      end
    end
  end)

  it_on_maps("a weight limits the cost of the path", 0.1, add_some, function(r, case)
    if case.refusal or not case.best then return end
    local options = copy(case.rules, { weight = r:pick { 1.5, 3, 100 } })
    local path, reason = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, options)
    check.route(assert(path, reason), query_of(case))
    assert.is_true(path.cost <= case.best * options.weight * (1 + 1e-9))
  end)

  it_on_maps("smoothed and reversed paths consist of legal steps", 0.2, add_some, function(_, case)
    local path = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, case.rules)
    if not path then return end
    local smooth = path:smooth()
    assert.is_true(smooth.cost <= path.cost * (1 + 1e-9), "smooth is dearer")
    local question = query_of(case)
    check.cost(smooth, question)
    local links, smooth_links = {}, {}
    for i = 1, #path do links[#links + 1] = path:link(i) end
    for i = 1, #smooth do smooth_links[#smooth_links + 1] = smooth:link(i) end
    assert.same(links, smooth_links)
    check_back(case, path)
    check_back(case, smooth)
  end)

  it_on_maps("methods of a path use the present links and walls", 0.4, add_near, function(r, case)
    local path = case.grid:find_path(case.sx, case.sy, case.gx, case.gy, case.rules)
    if not path then return end
    check_back(case, path)
    for _ = 1, r:int(0, 3) do change_near(r, case, path) end
    case.entry = oracle.entry_costs(case.world, case.rules, case.sx, case.sy, true)
    local bad = first_bad(case, path)
    assert.same(bad and { false, bad } or { true }, { path:is_valid() })
    check_back(case, path)
    local question = query_of(case)
    if not bad then check.cost(path:smooth(), question) end
    local repaired = path:repair()
    local search = path:repairing()
    while search:step { expansions = r:int(1, 4) } == "running" do end
    for _, each in ipairs { repaired or false, search:path() or false } do
      if each then
        check.cost(each, question)
        assert.is_true(each:is_valid())
        if not bad then assert.equal(#path, #each) end
      end
    end
    assert.is_true(repaired ~= nil or bad ~= nil)
  end)

  it_on_maps("raycast stops at the first step that the unit cannot take", 0.2, add_some, function(_, case)
    local expected = { oracle.raycast(case.world, case.rules, case.sx, case.sy, case.gx, case.gy) }
    local got = { case.grid:finder(case.rules):raycast(case.sx, case.sy, case.gx, case.gy) }
    assert.same(expected, got)
  end)

  it_on_maps("dumps and clones contain links and walls", 0.1, add_some, function(_, case)
    for _, again in ipairs { require("astar").load(case.grid:dump()), case.grid:clone() } do
      assert.same(case.grid:links(), again:links())
      assert.equal(case.grid:dump(), again:dump())
      local path, reason = again:find_path(case.sx, case.sy, case.gx, case.gy, case.rules)
      check_found(case, path, reason, "again")
    end
  end)
end)
