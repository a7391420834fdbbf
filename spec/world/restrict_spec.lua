-- world:restrict: cells of worlds that may be left only in some directions. The random specs beside this one restrict
-- cells as well: beside a grid, between the steps of searches, and in saved chunks. Here are the rules of the methods,
-- what keeps restrictions, and routes between which belts are laid and removed, held against Dijkstra's algorithm.

local astar = require "astar"
local check = require "spec.support.check"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"
local worlds = require "spec.support.worlds"

local WORLDS = times("ASTAR_RESTRICTED_WORLDS", 100)
local SIDE = 96
local TERRAIN = { ["."] = 1, ["~"] = 2.5, ["#"] = false }
local STRAIGHT = { north = "0,-1", east = "1,0", south = "0,1", west = "-1,0" }

-- A world of open chunks. `save` keeps the strings of saved chunks in `files`, and `load` returns them.
local function open_world(files, bytes)
  local world
  world = astar.world {
    bytes = bytes,
    load = function(cx, cy) return files[cx .. " " .. cy] or worlds.open_chunk() end,
    save = function(cx, cy) files[cx .. " " .. cy] = world:save(cx, cy) end,
  }
  return world
end

local function cost(world, ...)
  local route, why = world:finder({ exact = true, diagonals = "never" }):find_route(...)
  return route and route.cost, why
end

