-- grid:restrict on the implementation in plain Lua, beside the C module and Dijkstra's algorithm over the rules alone:
-- the same cells are restricted on all three between queries, and all answers must agree.

local astar = require "astar"
local check = require "spec.support.check"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"
local times = require "spec.support.times"

local plain = require "astar.plain"

local MAPS = times("ASTAR_RESTRICTED", 600)

-- A map as the oracle has it, and as a grid of the C module and a grid in plain Lua.
local function new_maps(r, most)
  local rows = r:scatter(r:int(2, most), r:int(2, most), r:pick { 0, 0.1, 0.3 })
  return { model = oracle.world(rows), c = astar.grid(rows), lua = plain.grid(rows) }
end

-- Restricts a rectangle of cells, or removes their restrictions, in all three.
local function edit(r, maps)
  local model = maps.model
  local x, y = r:int(1, model.width), r:int(1, model.height)
  local w, h = r:int(1, model.width + 1 - x), r:int(1, math.min(3, model.height + 1 - y))
  local method, names, exits = r:chance(0.3) and "unrestrict" or "restrict", {}, {}
  for i = 1, r:pick { 0, 1, 1, 2, 5 } do
    local direction = astar.directions[r:int(1, 8)]
    names[i], exits[("%d,%d"):format(direction.dx, direction.dy)] = direction.name, true
  end
  if method == "unrestrict" then names, exits = nil, nil end
  maps.c[method](maps.c, x, y, w, h, names)
  maps.lua[method](maps.lua, x, y, w, h, names)
  for i = 0, w * h - 1 do
    model.exits[oracle.cell(model, x + i % w, y + math.floor(i / w))] = exits
  end
end

local function rules_of(r)
  local rules = { diagonals = r:pick(check.RULES), size = r:pick { 1, 1, 2 } }
  -- The space occurs nowhere. With a lower cost of its own it would lower the estimates of one implementation only.
  if r:chance(0.3) then rules.costs = { ["."] = 2.5, [" "] = 2.5 } end
  if r:chance(0.2) then
    rules.cost = function(x, y, _, given) return given + (x + y) % 3 end
  end
  return rules
end

local function check_same(at, expected, got)
  local is_same = expected == got or expected and got and math.abs(expected - got) < 1e-6
  assert(is_same, ("%s: %s, not %s"):format(at, tostring(got), tostring(expected)))
end

-- Holds the distances of flows and reaches of both implementations against each other, and those of reach against the
-- oracle.
local function check_distances(at, maps, c, lua, ask, distances, is_refused)
  local model = maps.model
  local flow, other_flow = c:flow(ask[3], ask[4]), lua:flow(ask[3], ask[4])
  local reach, other_reach = c:reach(ask[1], ask[2], math.huge), lua:reach(ask[1], ask[2], math.huge)
  for y = 1, model.height do
    for x = 1, model.width do
      local distance, why = flow:distance(x, y)
      local other, other_why = other_flow:distance(x, y)
      check_same(at .. ", flow", distance, other)
      if not distance then assert.equal(why, other_why, at) end
      local out = other_reach:distance(x, y)
      check_same(at .. ", reach", (reach:distance(x, y)), out)
      if not is_refused then check_same(at, distances[oracle.cell(model, x, y)], out) end
    end
  end
end

local function check_queries(r, at, maps, rules, c, lua)
  local model = maps.model
  local ask = { r:int(1, model.width), r:int(1, model.height), r:int(1, model.width), r:int(1, model.height) }
  local sx, sy, gx, gy = ask[1], ask[2], ask[3], ask[4]
  local distances, entry = oracle.distances(model, rules, sx, sy)
  local refusal = oracle.refusal(model, rules, entry, sx, sy, gx, gy)
  local best = not refusal and distances[oracle.cell(model, gx, gy)] or nil
  for _, options in ipairs { {}, { range = 1 }, { partial = true }, { max_cost = 5 } } do
    local path, why = lua:find_path(sx, sy, gx, gy, options)
    local other, other_why = c:find_path(sx, sy, gx, gy, options)
    check_same(at, other and other.cost, path and path.cost)
    assert.equal(other_why, why, at)
    if path then assert.is_true(path:is_valid(), at) end
    if next(options) == nil then check_same(at, best, path and path.cost) end
  end
  assert.equal(best ~= nil, lua:reachable(sx, sy, gx, gy), at)
  assert.same({ c:raycast(sx, sy, gx, gy) }, { lua:raycast(sx, sy, gx, gy) }, at)
  assert.equal(c:sees(sx, sy, gx, gy), lua:sees(sx, sy, gx, gy), at)
  local goals = { { gx, gy }, { r:int(1, model.width), r:int(1, model.height) } }
  local path, why = lua:find_nearest(sx, sy, goals)
  local other, other_why = c:find_nearest(sx, sy, goals)
  check_same(at, other and other.cost, path and path.cost)
  if not path then assert.equal(other_why, why, at) end
  check_distances(at, maps, c, lua, ask, distances, refusal ~= nil)
  return best ~= nil
end

