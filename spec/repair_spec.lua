local astar = require "astar"
local check = require "spec.support.check"
local layers = require "spec.support.layers"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

local error_of = check.error_of

local function find(drawing, options, map)
  local grid, at = maps.read(drawing, map)
  return assert(grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, options)), grid
end

local function drawn(path)
  local cells = {}
  for x, y in path:cells() do cells[#cells + 1] = x .. "," .. y end
  return table.concat(cells, " ")
end

describe("path:repair", function()
  it("keeps the start of the path and searches for the rest", function()
    local path, grid = find [[
      S.......G
      .........
    ]]
    grid:block(6, 1)
    local repaired = path:repair()
    assert.equal("1,1 2,1 3,1 4,1 5,1 5,2 6,2 7,2 8,1 9,1", drawn(repaired))
    check.equal_cost(8 + math.sqrt(2), repaired.cost, "its cost")
    assert.is_true(repaired:is_valid())
    assert.is_false((path:is_valid()))
  end)

  it("returns the cheapest path on request", function()
    local path, grid = find [[
      S.......G
      .........
    ]]
    grid:block(6, 1)
    local best = grid:find_path(1, 1, 9, 1)
    local repaired = path:repair { optimal = true }
    assert.equal(drawn(best), drawn(repaired))
    assert.equal(best.cost, repaired.cost)
  end)

  it("keeps links with their labels, in the kept part of the path and after it", function()
    local grid = astar.grid "....#....#...\n....#....#..."
    grid:link(3, 1, 6, 1, { label = "stairs" })
    grid:link(8, 1, 11, 1, { label = "lift" })
    local path = grid:find_path(1, 1, 13, 1)
    grid:block(12, 1)
    local repaired = path:repair()
    assert.equal("1,1 2,1 3,1 6,1 7,1 8,1 11,1 11,2 12,2 13,2 13,1", drawn(repaired))
    assert.same({ "stairs", "lift" }, { repaired:link(3), repaired:link(6) })
    assert.equal(10, repaired.cost)
    assert.is_true(repaired:is_valid())
    assert.equal("6,1 7,1 8,1 11,1 11,2 12,2 13,2 13,1", drawn(repaired:repair { from = 4 }))
  end)

  it("returns the labels of links that were added after the path was found", function()
    local path, grid = find "S...G"
    grid:block(3, 1)
    grid:link(2, 1, 4, 1, { label = "bridge" })
    assert.equal("bridge", path:repair():link(2))
  end)

  it("returns a path that begins at the unit's cell", function()
    local path, grid = find [[
      S.......G
      .........
    ]]
    grid:block(6, 1)
    assert.equal("3,1", drawn(path:repair { from = 3 }):match "^%S+")
    grid:block(5, 1) -- the unit itself
    assert.equal("5,1", drawn(path:repair { from = 5 }):match "^%S+")
    assert.equal(grid:find_path(4, 1, 9, 1).cost, path:repair({ from = 4, optimal = true }).cost)
  end)

  it("ignores edits behind the unit", function()
    local path, grid = find "S.....G"
    grid:block(2, 1)
    assert.is_nil(path:repair())
    local rest = path:repair { from = 3 }
    assert.equal("3,1 4,1 5,1 6,1 7,1", drawn(rest))
    assert.equal(4, rest.cost)
    assert.equal(4, rest.length)
    assert.equal(0, rest.expanded)
  end)

  it("keeps a path that is still valid, with its present cost", function()
    local path, grid = find("S,,G", nil, { terrain = { ["."] = 1, [","] = 2, ["#"] = false } })
    grid:terrain(",", 3)
    local same = path:repair()
    assert.equal(drawn(path), drawn(same))
    assert.equal(7, same.cost)
    assert.equal(5, path.cost)
  end)

  it("returns no path that enters a dead end and leaves it again", function()
    local path, grid = find [[
      S.........G
      .#########.
      ...........
    ]]
    local closed, far_grid = find [[
      .S.........G.
      .###########.
      .............
    ]]
    grid:block(10, 1)
    far_grid:block(11, 1)
    assert.equal(grid:find_path(1, 1, 11, 1).cost, path:repair().cost)
    local repaired = closed:repair()
    assert.equal(far_grid:find_path(2, 1, 12, 1).cost, repaired.cost)
  end)

  it("returns the reason if there is no route", function()
    local path, grid = find "S..G"
    grid:block(4, 1)
    assert.same({ nil, "goal blocked" }, { path:repair() })
    grid:unblock(4, 1)
    grid:block(3, 1)
    assert.same({ nil, "unreachable" }, { path:repair() })
    grid:set(2, 1, "#")
    assert.same({ nil, "start blocked" }, { path:repair { from = 2 } })
  end)

  it("returns a path near the goal with partial, and to the goal once a route to the goal opens", function()
    local path, grid = find("S...G", { partial = true })
    grid:block(4, 1)
    local near = path:repair()
    assert.is_true(near.partial)
    assert.equal("1,1 2,1 3,1", drawn(near))
    grid:unblock(4, 1)
    local whole = near:repair()
    assert.is_false(whole.partial)
    assert.equal(drawn(path), drawn(whole))
  end)

  it("keeps the option range of the query that found the path", function()
    local path, grid = find([[
      S......G
      ........
    ]], { range = 2 })
    assert.equal(6, #path)
    grid:block(5, 1)
    local repaired = path:repair()
    local x, y = repaired:cell(#repaired)
    assert.is_true(8 - x <= 2 and y <= 2)
  end)

  it("keeps max_cost of the query, and replaces the start of the path if necessary", function()
    local drawing = [[
      S.........G
      ...........
    ]]
    local best = 8 + 2 * math.sqrt(2)
    local path, grid = find(drawing, { max_cost = best })
    grid:block(8, 1)
    assert.is_true(path:repair().cost <= best + 1e-9)
    local short, short_grid = find(drawing, { max_cost = 10.5 })
    short_grid:block(8, 1)
    assert.same({ nil, "max_cost" }, { short:repair() })
  end)

  it("leads a reversed path to the goal of the reversed path", function()
    local path, grid = find [[
      S.......G
      .........
    ]]
    local back = path:reverse()
    grid:block(4, 1)
    local repaired = back:repair()
    assert.equal("9,1", drawn(repaired):match "^%S+")
    assert.equal("1,1", drawn(repaired):match "%S+$")
  end)

  it("calls callbacks, and passes on their errors", function()
    local shut = false
    local path = find("S..\n...\n..G", { cost = function(x, y, _, cost)
      return not (shut and x == 2 and y == 2) and cost
    end })
    assert.equal(3, #path)
    shut = true
    assert.is_false((path:is_valid()))
    assert.equal(5, #path:repair())
    local raise = false
    local other = find("S...G", { cost = function(_, _, _, cost)
      if raise then error({ "mine" }) end
      return cost
    end })
    raise = true
    local ok, message = pcall(other.repair, other)
    assert.is_false(ok)
    assert.same({ "mine" }, message)
    raise = false
    assert.equal(5, #other:repair())
  end)

  it("raises an error if a callback edits the grid", function()
    local grid, edit = astar.grid(6, 3), false
    local path = grid:find_path(1, 1, 6, 1, { cost = function(_, _, _, cost)
      if edit then grid:set(1, 3, "#") end
      return cost
    end })
    edit = true
    assert.matches("^grid was edited during the search: ", select(2, pcall(path.repair, path)))
  end)

  it("raises an error that lists the valid options", function()
    local path = find "S...G"
    assert.equal("from must be an integer from 1 to 5, got 6",
      error_of(function() path:repair { from = 6 } end))
    assert.equal("optimal must be a boolean, got 1",
      error_of(function() path:repair { optimal = 1 } end))
    assert.equal('unknown option "form" (did you mean "from"?)',
      error_of(function() path:repair { form = 6 } end))
  end)
end)

describe("path:is_valid with a first cell", function()
  it("ignores edits behind the first cell that it checks", function()
    local path, grid = find "S.....G"
    grid:block(3, 1)
    assert.same({ false, 3 }, { path:is_valid(2) })
    assert.is_true(path:is_valid(3))
    assert.is_true(path:is_valid(4))
    assert.same({ false, 3 }, { path:is_valid() })
    grid:block(7, 1)
    assert.same({ false, 7 }, { path:is_valid(4) })
  end)

  it("detects every relevant change of the grid", function()
    local path, grid = find "S.....G"
    for x = 2, 7 do
      grid:block(x, 1)
      assert.same({ false, x }, { path:is_valid() })
      grid:unblock(x, 1)
      assert.is_true(path:is_valid())
    end
    grid:terrain(".", false)
    assert.is_false((path:is_valid()))
  end)

  it("calls callbacks each time is_valid is called", function()
    local open = true
    local path = find("S...G", { cost = function(_, _, _, cost) return open and cost end })
    assert.is_true(path:is_valid())
    open = false
    assert.is_false((path:is_valid()))
  end)

  it("does not assume that one-way steps lead back", function()
    local path = find("S...G", { step_cost = function(x, _, nx, _, cost) return nx >= x and cost end })
    assert.same({ false, 2 }, { path:reverse():is_valid() })
  end)
end)

describe("a repaired path", function()
  -- Whether nothing is walked twice; only what was laid so before may be.
  local function assert_no_loop(path, seed)
    local seen = {}
    for x, y in path:cells() do
      assert.is_nil(seen[x .. "," .. y], "seed " .. seed .. " walks a cell twice")
      seen[x .. "," .. y] = true
    end
  end

  local TERRAIN = { ["."] = 1, [","] = 2.5, ["#"] = false }

  local function random_world(dice)
    local width, height, rows = dice:int(1, 14), dice:int(1, 14), {}
    for y = 1, height do
      local row = {}
      for x = 1, width do
        local throw = dice:int(1, 10)
        row[x] = throw <= 2 and "#" or throw <= 4 and "," or "."
      end
      rows[y] = table.concat(row)
    end
    return rows, width, height
  end

  local function random_rules(dice)
    local rules = { diagonals = check.RULES[dice:int(1, 4)], partial = dice:int(1, 4) == 1 }
    if dice:int(1, 3) == 1 then rules.costs = { [","] = 1 } end
    if dice:int(1, 5) == 1 then
      rules.step_cost = function(x, _, nx, _, cost) return nx >= x and cost or cost * 2 end
    end
    return rules
  end

  it("obeys the rules, and is the cheapest path on request, after any edits", function()
    for seed = 1, 1500 do
      local dice = random.new(seed)
      local rows, width, height = random_world(dice)
      local world, rules = oracle.world(rows, { terrain = TERRAIN }), random_rules(dice)
      if seed % 3 == 1 then layers.add_links(dice, world) end
      if seed % 4 == 1 then layers.add_walls(dice, world) end
      local grid = maps.grid(world)
      local finder = grid:finder(rules)
      local sx, sy = dice:int(1, width), dice:int(1, height)
      local gx, gy = dice:int(1, width), dice:int(1, height)
      local path = finder:find_path(sx, sy, gx, gy)
      for _ = 1, path and 4 or 0 do
        for _ = 1, dice:int(0, 3) do
          local x, y = dice:int(1, width), dice:int(1, height)
          if dice:int(1, 2) == 1 then x, y = path:cell(dice:int(1, #path)) end
          local cell, key = oracle.cell(world, x, y), ({ ".", ",", "#" })[dice:int(1, 3)]
          world.blocks[cell] = dice:int(1, 3) == 1 or nil
          world.keys[cell] = key
          grid:set(x, y, key)
          if world.blocks[cell] then grid:block(x, y) else grid:unblock(x, y) end
        end
        local from = dice:int(1, #path)
        local x, y = path:cell(from)
        local distances, entry = oracle.distances(world, rules, x, y)
        local best, best_reason = finder:find_path(x, y, gx, gy)
        local optimal, optimal_reason = path:repair { from = from, optimal = true }
        local repaired, reason = path:repair { from = from }
        assert.equal(best_reason, reason, "seed " .. seed)
        assert.equal(best_reason, optimal_reason, "seed " .. seed)
        if not best then break end
        local what = "seed " .. seed
        local question = { world = world, rules = rules, entry = entry, sx = x, sy = y,
          gx = not repaired.partial and gx or nil, gy = gy }
        local ok, message = pcall(check.path, repaired, question)
        assert.is_true(ok, what .. ": " .. tostring(message))
        assert.equal(drawn(best), drawn(optimal), what)
        local least = distances[oracle.cell(world, repaired:cell(#repaired))]
        assert.is_true(repaired.cost >= least - 1e-9, what)
        assert.equal(best.partial, repaired.partial, what)
        assert_no_loop(repaired, seed)
        if path:is_valid(from) and not path.partial then
          assert.equal(#path - from + 1, #repaired, what)
        end
        path = repaired
      end
    end
  end)

  it("is found even if only the first part of the old path can still be used", function()
    local grid = astar.grid(6, 1)
    grid:wall(2, 1, "west", true)
    grid:link(1, 1, 6, 1, { cost = 50, one_way = true })
    local path = grid:finder({ partial = true }):find_path(1, 1, 6, 1)
    assert.equal(5, path.cost)
    grid:block(5, 1)
    local repaired = path:repair()
    assert.same({ false, 50 }, { repaired.partial, repaired.cost })
    grid:unlink(1, 1, 6, 1)
    repaired = path:repair()
    assert.same({ true, 3 }, { repaired.partial, repaired.cost })
  end)

  it("can be made by the repair of a smoothed path", function()
    for seed = 1, 200 do
      local dice = random.new(seed)
      local grid = astar.grid(40, 20)
      local path = grid:find_path(1, 1, 40, dice:int(1, 20)):smooth()
      local from = dice:int(1, #path - 2)
      local x, y = path:cell(dice:int(from + 1, #path - 1))
      grid:block(x, y)
      local rows = {}
      for i = 1, 20 do rows[i] = ("."):rep(40) end
      local world = oracle.world(rows)
      world.blocks[oracle.cell(world, x, y)] = true
      local repaired = path:repair { from = from }
      local cells = repaired:totable()
      local cost = oracle.walk(world, {}, oracle.entry_costs(world, {}), cells)
      assert.is_true(cost and check.near(cost, repaired.cost), "seed " .. seed)
      local fx, fy = path:cell(from)
      assert.same({ fx, fy }, { repaired:cell(1) }, "seed " .. seed)
    end
  end)
end)
