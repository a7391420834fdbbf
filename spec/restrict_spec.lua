-- grid:restrict: cells that may be left only in some directions. The random specs of walls cover them on squares
-- (spec/support/layers.lua puts such cells on some maps with walls); here are hexagons, large units, and all that keeps
-- or reads a map.

local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local layers = require "spec.support.layers"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_RESTRICTED", 600)
local NAMES = {}
for i = 1, 8 do NAMES[i] = astar.directions[i].name end

local function set_of(list)
  local set = {}
  for _, name in ipairs(list) do set[name] = true end
  return set
end

-- The least number of steps from a cell to all others of a hexagonal grid, by a first-in, first-out queue.
local function flood(grid, exits, x, y)
  local function key(at_x, at_y) return at_x .. "," .. at_y end
  local steps, open, at = { [key(x, y)] = 0 }, { { x, y } }, 1
  while open[at] do
    local here = open[at]
    local own = exits[key(here[1], here[2])]
    for _, name in ipairs(NAMES) do
      local known, nx, ny = pcall(grid.neighbour, grid, here[1], here[2], name)
      local is_open = known and nx and grid:is_walkable(nx, ny) and (not own or own[name])
      if is_open and not steps[key(nx, ny)] then
        steps[key(nx, ny)] = steps[key(here[1], here[2])] + 1
        open[#open + 1] = { nx, ny }
      end
    end
    at = at + 1
  end
  return steps, key
end

describe("grid:restrict", function()
  it("lets a unit leave a cell only in the listed directions, and enter it from all sides", function()
    local grid = astar.grid(5, 3)
    grid:restrict(2, 2, 3, 1, "east")
    local finder = grid:finder()
    assert.equal(4, finder:find_path(1, 2, 5, 2).cost)
    assert.equal(2 + 2 * math.sqrt(2), finder:find_path(5, 2, 1, 2).cost)
    for x = 2, 4 do
      assert.equal(1, finder:find_path(x, 1, x, 2).cost)
      assert.is_true(finder:find_path(x, 2, x, 1).cost > 1)
      assert.is_true(finder:find_path(x, 2, x + 1, 1).cost > math.sqrt(2))
    end
    grid:restrict(3, 2, { "north_east" })
    assert.equal(math.sqrt(2), finder:find_path(3, 2, 4, 1).cost)
    grid:restrict(3, 2, {})
    assert.same({ nil, "unreachable" }, { finder:find_path(3, 2, 4, 1) })
    assert.equal(4, grid:find_path(1, 1, 5, 1).cost) -- diagonal steps past such a cell do not change
  end)

  it("applies to single cells: one cell can be changed while its neighbours and all walls stay", function()
    local grid = astar.grid(6, 2)
    grid:wall(3, 1, "south")
    grid:restrict(2, 1, 4, 1, "west")
    grid:restrict(4, 1, { "south", "east" })
    grid:unrestrict(3, 1)
    assert.same({
      { x = 2, y = 1, directions = { "west" } }, { x = 4, y = 1, directions = { "east", "south" } },
      { x = 5, y = 1, directions = { "west" } },
    }, grid:restrictions())
    assert.is_true(grid:has_wall(3, 1, "south"))
    grid:unwall(3, 1, "south")
    assert.equal(3, #grid:restrictions())
    local version = grid:version()
    grid:restrict(2, 1, "west")
    grid:unrestrict(3, 1)
    assert.equal(version, grid:version())
    grid:unrestrict(1, 1, 6, 2)
    assert.same({}, grid:restrictions())
    grid:restrict(1, 1, NAMES)
    assert.same({}, grid:restrictions())
  end)

  it("restricts units on hexagons by the names of the sides, on random maps", function()
    local reached = 0
    for seed = 1, MAPS do
      local r = random.new(seed)
      local offset = r:pick { "odd_r", "even_r", "odd_q", "even_q" }
      local grid = astar.grid(r:scatter(r:int(2, 9), r:int(2, 9), 0.15), { shape = "hex", offset = offset })
      local _, _, x1, y1 = grid:bounds()
      local sides, exits = {}, {}
      for _, name in ipairs(NAMES) do
        if pcall(grid.has_wall, grid, 1, 1, name) then sides[#sides + 1] = name end
      end
      assert.equal(6, #sides)
      for _ = 1, r:int(1, 8) do
        local x, y, list = r:int(1, x1), r:int(1, y1), {}
        for i = 1, r:int(0, 3) do list[i] = r:pick(sides) end
        grid:restrict(x, y, list)
        exits[x .. "," .. y] = set_of(list)
      end
      local sx, sy = r:int(1, x1), r:int(1, y1)
      if grid:is_walkable(sx, sy) then
        local steps, key = flood(grid, exits, sx, sy)
        local again = astar.load(grid:dump())
        local reach, flow = grid:finder():reach(sx, sy, math.huge), again:finder()
        for y = 1, y1 do
          for x = 1, x1 do
            local path = grid:find_path(sx, sy, x, y)
            assert.equal(steps[key(x, y)], path and path.cost, ("seed %d: to %d, %d"):format(seed, x, y))
            assert.equal(steps[key(x, y)], (reach:distance(x, y)), seed)
            if grid:is_walkable(x, y) then
              assert.equal(steps[key(x, y)], (flow:flow(x, y):distance(sx, sy)), seed)
            end
            reached = reached + (path and 1 or 0)
          end
        end
        assert.same(grid:restrictions(), again:restrictions())
      end
    end
    assert.is_true(reached > MAPS, reached)
  end)

  it("restricts only the north-west cell of a large unit, on random maps", function()
    local found = 0
    for seed = 1, MAPS do
      local r = random.new(seed)
      local world = oracle.world(r:scatter(r:int(4, 14), r:int(4, 14), 0.05))
      layers.add_exits(r, world)
      local rules = { size = r:body(2, 3), diagonals = r:pick(check.RULES) }
      local grid = maps.grid(world)
      local sx, sy = r:int(1, world.width), r:int(1, world.height)
      local distances, entry = oracle.distances(world, rules, sx, sy)
      for _ = 1, 5 do
        local gx, gy = r:int(1, world.width), r:int(1, world.height)
        local path, reason = grid:find_path(sx, sy, gx, gy, rules)
        local refusal = oracle.refusal(world, rules, entry, sx, sy, gx, gy)
        local best = not refusal and distances[oracle.cell(world, gx, gy)]
        if best then
          found = found + 1
          check.equal_cost(best, assert(path, ("seed %d: %s"):format(seed, tostring(reason))).cost, "seed " .. seed)
        else
          assert.is_nil(path)
        end
      end
    end
    assert.is_true(found > MAPS / 2, found)
  end)

  it("is kept in dumps, clones, clones of edited grids and published maps, on random maps", function()
    for seed = 1, MAPS / 4 do
      local r = random.new(seed)
      local world = layers.add_exits(r, oracle.world(r:scatter(r:int(2, 12), r:int(2, 12), 0.1)))
      if r:chance(0.5) then layers.add_walls(r, world) end
      local grid = maps.grid(world)
      local clone, loaded = grid:clone(), astar.load(grid:dump())
      assert.same(grid:restrictions(), clone:restrictions())
      assert.same(grid:restrictions(), loaded:restrictions())
      assert.equal(grid:dump(), loaded:dump())
      grid:share("restricted " .. seed)
      local view = astar.shared("restricted " .. seed)
      assert.same(grid:restrictions(), view:restrictions())
      local before = clone:restrictions()
      local x, y = r:int(1, world.width), r:int(1, world.height)
      grid:restrict(x, y, r:pick { "north", "east", "south_west" })
      if r:chance(0.5) then grid:unrestrict(r:int(1, world.width), r:int(1, world.height)) end
      assert.same(before, clone:restrictions())
      assert.same(before, view:restrictions())
      grid:publish()
      assert.same(grid:restrictions(), view:restrictions())
      for _ = 1, 4 do
        local sx, sy = r:int(1, world.width), r:int(1, world.height)
        local gx, gy = r:int(1, world.width), r:int(1, world.height)
        local path, other = grid:find_path(sx, sy, gx, gy), view:find_path(sx, sy, gx, gy)
        assert.equal(path and path.cost, other and other.cost)
      end
    end
  end)

  it("is dumped with declared or undeclared layers, and grids without restrictions keep their old dumps", function()
    for _, options in ipairs { {}, { layers = { "red", "blue" } } } do
      local grid = astar.grid("....\n....", options)
      local plain = grid:dump()
      grid:restrict(2, 1, "east")
      grid:block(3, 2, "red")
      grid:wall(1, 1, "south")
      local again = astar.load(grid:dump())
      assert.equal(grid:dump(), again:dump())
      assert.is_true(again:is_blocked(3, 2, "red"))
      assert.equal(options.layers ~= nil, not pcall(again.block, again, 1, 1, "green"))
      grid:unrestrict(2, 1)
      grid:unblock(3, 2, "red")
      grid:unwall(1, 1, "south")
      assert.equal(plain, grid:dump())
      assert.is_truthy(plain:find "^astar grid [15]\n")
    end
  end)

  it("counts as an edit for paths, walkers, flows and searches in steps", function()
    local grid = astar.grid(7, 2)
    local finder = grid:finder { diagonals = "never" }
    local path, flow = finder:find_path(1, 1, 7, 1), finder:flow(7, 1)
    local search = grid:finder({ diagonals = "never", algorithm = "dijkstra" }):search(1, 1, 7, 1)
    assert.equal("running", (search:step { expansions = 2 }))
    assert.equal(6, flow:distance(1, 1))
    grid:restrict(4, 1, "west")
    assert.same({ false, 5 }, { path:is_valid() })
    assert.equal(8, flow:distance(1, 1))
    while search:step { expansions = 2 } == "running" do end
    assert.equal(8, search:path().cost)
    assert.equal(8, path:repair({ optimal = true }).cost)
    local walker = astar.walker(path)
    walker:update(20)
    assert.same({ 4, true }, { walker.x, walker.blocked })
    grid:unrestrict(4, 1)
    assert.is_true(path:is_valid())
    assert.equal(6, flow:distance(1, 1))
  end)

  it("does not affect sight, and links lead out of a restricted cell", function()
    local grid = astar.grid("...#.")
    grid:restrict(1, 1, 3, 1, "west")
    assert.is_true(grid:finder():sees(1, 1, 3, 1))
    assert.same({ false, 2, 1 }, { grid:finder():raycast(1, 1, 3, 1) })
    grid:link(3, 1, 5, 1, { cost = 2, one_way = true })
    assert.equal(2, grid:find_path(3, 1, 5, 1).cost)
  end)

  it("stops a slanted line at the next cell, whatever walls and blocks are beside the step", function()
    local plain = require "astar.plain"
    for _, block in ipairs { { 1, 1 }, { 2, 2 }, { 3, 3 } } do
      for _, side in ipairs { "north", "east", "west" } do
        local world = astar.world { load = function() return ("."):rep(4096) end }
        for i, map in ipairs { astar.grid(3, 3), world, plain.grid(3, 3) } do
          map:restrict(1, 2, "south")
          map:block(block[1], block[2])
          if i < 3 then map:wall(1, 2, side) end
          assert.same({ false, 2, 1 }, { map:finder():raycast(1, 2, 2, 1) })
        end
      end
    end
  end)

  it("restricts units in schedules and crowds", function()
    local grid = astar.grid(6, 3)
    grid:restrict(2, 2, 4, 1, "east")
    local finder = grid:finder { diagonals = "never" }
    local schedule = astar.schedule(grid)
    schedule:reserve_cell(3, 1, { from = 1, to = 2 })
    assert.equal(5, schedule:find_path(finder, 1, 2, 6, 2).cost)
    assert.equal(7, schedule:find_path(finder, 6, 2, 1, 2).cost)
    local crowd = astar.crowd(finder)
    local unit = crowd:add(6, 2)
    unit:go(1, 2)
    local places = {}
    for _ = 1, 12 do
      for _, move in ipairs(crowd:beat()) do
        local is_on_belt = move.from_y == 2 and move.from_x >= 2 and move.from_x <= 5
        assert.is_true(not is_on_belt or move.heading == "east", move.heading)
        places[#places + 1] = move
      end
    end
    assert.same({ 1, 2 }, { unit.x, unit.y })
    assert.equal(7, #places)
  end)

  it("is refused by the algorithm jps, and baked routes honour it", function()
    local grid = astar.grid(20, 20)
    local finder = grid:finder()
    finder:bake()
    grid:restrict(5, 1, 1, 20, { "west", "north", "south" })
    assert.same({ nil, "unreachable" }, { finder:find_path(1, 1, 20, 20) })
    grid:unrestrict(5, 20)
    local expected = finder:find_path(1, 1, 20, 20).cost
    finder:bake()
    assert.equal(expected, finder:find_path(1, 1, 20, 20).cost)
    assert.equal(expected, grid:find_path(1, 1, 20, 20, { algorithm = "dijkstra" }).cost)
    assert.equal('algorithm "jps" cannot honour links and walls', check.error_of(function()
      grid:find_path(1, 1, 20, 20, { algorithm = "jps" })
    end))
  end)

  it("raises an error on maps that wrap around", function()
    local grid = astar.grid(6, 6, { wrap = "both" })
    assert.equal("maps that wrap around cannot honour restrict", check.error_of(function()
      grid:restrict(1, 1, "east")
    end))
    grid:unrestrict(1, 1)
    assert.same({}, grid:restrictions())
  end)
end)