describe("grid:restrict in plain Lua", function()
  it("gives the answers of the C module and of Dijkstra's algorithm, with edits between queries", function()
    local found = 0
    for seed = 1, MAPS do
      local r, at = random.new(seed), "seed " .. seed
      local maps = new_maps(r, 12)
      local rules = rules_of(r)
      local c, lua, versions = maps.c:finder(rules), maps.lua:finder(rules), { maps.c:version(), maps.lua:version() }
      for _ = 1, 3 do
        for _ = 1, r:int(0, 3) do edit(r, maps) end
        assert.same(maps.c:restrictions(), maps.lua:restrictions(), at)
        assert.equal(maps.c:version() - versions[1], maps.lua:version() - versions[2], at)
        assert.same(maps.c:changes(versions[1]), maps.lua:changes(versions[2]), at)
        if check_queries(r, at, maps, rules, c, lua) then found = found + 1 end
      end
    end
    assert.is_true(found > MAPS / 2, found)
  end)

  it("applies to a search in steps, with edits and other queries between its steps", function()
    local steps = 0
    for seed = 1, MAPS do
      local r, at = random.new(seed), "seed " .. seed
      local maps = new_maps(r, 20)
      local model, rules = maps.model, { diagonals = r:pick(check.RULES) }
      local sx, sy = r:int(1, model.width), r:int(1, model.height)
      local gx, gy = r:int(1, model.width), r:int(1, model.height)
      local search = maps.lua:finder(rules):search(sx, sy, gx, gy)
      while search:step(r:int(1, 6)) == "running" do
        if r:chance(0.5) then edit(r, maps) end
        local x, y = r:int(1, model.width), r:int(1, model.height)
        if r:chance(0.5) and (x ~= sx or y ~= sy) then
          local cell = oracle.cell(model, x, y)
          model.blocks[cell] = not model.blocks[cell] or nil
          maps.lua[model.blocks[cell] and "block" or "unblock"](maps.lua, x, y)
        end
        -- A query of another finder brings the data that both finders share up to date.
        if r:chance(0.5) then maps.lua:find_path(x, y, sx, sy, rules) end
        steps = steps + 1
      end
      local distances, entry = oracle.distances(model, rules, sx, sy)
      local refusal = oracle.refusal(model, rules, entry, sx, sy, gx, gy)
      local path = search:path()
      check_same(at, not refusal and distances[oracle.cell(model, gx, gy)] or nil, path and path.cost)
    end
    assert.is_true(steps > MAPS, steps)
  end)

  it("restarts a search in steps after an edit that another query has followed first", function()
    for _, edit_of in ipairs {
      function(grid) grid:restrict(4, 1, "west") end, function(grid) grid:block(4, 1) end,
    } do
      for _, implementation in ipairs { astar, plain } do
        local grid = implementation.grid(7, 2)
        local finder = grid:finder { diagonals = "never", algorithm = "dijkstra" }
        local search = finder:search(1, 1, 7, 1)
        assert.equal("running", (search:step { expansions = 10 }))
        edit_of(grid)
        assert.equal(8, finder:find_path(1, 1, 7, 1).cost)
        while search:step { expansions = 2 } == "running" do end
        assert.equal(8, search:path().cost)
      end
    end
  end)

  it("stops a path, a walker and a flow, and returns what cost_of of the C module returns", function()
    for _, implementation in ipairs { astar, plain } do
      local grid = implementation.grid(9, 3)
      local finder = grid:finder { diagonals = "never" }
      local path, flow = finder:find_path(1, 1, 9, 1), finder:flow(9, 1)
      assert.equal(8, flow:distance(1, 1))
      grid:restrict(4, 1, "south")
      assert.same({ false, 5 }, { path:is_valid() })
      assert.same({ nil, 5 }, { finder:cost_of(path) })
      assert.equal(3, finder:cost_of(path, 1, 4))
      assert.equal(10, flow:distance(1, 1))
      assert.equal(10, path:repair().cost)
      local walker = implementation.walker(path)
      walker:update(20)
      assert.same({ 4, true }, { walker.x, walker.blocked })
      grid:unrestrict(4, 1)
      assert.is_true(path:is_valid())
    end
  end)

  it("follows edits of more cells than a grid remembers", function()
    local grid = plain.grid(60, 60)
    local finder = grid:finder()
    assert.equal(58, finder:find_path(1, 1, 59, 1).cost)
    grid:restrict(1, 1, 60, 60, "south")
    assert.same({ nil, "unreachable" }, { finder:find_path(1, 1, 59, 1) })
    assert.equal(59, finder:find_path(3, 1, 3, 60).cost)
    assert.equal(3600, #grid:restrictions())
    grid:unrestrict(1, 1, 60, 60)
    assert.equal("jps", finder:find_path(1, 1, 59, 1).algorithm)
    assert.same({}, grid:restrictions())
  end)

  it("ends a search with the algorithm jps if a cell is restricted, and its status says why", function()
    for _, implementation in ipairs { astar, plain } do
      local grid = implementation.grid(30, 30)
      for x = 2, 28, 2 do grid:block(x, x % 4 == 0 and 1 or 2, 1, 29) end
      local search = grid:finder({ algorithm = "jps" }):search(1, 1, 30, 1)
      assert.equal("running", search:step(1))
      grid:restrict(1, 5, "south")
      local ok, status = pcall(search.step, search, 1000)
      assert.matches("cannot honour links and walls", tostring(status), tostring(ok))
      assert.equal("algorithm cannot honour links and walls", search.status)
    end
  end)

  it("raises the errors of the C module", function()
    for _, arguments in ipairs {
      { 1, 1, "up" }, { 1, 1, { "east", "up" } }, { 1, 1 }, { 1, 1, 2, 2 }, { 1, 1, 21, 1, "east" }, { 0, 1, "east" },
      { 1, 1, 1, 0, "east" }, { 1, 1, 2, "east" }, { 1, 1, 1, 1, "east", "west" }, {},
    } do
      local messages = {}
      for i, implementation in ipairs { astar, plain } do
        local grid = implementation.grid(20, 10)
        messages[i] = check.error_of(function()
          grid:restrict((table.unpack or unpack)(arguments)) -- luacheck: ignore
        end)
      end
      assert.equal(messages[1], messages[2])
    end
  end)
end)