describe("world:restrict", function()
  it("lets units leave cells only in the listed directions, across the border of two chunks", function()
    local world = open_world {}
    assert.is_true(world:restrict(60, 10, 10, 1, "east"))
    assert.equal(20, cost(world, 55, 10, 75, 10))
    assert.equal(22, cost(world, 75, 10, 55, 10))
    for x = 60, 69 do
      assert.equal(1, cost(world, x, 9, x, 10))
      assert.is_true(cost(world, x, 10, x, 9) > 1)
    end
    assert.is_true(world:restrict(64, 10, { "south", "east" }))
    assert.equal(1, cost(world, 64, 10, 64, 11))
    assert.is_true(world:unrestrict(65, 10))
    assert.equal(1, cost(world, 65, 10, 65, 9))
    assert.equal(1, cost(world, 65, 10, 64, 10))
    assert.is_true(world:restrict(-5, -5, {}))
    assert.same({ nil, "unreachable" }, { cost(world, -5, -5, -5, -6) })
    assert.equal(1, cost(world, -5, -6, -5, -5))
  end)

  it("returns the restricted cells of a rectangle, row by row", function()
    local world = open_world {}
    world:restrict(63, 64, 3, 2, { "west", "north_east" })
    world:unrestrict(64, 65)
    local both = { "north_east", "west" }
    assert.same({
      { x = 64, y = 64, directions = both }, { x = 65, y = 64, directions = both },
      { x = 65, y = 65, directions = both },
    }, world:restrictions(64, 1, 10, 100))
    assert.same({ { x = 63, y = 65, directions = both } }, world:restrictions(63, 65))
    assert.same({}, world:restrictions(64, 65))
    assert.same({}, world:restrictions(-1000, -1000, 50, 50))
  end)

  it("counts as an edit only if a cell changes, and leaves walls, blocks and links as they are", function()
    local world = open_world {}
    world:wall(64, 5, "east")
    world:block(66, 5)
    world:link(64, 5, 80, 5, { cost = 1 })
    world:restrict(60, 5, 10, 1, "west")
    local version = world:version()
    assert.is_true(world:restrict(60, 5, 10, 1, { "west", "west" }))
    assert.is_true(world:unrestrict(1, 1, 30, 1))
    assert.equal(version, world:version())
    assert.equal(1, cost(world, 64, 5, 80, 5)) -- a restriction does not affect links
    world:unrestrict(60, 5, 10, 1)
    assert.is_true(world:version() > version)
    assert.is_true(world:has_wall(64, 5, "east"))
    assert.is_true(world:is_blocked(66, 5))
    assert.same({}, world:restrictions(60, 5, 10, 1))
    for i = 1, 8 do assert.is_true(world:restrict(i, 1, astar.directions[i].name)) end
    local all = {}
    for i = 1, 8 do all[i] = astar.directions[i].name end
    assert.is_true(world:restrict(1, 1, 8, 1, all)) -- all directions: no restriction
    assert.same({}, world:restrictions(1, 1, 8, 1))
  end)

  it("edits nothing if a chunk is absent", function()
    local world = astar.world {}
    world:put_chunk(0, 0, worlds.open_chunk())
    assert.same({ nil, "not loaded" }, { world:restrict(60, 1, 10, 1, "east") })
    assert.same({ nil, "not loaded" }, { world:unrestrict(60, 1, 10, 1) })
    assert.same({ nil, "not loaded" }, { world:restrictions(60, 1, 10, 1) })
    assert.same({}, world:restrictions(60, 1, 5, 1))
  end)

  it("applies to the north-west cell of a large unit, and stops a raycast as it does on a grid", function()
    local world = open_world {}
    world:restrict(64, 10, "south")
    local finder, window = world:finder { size = 2, exact = true }, world:window(50, 1, 40, 40)
    assert.is_true(finder:find_route(64, 10, 66, 10).cost > 2)
    assert.equal(2, finder:find_route(63, 9, 65, 9).cost)
    for _, name in ipairs { "east", "south", "north_east", "south_east" } do
      local d = astar.directions[name]
      local x, y = 64 + 4 * d.dx, 10 + 4 * d.dy
      assert.same({ window:finder():raycast(64, 10, x, y) }, { world:finder():raycast(64, 10, x, y) }, name)
    end
  end)

  it("is kept when a chunk is unloaded, whether or not the function save saves the chunk's string", function()
    local terrain, row = {}, "" -- so many kinds of ground that a cell takes a byte
    for i = 1, 32 do terrain[string.char(64 + i)], row = i, row .. string.char(64 + i) end
    local ground = (row .. row):rep(64)
    for _, saves in ipairs { true, false } do
      local files = {}
      local world
      world = astar.world {
        bytes = 2 ^ 20, terrain = terrain,
        load = function(cx, cy) return saves and files[cx .. " " .. cy] or ground end,
        save = function(cx, cy, keys)
          files[cx .. " " .. cy] = saves and world:save(cx, cy) or keys
        end,
      }
      world:restrict(60, 60, 8, 8, "north")
      local list = world:restrictions(60, 60, 8, 8)
      assert.equal(64, #list)
      for i = 1, 400 do world:get(64 * i + 70, 64 * (i % 7) + 1) end -- unloads all earlier chunks
      assert.is_true(world:stats().unloaded > 4)
      assert.equal(saves and "string" or "table", type(files["0 0"]))
      assert.same(list, world:restrictions(60, 60, 8, 8))
      world:forget_chunk(0, 0)
      assert.same(list, world:restrictions(60, 60, 8, 8))
    end
  end)

  it("is saved with a chunk; a loaded chunk replaces all restrictions of the chunk at its position", function()
    local world, other = open_world {}, open_world {}
    local plain = world:save(0, 0)
    world:restrict(10, 10, 4, 1, { "east", "south_west" })
    local text = world:save(0, 0)
    assert.matches("^astar chunk 2 ", text)
    other:restrict(1, 1, 64, 64, "north")
    other:put_chunk(0, 0, text)
    assert.same(world:restrictions(1, 1, 64, 64), other:restrictions(1, 1, 64, 64))
    assert.equal(text, other:save(0, 0))
    other:put_chunk(-3, 7, text)
    assert.equal(4, #other:restrictions(-191, 449, 64, 64))
    world:unrestrict(1, 1, 64, 64)
    assert.equal(plain, world:save(0, 0))
    other:put_chunk(0, 0, plain)
    assert.same({}, other:restrictions(1, 1, 64, 64))
  end)

  it("reads chunks of the first version, and refuses broken ones of the second", function()
    local world = open_world {}
    local ground = ("."):rep(4096)
    world:put_chunk(0, 0, "astar chunk 1 t 4096 8 0\n" .. ground .. "65 1 68 ")
    assert.is_true(world:has_wall(1, 2, "east") and world:has_wall(1, 2, "west"))
    assert.same({}, world:restrictions(1, 1, 64, 64))
    world:put_chunk(0, 0, "astar chunk 2 t 4096 0 0 9\n" .. ground .. "64 1 251 ")
    assert.same({ { x = 64, y = 1, directions = { "east" } } }, world:restrictions(1, 1, 64, 64))
    for _, exits in ipairs { "64 2 0 ", "4096 2 1 ", "64 1 256 ", "64 1 1", "64 1 1 64 1 1 ", "x" } do
      local text = ("astar chunk 2 t 4096 0 0 %d\n"):format(#exits) .. ground .. exits
      assert.matches("^keys: not a chunk that world:save has made: broken at byte %d+$", check.error_of(function()
        world:put_chunk(0, 0, text)
      end), exits)
    end
    assert.equal("keys: not a chunk that world:save has made: cut off, or of another version",
      check.error_of(function() world:put_chunk(0, 0, "astar chunk 2 t 4096 0 0 8\n" .. ground) end))
  end)

  it("raises errors that name the argument", function()
    local world = open_world {}
    local function message(...)
      local arguments, method = { ... }, select(1, ...)
      return check.error_of(function()
        world[method](world, (table.unpack or unpack)(arguments, 2)) -- luacheck: ignore
      end)
    end
    assert.matches('^directions must be "north", .*, got "up"$', message("restrict", 1, 1, "up"))
    assert.matches('^directions%[2%] must be "north", .*, got "up"$', message("restrict", 1, 1, { "east", "up" }))
    assert.matches('^directions must be "north", .*, got nil$', message("restrict", 1, 1))
    assert.matches("^w must be an integer from 1 to ", message("restrict", 1, 1, 0, 1, "east"))
    assert.matches("^x must be an integer from ", message("unrestrict", 0.5, 1))
    assert.matches("^h must be an integer from ", message("restrictions", 1, 1, 2))
  end)

  it("makes routes that cost what Dijkstra's algorithm finds, with belts laid and removed between queries", function()
    local found = 0
    for seed = 1, WORLDS do
      local r, rows = random.new(seed), {}
      local rock, mud = r:pick { 0, 0.1, 0.3 }, r:pick { 0, 0.3 }
      for y = 1, SIDE do
        rows[y] = {}
        for x = 1, SIDE do rows[y][x] = r:chance(rock) and "#" or r:chance(mud) and "~" or "." end
      end
      local files, model = {}, oracle.world(rows, { terrain = TERRAIN })
      local world
      world = astar.world {
        terrain = TERRAIN, bytes = r:pick { 2 ^ 20, 2 ^ 26 },
        load = function(cx, cy)
          if cx < 0 or cy < 0 or cx > 1 or cy > 1 then return false end
          return files[cx .. " " .. cy] or worlds.cut(rows, 1, 1, cx, cy, "#")
        end,
        save = function(cx, cy) files[cx .. " " .. cy] = world:save(cx, cy) end,
      }
      local rules = { diagonals = r:pick(check.RULES), size = r:pick { 1, 1, 2 } }
      local exact = world:finder { diagonals = rules.diagonals, size = rules.size, exact = true }
      local near = world:finder { diagonals = rules.diagonals, size = rules.size }
      for _ = 1, 3 do
        for _ = 1, r:int(1, 4) do -- belts, mostly across a border, and cells that are free again
          local x, y = r:pick { r:int(40, 64), r:int(1, SIDE) }, r:pick { r:int(40, 64), r:int(1, SIDE) }
          local w, h = math.min(r:int(1, 60), SIDE + 1 - x), math.min(r:pick { 1, 1, 30 }, SIDE + 1 - y)
          local names, exits = {}, {}
          for i = 1, r:pick { 0, 1, 1, 3 } do
            local d = astar.directions[r:int(1, 8)]
            names[i], exits[("%d,%d"):format(d.dx, d.dy)] = d.name, true
          end
          if r:chance(0.3) then
            exits = nil
            assert(world:unrestrict(x, y, w, h))
          else
            assert(world:restrict(x, y, w, h, names))
          end
          for cell = 0, w * h - 1 do
            model.exits[oracle.cell(model, x + cell % w, y + math.floor(cell / w))] = exits
          end
        end
        local x, y, side = r:int(60, 66), r:int(2, SIDE - 1), r:pick { "north", "east", "south", "west" }
        assert(world:wall(x, y, side, true)) -- a one-way wall
        local walls = model.walls[oracle.cell(model, x, y)] or {}
        walls[STRAIGHT[side]] = true
        model.walls[oracle.cell(model, x, y)] = walls
        local lx, ly, to_x, to_y = r:int(1, SIDE), r:int(1, SIDE), r:int(1, SIDE), r:int(1, SIDE)
        if r:chance(0.3) and (lx ~= to_x or ly ~= to_y) then
          assert(world:link(lx, ly, to_x, to_y, { cost = 9, one_way = true }))
          local links = model.links[oracle.cell(model, lx, ly)] or {}
          links[oracle.cell(model, to_x, to_y)] = 9
          model.links[oracle.cell(model, lx, ly)] = links
        end
        if r:chance(0.3) then
          world:save()
          for cy = 0, 1 do
            for cx = 0, 1 do world:forget_chunk(cx, cy) end
          end
        end
        local sx, sy, gx, gy = r:int(1, SIDE - 1), r:int(1, SIDE - 1), r:int(1, SIDE - 1), r:int(1, SIDE - 1)
        local best = oracle.can_stand(model, rules, sx, sy)
          and oracle.distances(model, rules, sx, sy)[oracle.cell(model, gx, gy)] or nil
        local at = ("seed %d: from %d, %d to %d, %d"):format(seed, sx, sy, gx, gy)
        local route = exact:find_route(sx, sy, gx, gy)
        local rough = near:find_route(sx, sy, gx, gy)
        assert.equal(best == nil, route == nil, at)
        assert.equal(best == nil, rough == nil, at)
        if best then
          found = found + 1
          check.equal_cost(best, route.cost, at)
          assert.is_true(rough.cost >= best - 1e-6 and rough.cost - rough.bound <= best + 1e-6, at)
          local path = assert(route:path(), at)
          assert.is_true(path.cost <= route.cost + 1e-6 and path.cost >= best - 1e-6, at)
          assert.is_true(path:is_valid(), at)
        end
      end
    end
    assert.is_true(found > WORLDS, found)
  end)

  it("makes a stretch invalid at the step that it stops, and a route is searched again", function()
    local world = open_world {}
    local route = world:finder({ exact = true, diagonals = "never" }):find_route(50, 10, 80, 10)
    local path = route:path()
    assert.is_true(path:is_valid())
    world:restrict(64, 10, "west")
    assert.same({ false, 16 }, { path:is_valid() })
    world:unrestrict(64, 10)
    assert.is_true(path:is_valid())
  end)
end)
