-- Blocks in layers, and units that ignore some of them.

local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_CASES", 60)

local LAYERS = { "", "red", "blue", "doors" }

-- ---- what stands where ----

describe("grid:block with a layer", function()
  it("blocks the cell only in the given layer", function()
    local grid = astar.grid(4, 3)
    grid:block(2, 1, "doors")
    assert.is_true(grid:is_blocked(2, 1, "doors"))
    assert.is_false(grid:is_blocked(2, 1))
    assert.is_false(grid:is_blocked(2, 1, "red"))
    assert.is_false(grid:is_walkable(2, 1))
    grid:block(1, 2, 3, "red")
    grid:block(4, 1, nil, 2, "red")
    grid:block(1, 3, 2, 1, "red")
    assert.equal(".X.X\nXXXX\nXX..\n", grid:draw())
  end)

  it("uses the unnamed layer if the layer's name is empty or missing", function()
    local grid = astar.grid(2, 1)
    grid:block(1, 1, "")
    grid:block(2, 1)
    assert.is_true(grid:is_blocked(1, 1))
    assert.is_true(grid:is_blocked(2, 1, ""))
    grid:unblock(1, 1)
    grid:unblock(2, 1, "")
    assert.equal("..\n", grid:draw())
  end)

  it("blocks a cell in several layers, and unblock removes the block of one layer", function()
    local grid = astar.grid(3, 1)
    for _, layer in ipairs(LAYERS) do grid:block(1, 1, 2, 1, layer) end
    grid:unblock(1, 1, "red")
    grid:unblock(1, 1)
    assert.same({ "blue", "doors" }, grid:block_layers(1, 1))
    assert.same(LAYERS, grid:block_layers(2, 1))
    assert.same({}, grid:block_layers(3, 1))
    for _, layer in ipairs(grid:block_layers()) do grid:unblock(1, 1, 3, 1, layer) end
    assert.is_true(grid:is_walkable(1, 1))
    assert.is_true(grid:is_walkable(2, 1))
  end)

  it("does not change the terrain below the block", function()
    local grid = astar.grid("s.", { terrain = { s = 3, ["."] = 1 } })
    grid:block(1, 1, "red")
    grid:set(2, 1, "s")
    grid:unblock(1, 1, "red")
    assert.equal("s", grid:get(1, 1))
    assert.equal(3, grid:find_path(2, 1, 1, 1).cost)
  end)

  it("counts as an edit only if the call changes the layer", function()
    local grid = astar.grid(3, 3)
    grid:finder { ignore = { "red" } } -- names it
    local version = grid:version()
    grid:unblock(1, 1, 3, 3, "red")
    assert.equal(version, grid:version())
    grid:block(1, 1, "red")
    assert.equal(version + 1, grid:version())
    grid:block(1, 1, "red")
    assert.equal(version + 1, grid:version())
    grid:block(1, 1, "blue")
    assert.equal(version + 2, grid:version())
  end)

  it("accepts 32 layer names, and lists the names in the order of their first use", function()
    local grid = astar.grid(2, 2)
    assert.same({ "" }, grid:block_layers())
    for i = 1, 32 do grid:block(1, 1, "layer " .. i) end
    assert.equal(33, #grid:block_layers())
    assert.equal("layer 32", grid:block_layers()[33])
    assert.has_error(function() grid:block(2, 2, "one more") end, "a grid holds at most 32 layers of blocks with names")
    grid:block(2, 2, "layer 7")
    assert.is_nil(grid:find_path(2, 1, 2, 2))
    assert.equal(1, grid:find_path(2, 1, 2, 2, { ignore = { "layer 7" } }).cost)
  end)

  it("allocates memory for a layer with its first block", function()
    local grid = astar.grid(1000, 1000)
    local bytes = grid:bytes()
    grid:finder { ignore = { "red" } }
    grid:unblock(1, 1, "red")
    assert.is_true(grid:bytes() < bytes + 1000)
    grid:block(1, 1, "red")
    assert.is_true(grid:bytes() > bytes + 1000 * 1000 / 8)
  end)
end)

describe("a grid with blocks in layers", function()
  local function town()
    local grid = astar.grid("....\n.#..\n....")
    grid:block(1, 1)
    grid:block(4, 1, 1, 3, "red")
    grid:block(4, 3, "doors")
    grid:block(2, 3, "gone")
    grid:unblock(2, 3, "gone")
    return grid
  end

  local function expect_same(expected, grid)
    for y = 1, 3 do
      for x = 1, 4 do assert.same(expected:block_layers(x, y), grid:block_layers(x, y), x .. ", " .. y) end
    end
    assert.equal(expected:draw(), grid:draw())
  end

  it("is cloned with its layers, and later edits of the clone's layers leave the original unchanged", function()
    local grid = town()
    local copy = grid:clone()
    expect_same(grid, copy)
    copy:block(1, 3, "red")
    copy:unblock(4, 1, "red")
    assert.is_false(grid:is_blocked(1, 3, "red"))
    assert.is_true(grid:is_blocked(4, 1, "red"))
  end)

  it("is dumped with its layers, except layers without blocks", function()
    local grid = town()
    local again = astar.load(grid:dump())
    expect_same(grid, again)
    assert.same({ "", "red", "doors" }, again:block_layers())
    assert.equal(grid:dump(), again:dump())
  end)

  it("has the same dump as a grid without layers if no named layer has a block", function()
    local grid = town()
    grid:unblock(1, 1, 4, 3, "red")
    grid:unblock(1, 1, 4, 3, "doors")
    local plain = astar.grid("....\n.#..\n....")
    plain:block(1, 1)
    assert.equal(plain:dump(), grid:dump())
  end)

  it("is dumped with its hexagons, links and walls", function()
    local hex = astar.grid(3, 3, { shape = "hex", offset = "odd_q" })
    hex:block(2, 2, "red")
    local again = astar.load(hex:dump())
    assert.same({ "hex", "odd_q" }, { again:shape() })
    assert.is_true(again:is_blocked(2, 2, "red"))
    local grid = astar.grid(4, 4)
    grid:block(2, 2, "red")
    grid:link(1, 1, 4, 4, { cost = 1, label = "stairs" })
    grid:wall(3, 3, "north")
    again = astar.load(grid:dump())
    assert.is_true(again:is_blocked(2, 2, "red"))
    assert.equal("stairs", again:links()[1].label)
    assert.equal(1, #again:walls())
  end)

  it("raises an error if its dump was forged", function()
    local dump = town():dump()
    for i = 1, #dump do
      local byte = dump:byte(i)
      local ok = pcall(astar.load, dump:sub(1, i - 1) .. string.char((byte + 1) % 256) .. dump:sub(i + 1))
      assert.is_false(ok, i)
    end
  end)
end)

-- ---- who ignores what ----

describe("finder option ignore", function()
  it("lets units pass their own side, but not the enemy", function()
    local grid, at = maps.read [[
      S.R.B.G
    ]]
    grid:block(at.R.x, at.R.y, "red")
    local red, blue = grid:finder { ignore = { "red" } }, grid:finder { ignore = { "blue" } }
    assert.equal(6, red:find_path(at.S.x, 1, at.G.x, 1).cost)
    assert.is_nil(blue:find_path(at.S.x, 1, at.G.x, 1))
    grid:block(at.B.x, at.B.y, "blue")
    assert.equal("unreachable", select(2, red:find_path(at.S.x, 1, at.G.x, 1)))
    assert.equal(6, grid:find_path(at.S.x, 1, at.G.x, 1, { ignore = { "red", "blue" } }).cost)
    assert.is_true(blue:reachable(at.B.x, 1, at.G.x, 1))
    assert.is_false(red:reachable(at.S.x, 1, at.G.x, 1))
  end)

  it("accepts an empty name for the unnamed layer", function()
    local grid = astar.grid(3, 1)
    grid:block(2, 1)
    assert.equal(2, grid:find_path(1, 1, 3, 1, { ignore = { "" } }).cost)
    assert.is_nil(grid:find_path(1, 1, 3, 1, { ignore = { "red" } }))
    assert.is_nil(grid:find_path(1, 1, 3, 1, { ignore = {} }))
  end)

  it("takes effect for an ignored layer that does not exist yet when the finder is made", function()
    local grid = astar.grid(3, 1)
    local finder = grid:finder { ignore = { "red" } }
    grid:block(2, 1, "red")
    assert.equal(2, finder:find_path(1, 1, 3, 1).cost)
  end)

  it("is returned by finder:options, in a list of layers that the caller may change", function()
    local given = { ignore = { "red", "" } }
    local finder = astar.grid(2, 2):finder(given)
    given.ignore[1] = "blue"
    assert.same({ ignore = { "red", "" } }, finder:options())
    finder:options().ignore[1] = "blue"
    assert.same({ "red", "" }, finder:options().ignore)
  end)

  it("makes goals, paths, rays and clearance ignore the layer", function()
    local grid = astar.grid(5, 5)
    grid:block(3, 1, 1, 5, "red")
    local red, other = grid:finder { ignore = { "red" } }, grid:finder()
    assert.equal("goal blocked", select(2, other:find_path(1, 1, 3, 1)))
    local path = red:find_path(1, 1, 5, 5)
    assert.is_true(path:is_valid())
    assert.is_true(red:raycast(1, 3, 5, 3))
    assert.same({ false, 3, 3 }, { other:raycast(1, 3, 5, 3) })
    assert.equal(5, red:clearance(1, 1))
    assert.equal(2, other:clearance(1, 1))
    assert.equal(2, select(2, red:find_nearest(1, 1, { { 5, 5 }, { 3, 1 } })))
    grid:block(2, 2, "red")
    assert.is_true(path:is_valid())
    grid:block(4, 4, "blue")
    assert.same({ false, 4 }, { path:is_valid() })
    assert.is_true(path:repair():is_valid())
  end)

  it("lets a large unit stand on its own blocks and pass the blocks of its side", function()
    local grid, at = maps.read [[
      S....#....
      .....#....
      ..........
      .........G
      .....#....
    ]]
    grid:block(at.S.x, at.S.y, 2, 2) -- itself
    grid:block(6, 3, 1, 2, "red")
    local blue = grid:finder { size = 2 }
    local red = grid:finder { size = 2, ignore = { "red" } }
    assert.equal("goal blocked", select(2, red:find_path(1, 1, at.G.x, at.G.y)))
    assert.equal("unreachable", select(2, blue:find_path(1, 1, 9, 3)))
    local cost = red:find_path(1, 1, 9, 3).cost
    grid:unblock(1, 1, 2, 2)
    grid:block(1, 1, 2, 2, "red") -- itself, of a layer that it ignores
    assert.equal(cost, red:find_path(1, 1, 9, 3).cost)
    grid:block(1, 1, 2, 2, "blue")
    grid:block(3, 1, 1, 5, "red")
    assert.equal(cost, red:find_path(1, 1, 9, 3).cost)
    local flow = red:flow(9, 3)
    grid:unblock(1, 1, 2, 2, "blue")
    check.equal_cost(cost, flow:distance(1, 1))
  end)

  it("lets flows pass the units of one side, to goals that those units occupy", function()
    local grid = astar.grid(6, 1)
    for x = 1, 6 do grid:block(x, 1, "units") end
    local blind, flow = grid:finder():flow(6, 1), grid:finder({ ignore = { "units" } }):flow(6, 1)
    assert.equal("goal blocked", select(2, blind:distance(1, 1)))
    for x = 1, 6 do
      assert.equal(6 - x, flow:distance(x, 1))
      assert.equal(math.min(x + 1, 6), (flow:next(x, 1)))
    end
    grid:block(4, 1, "doors")
    assert.equal("unreachable", select(2, flow:distance(1, 1)))
    assert.equal(2, flow:distance(4, 1)) -- who stands in the door
    grid:unblock(4, 1, "doors")
    assert.equal(5, flow:distance(1, 1))
  end)

  it("lets a callback edit an ignored layer, and no other layer", function()
    local grid = astar.grid(9, 9)
    local layer = "red"
    local finder = grid:finder {
      ignore = { "red" },
      cost = function(x, y, _, cost)
        grid:block(x, y, layer)
        return cost
      end,
    }
    assert.equal(8, finder:find_path(1, 1, 9, 1).cost)
    assert.equal(8, finder:flow(9, 1):distance(1, 1))
    layer = "blue"
    assert.matches("^grid was edited during the search: ", select(2, pcall(finder.find_path, finder, 1, 9, 9, 9)))
  end)
end)

-- ---- edits of layers that are ignored ----

describe("an edit in a layer that a finder ignores", function()
  local function cave(seed, size)
    return random.new(seed):scatter(size, size, 0.2)
  end

  it("neither ends nor changes the finder's searches in steps", function()
    for seed = 1, CASES do
      local r = random.new(seed)
      local grid = astar.grid(cave(seed, 30))
      local options = { ignore = { "units" }, diagonals = r:pick(check.RULES), size = r:pick { 1, 1, 2 } }
      local finder = grid:finder(options)
      local sx, sy, gx, gy = r:int(1, 29), r:int(1, 29), r:int(1, 29), r:int(1, 29)
      local expected, reason = finder:find_path(sx, sy, gx, gy)
      local search = finder:search(sx, sy, gx, gy)
      while search.status == "running" do
        grid[r:pick { "block", "unblock" }](grid, r:int(1, 15), r:int(1, 15), r:int(1, 15), r:int(1, 15), "units")
        search:step(r:int(1, 5))
      end
      assert.equal(expected and "found" or reason, search.status, seed)
      if expected then
        assert.equal(expected.cost, search:path().cost)
        assert.equal(expected.expanded, search:path().expanded)
      end
    end
  end)

  it("keeps all data that was built for the finder", function()
    local grid = astar.grid(cave(1, 600))
    local red, all = grid:finder { ignore = { "red" } }, grid:finder()
    local function prepare(finder)
      local job = finder:preparing()
      local steps = 0
      repeat
        steps = steps + 1
      until job:step { expansions = 100 } == "done"
      return steps
    end
    prepare(red)
    prepare(all)
    grid:block(1, 1, 600, 600, "red")
    assert.equal(1, prepare(red))
    assert.is_true(prepare(all) > 1)
    grid:block(1, 1, 600, 600, "blue")
    assert.is_true(prepare(red) > 1)
  end)

  it("keeps the distances of a flow, however many edits there are", function()
    local grid = astar.grid(cave(3, 64))
    grid:fill(1, 1, 3, 3, ".")
    local asked = 0
    local finder = grid:finder {
      ignore = { "units" },
      cost = function(_, _, _, cost)
        asked = asked + 1
        return cost
      end,
    }
    local flow = finder:flow(1, 1)
    flow:complete()
    local before = asked
    for i = 1, 2000 do
      grid:block(1 + i % 64, 1 + i % 63, "units")
      grid:unblock(1 + i % 64, 1 + i % 63, "units")
    end
    flow:complete()
    assert.equal(before, asked)
    grid:block(3, 3, "doors") -- one edit that counts, after thousands that do not
    flow:complete()
    assert.is_true(asked - before < 30, asked - before)
  end)

  it("leaves baked data valid", function()
    local grid = astar.grid(40, 40)
    for x = 4, 36, 4 do grid:fill(x, x % 8 == 0 and 1 or 5, 1, 36, "#") end
    local finder = grid:finder { ignore = { "red" } }
    finder:bake { method = "labels" }
    local function algorithm() return finder:find_path(1, 1, 40, 40).algorithm end
    local baked = algorithm()
    assert.equal("labels", baked)
    for _ = 1, 3 do
      grid:block(10, 10, 20, 20, "red")
      grid:unblock(12, 12, 20, 20, "red")
    end
    assert.equal(baked, algorithm())
    local data = finder:bake({ method = "labels" }):save()
    assert.equal("labels", grid:finder({ ignore = { "red", "blue" } }):load_baked(data).method)
    assert.has_error(function() grid:finder():load_baked(data) end, "baked for another map")
  end)
end)

-- ---- against the rules ----

-- The world of a unit: what it ignores does not stand there.
local function seen_by(world, layers, options)
  local seen, ignored = {}, {}
  for key, value in pairs(world) do seen[key] = value end
  for _, layer in ipairs(options.ignore) do ignored[layer] = true end
  seen.blocks = {}
  for layer, blocks in pairs(layers) do
    if not ignored[layer] then
      for cell in pairs(blocks) do seen.blocks[cell] = true end
    end
  end
  return seen
end

local function random_unit(r)
  local ignore = {}
  for _, layer in ipairs(LAYERS) do
    if r:chance(0.4) then ignore[#ignore + 1] = layer end
  end
  local options = { ignore = ignore, diagonals = r:pick(check.RULES), size = r:pick { 1, 1, 1, 2, 3 } }
  options.algorithm = r:pick { "auto", "auto", "astar", "dijkstra" }
  if r:chance(0.3) then options.costs = { s = r:pick { 1, 4, false } } end
  return options
end

local function edit(r, world, layers, grid)
  local width, height = r:int(1, math.min(3, world.width)), r:int(1, math.min(3, world.height))
  local x0, y0 = r:int(1, world.width - width + 1), r:int(1, world.height - height + 1)
  local kind, key, layer = r:int(1, 9), r:pick { ".", ".", "#", "s" }, r:pick(LAYERS)
  local puts = kind <= 5 or nil
  for y = y0, y0 + height - 1 do
    for x = x0, x0 + width - 1 do
      if kind <= 7 then
        layers[layer][oracle.cell(world, x, y)] = puts
      else
        world.keys[oracle.cell(world, x, y)] = key
      end
    end
  end
  if kind <= 7 then
    grid:finder { ignore = { layer } } -- names it
    grid[puts and "block" or "unblock"](grid, x0, y0, width, height, layer)
  else
    grid:fill(x0, y0, width, height, key)
  end
end

local function expect_answers(world, options, finder, flow, goal, r, message)
  local sx, sy = r:int(1, world.width), r:int(1, world.height)
  local gx, gy = goal[1], goal[2]
  local distances, entry = oracle.distances(world, options, sx, sy)
  local refusal = oracle.refusal(world, options, entry, sx, sy, gx, gy)
  local best = distances[oracle.cell(world, gx, gy)]
  local path, reason = finder:find_path(sx, sy, gx, gy)
  if refusal or not best then
    assert.equal(refusal or "unreachable", reason, message)
  else
    check.equal_cost(best, path.cost, message)
    assert.is_true(path:is_valid(), message)
  end
  assert.equal(not refusal and best ~= nil, finder:reachable(sx, sy, gx, gy), message)
  assert.equal(oracle.clearance(world, options, sx, sy), finder:clearance(sx, sy), message)
  if options.size == 1 then
    local distance = flow:distance(sx, sy)
    assert.equal(not refusal and best ~= nil, distance ~= nil, message)
    if distance then check.equal_cost(best, distance, message) end
  end
  local search = finder:search(sx, sy, gx, gy)
  return search, sx, sy
end

describe("units that ignore layers", function()
  it("find the best routes past the blocks of all other layers, with edits of any layer between queries", function()
    for seed = 1, CASES do
      local r = random.new(seed)
      local rows = r:scatter(r:int(1, 24), r:int(1, 24), r:pick { 0, 0.1, 0.3 })
      if r:chance(0.5) then r:sow(rows, { "s" }) end
      local world = oracle.world(rows, { terrain = { ["."] = 1, ["#"] = false, s = 2 } })
      local grid = maps.grid(world)
      local layers, units = {}, {}
      for _, layer in ipairs(LAYERS) do layers[layer] = {} end
      for i = 1, 4 do
        local options = random_unit(r)
        local finder = grid:finder(options)
        local goal = { r:int(1, world.width), r:int(1, world.height) }
        units[i] = { options = options, finder = finder, goal = goal, flow = finder:flow(goal[1], goal[2]) }
      end
      for round = 1, 15 do
        for _ = 1, r:int(0, 3) do edit(r, world, layers, grid) end
        local unit = r:pick(units)
        local message = ("seed %d, round %d, ignoring %s"):format(seed, round,
          table.concat(unit.options.ignore, " "))
        if r:chance(0.05) then unit.finder:bake() end
        local seen = seen_by(world, layers, unit.options)
        local search, sx, sy = expect_answers(seen, unit.options, unit.finder, unit.flow, unit.goal, r, message)
        if search.status == "running" then
          local is_running = search:step(r:int(1, 4)) == "running"
          edit(r, world, layers, grid)
          seen = seen_by(world, layers, unit.options)
          local best = oracle.distances(seen, unit.options, sx, sy)[oracle.cell(seen, unit.goal[1], unit.goal[2])]
          if is_running and search:step() == "found" then
            check.equal_cost(best, search:path().cost, message)
          end
        end
      end
      if r:chance(0.2) then
        local again = astar.load(grid:dump())
        assert.equal(grid:draw(), again:draw())
      end
    end
  end)
end)
