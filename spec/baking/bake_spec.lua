local astar = require "astar"
local check = require "spec.support.check"
local random = require "spec.support.random"

local RULES = { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" }

-- A field of walls, dense enough that the plain estimate goes astray often.
local function tangled(side)
  local grid = astar.grid(random.new(3):scatter(side, side, 0.3))
  grid:fill(1, 1, side, 1, ".") -- a way round
  grid:fill(side, 1, 1, side, ".")
  grid:fill(1, side, side, 1, ".")
  return grid
end

local function rows_of(width, height, key_of)
  local rows = {}
  for y = 1, height do
    rows[y] = {}
    for x = 1, width do rows[y][x] = key_of() end
  end
  return rows
end

describe("bake", function()
  it("saves expansions, and the route costs as much as without baking", function()
    local grid = tangled(60)
    local finder = grid:finder()
    local before = finder:find_path(1, 60, 60, 1)
    local baked = finder:bake { pivots = 4 }
    local after = finder:find_path(1, 60, 60, 1)
    check.equal_cost(before.cost, after.cost, "the route")
    assert.is_true(after.expanded < before.expanded)
    assert.equal(4, baked.pivots)
    assert.equal(60 * 60 * 4 * 4, baked.bytes)
    assert.is_true(baked.gain >= 1.5 and baked.milliseconds >= 0)
  end)

  it("reports its memory, which grows by groups of four pivots", function()
    local finder = tangled(60):finder()
    assert.equal(60 * 60 * 4 * 8, finder:bake { pivots = 5 }.bytes)
    assert.equal(60 * 60 * 4 * 4, finder:bake { pivots = 2 }.bytes)
    local left = finder:bake { pivots = 0 }
    assert.same({ pivots = 0, bytes = 0, gain = 1 },
      { pivots = left.pivots, bytes = left.bytes, gain = left.gain })
  end)

  it("bakes estimates for the search by grid steps only if the finder has any_angle", function()
    local grid = tangled(60)
    assert.equal(grid:finder():bake { pivots = 4 }.gain, grid:finder({ any_angle = true }):bake { pivots = 4 }.gain)
  end)

  it("stores nothing that does not save expansions", function()
    local baked = astar.grid(40, 40):finder():bake { pivots = 4 }
    assert.equal(0, baked.pivots)
    assert.equal(0, baked.bytes)
    assert.is_true(baked.gain < 1.5)
  end)

  it("raises an error if the finder has options that estimates cannot honour", function()
    local grid = tangled(30)
    assert.equal(0, grid:finder({ avoid = astar.field(grid) }):bake { pivots = 4 }.pivots)
    assert.equal(0, grid:finder({ range = 1 }):bake { pivots = 4 }.pivots)
    assert.equal(0, grid:finder({ cost = function(_, _, _, cost) return cost end }):bake { pivots = 4 }.pivots)
    assert.equal(0, astar.grid(3, 3, { fill = "#", terrain = { ["#"] = false } }):finder():bake { pivots = 4 }.pivots)
    assert.equal(0, astar.grid(1, 1):finder():bake { pivots = 4 }.pivots)
  end)

  it("saves expansions over terrain of several costs, with two tables per pivot", function()
    local rough = random.new(5)
    local grid = astar.grid(rows_of(80, 80, function()
      return rough:chance(0.1) and "#" or rough:pick { ".", ",", "~" }
    end), { terrain = { ["."] = 1, [","] = 2, ["~"] = 5, ["#"] = false } })
    grid:fill(1, 1, 1, 80, "~")
    for _, algorithm in ipairs { "astar", "jpsw" } do
      local finder = grid:finder { algorithm = algorithm }
      local before = finder:find_path(1, 80, 80, 1)
      local baked = finder:bake { pivots = 4 }
      local after = finder:find_path(1, 80, 80, 1)
      assert.equal(before.cost, after.cost)
      assert.is_true(after.expanded < before.expanded / 2)
      assert.same({ 4, 80 * 80 * 4 * 8 }, { baked.pivots, baked.bytes })
    end
  end)

  it("saves expansions for a finder with a weight, and keeps routes within the factor of weight", function()
    for seed = 1, 20 do
      local r = random.new(seed)
      local grid = astar.grid(rows_of(50, 50, function()
        return r:chance(0.15) and "#" or r:pick { ".", ",", "~" }
      end), { terrain = { ["."] = 1, [","] = 2, ["~"] = 5, ["#"] = false } })
      local plain, question = grid:finder { algorithm = "astar" }, grid:finder()
      local option, without = grid:finder { weight = 1.3 }, grid:finder { weight = 1.3 }
      local saved = 0
      assert.equal(16, question:bake({ pivots = 16 }).pivots)
      assert.equal(3, option:bake({ pivots = 3 }).pivots)
      for i = 1, 40 do
        local weight = r:pick { 1, 1.05, 2 }
        grid:set(r:int(1, 50), r:int(1, 50), r:pick { ".", "~", "#" })
        if i % 10 == 0 then grid:link(r:int(1, 25), r:int(1, 50), r:int(26, 50), r:int(1, 50), { cost = 3 }) end
        local sx, sy, gx, gy = r:int(1, 50), r:int(1, 50), r:int(1, 50), r:int(1, 50)
        local best = plain:find_path(sx, sy, gx, gy)
        if best then
          local path = question:find_path(sx, sy, gx, gy, { weight = weight })
          local wide = option:find_path(sx, sy, gx, gy)
          local where = ("seed %d, edit %d, weight %g"):format(seed, i, weight)
          assert.is_true(path.cost >= best.cost - 1e-9 and path.cost <= weight * best.cost + 1e-9, where)
          assert.is_true(wide.cost >= best.cost - 1e-9 and wide.cost <= 1.3 * best.cost + 1e-9, where)
          saved = saved + without:find_path(sx, sy, gx, gy).expanded - wide.expanded
        end
      end
      assert.is_true(saved > 0, "seed " .. seed)
    end
  end)

  -- More is brought nearer by a gate than an edit makes up for.
  it("keeps routes within the factor of weight when gates open", function()
    local terrain = { ["."] = 1, [","] = 2, ["~"] = 5, ["^"] = 8, ["#"] = false }
    for seed = 1, 30 do
      local r = random.new(seed)
      local side = r:int(20, 60)
      local grid = astar.grid(rows_of(side, side, function()
        return r:chance(0.1) and "#" or r:pick { ".", ",", "~", "^" }
      end), { terrain = terrain })
      local wall, plain, finder = math.floor(side / 2), grid:finder { algorithm = "astar" }, grid:finder()
      grid:fill(1, wall, side - 1, 1, "#")
      finder:bake { method = "landmarks", pivots = r:int(1, 16) }
      for i = 1, 30 do
        if r:chance(0.3) then
          grid:set(r:int(1, side), wall, r:pick { ".", "^" })
        else
          grid:set(r:int(1, side), r:int(1, side), r:pick { ".", "#", "^" })
        end
        local weight = r:pick { 1, 1.01, 1.1, 1.5, 3 }
        local sx, sy, gx, gy = r:int(1, side), r:int(1, side), r:int(1, side), r:int(1, side)
        local best = plain:find_path(sx, sy, gx, gy)
        local path = finder:find_path(sx, sy, gx, gy, { weight = weight })
        assert.is_true(best == nil and path == nil or path.cost <= best.cost * weight + 1e-9 and
          path.cost >= best.cost - 1e-9, ("seed %d, edit %d, weight %g"):format(seed, i, weight))
      end
    end
  end)

  it("makes the finder use A* if jump point search would save little", function()
    local r, rough = random.new(5), random.new(3):scatter(80, 80, 0.1)
    local grid = astar.grid(rough, { terrain = { ["."] = 1, [","] = 0.9, ["#"] = false } })
    grid:fill(1, 1, 80, 1, ".")
    grid:fill(80, 1, 1, 80, ".")
    for _ = 1, 105 do
      local x, y = r:int(1, 80), r:int(2, 80)
      if grid:get(x, y) == "." then grid:set(x, y, ",") end
    end
    local finder = grid:finder()
    local jumped = grid:find_path(1, 1, 80, 80, { algorithm = "jpsw" })
    assert.equal(4, finder:bake({ pivots = 4 }).pivots)
    local path = finder:find_path(1, 1, 80, 80)
    assert.equal("astar", path.algorithm)
    assert.equal(jumped.cost, path.cost)
  end)

  it("still saves expansions when walls are removed, and saves more after the map is baked again", function()
    local grid = tangled(60)
    local finder, plain = grid:finder(), grid:finder()
    local function expanded(by) return by:find_path(1, 60, 60, 1).expanded end
    finder:bake { pivots = 4 }
    for x = 20, 50, 10 do
      grid:set(x, x, grid:get(x, x) == "#" and "." or "#")
      assert.equal(plain:find_path(1, 60, 60, 1).cost, finder:find_path(1, 60, 60, 1).cost)
      assert.is_true(expanded(finder) < expanded(plain))
    end
    grid:fill(20, 1, 1, 60, ".") -- a street through
    local path = finder:find_path(20, 1, 20, 60)
    assert.equal(59, path.cost)
    check.equal_cost(plain:find_path(1, 60, 60, 1).cost, finder:find_path(1, 60, 60, 1).cost,
      "across the gap")
    local before = expanded(finder)
    assert.is_true(before <= expanded(plain))
    finder:bake { pivots = 4 }
    assert.is_true(expanded(finder) < before)
  end)

  it("is no longer used by queries after more edits than the baked estimates can absorb", function()
    local grid = tangled(60)
    local finder, plain = grid:finder(), grid:finder { algorithm = "jps" }
    finder:bake { pivots = 4 }
    grid:fill(10, 10, 40, 40, ".")
    assert.equal(plain:find_path(1, 60, 60, 1).expanded, finder:find_path(1, 60, 60, 1).expanded)
  end)

  it("lets running searches continue from their start, to a route of the same cost", function()
    for steps = 1, 400, 13 do
      local finder = tangled(60):finder()
      local expected = finder:find_path(1, 60, 60, 1)
      local search, queue = finder:search(1, 60, 60, 1), astar.queue()
      local ticket = queue:request(finder, 1, 60, 60, 1)
      search:step(steps)
      queue:update { expansions = steps }
      assert.equal("running", search.status)
      assert.equal(4, finder:bake { pivots = 4 }.pivots)
      assert.equal("running", search:step(1))
      assert.equal(1, search.expanded)
      if steps % 2 == 0 then finder:bake { pivots = 0 } end
      while search:step(steps) == "running" do end
      while queue:update { expansions = steps } > 0 do end
      assert.equal("found", search.status)
      check.equal_cost(expected.cost, search:path().cost, "the search's route")
      check.equal_cost(expected.cost, ticket:path().cost, "the queue's route")
      assert.equal(finder:find_path(1, 60, 60, 1).expanded, search.expanded)
      assert.equal(0, ticket.restarts)
    end
  end)

  it("stores no distances that are too large for its integers", function()
    local width, rows = 1000, 546
    local grid = astar.grid(width, 2 * rows - 1)
    for i = 1, rows - 1 do -- a corridor of 546,000 cells that winds through the map
      grid:fill(1, 2 * i, width, 1, "#")
      grid:set(i % 2 == 1 and width or 1, 2 * i, ".")
    end
    local finder = grid:finder { diagonal_cost = 8192 / 8191 } -- steps of about 8000
    local baked = finder:bake { pivots = 4 }
    assert.same({ 0, 0, 1 }, { baked.pivots, baked.bytes, baked.gain })
    assert.equal(rows * (width - 1) + 2 * (rows - 1), finder:find_path(1, 1, 1, 2 * rows - 1).cost)
  end)

  it("still saves expansions while walls are built, one at a time or many together", function()
    local grid = tangled(60)
    local finder, plain = grid:finder(), grid:finder()
    finder:bake { pivots = 4 }
    grid:block(20, 20, 1, 5)
    for x = 1, 60, 7 do grid:fill(x, 31, 3, 1, "#") end
    grid:fill(30, 30, 1, 1, "#")
    local with, without = finder:find_path(1, 60, 60, 1), plain:find_path(1, 60, 60, 1)
    check.equal_cost(without.cost, with.cost, "the route")
    assert.is_true(with.expanded < without.expanded)
  end)

  for _, rule in ipairs(RULES) do
    it("never makes a route more expensive after any edit, with diagonals " .. rule, function()
      for seed = 1, 60 do
        local source = random.new(seed)
        local width, height = source:int(1, 40), source:int(1, 40)
        local grid = astar.grid(source:scatter(width, height, source:pick { 0, 0.1, 0.3, 0.45 }))
        local options = { diagonals = rule, diagonal_cost = source:pick { 1, 1.4, 2 ^ 0.5, 2 } }
        local finder = grid:finder(options)
        options.algorithm = "astar"
        local plain = grid:finder(options)
        local baked = finder:bake { pivots = source:int(1, 8) }
        for _ = 1, 15 do
          local sx, sy = source:int(1, width), source:int(1, height)
          local gx, gy = source:int(1, width), source:int(1, height)
          local path, reason = finder:find_path(sx, sy, gx, gy)
          local expected, why = plain:find_path(sx, sy, gx, gy)
          assert.equal(why, reason)
          if path then
            assert.is_true(path:is_valid())
            check.equal_cost(expected.cost, path.cost,
              ("seed %d, %d pivots, (%d, %d) to (%d, %d)"):format(seed, baked.pivots, sx, sy, gx, gy))
          end
          if source:chance(0.5) then
            grid:set(source:int(1, width), source:int(1, height), source:pick { "#", "#", "." })
          end
        end
      end
    end)
  end

  local SIDES = { "north", "east", "south", "west" }
  local KEYS = { ".", ",", "~", "#" }

  -- What may be edited: each a list of functions of a grid, dice and a cell.
  local EDITS = {
    ground = { function(grid, dice, x, y) grid:set(x, y, dice:pick(KEYS)) end,
      function(grid, dice, x, y)
        local width, height = grid:size()
        grid:fill(x, y, dice:int(1, math.min(6, width - x + 1)), dice:int(1, math.min(6, height - y + 1)),
          dice:pick(KEYS))
      end },
    blocks = { function(grid, _, x, y) grid:block(x, y) end, function(grid, _, x, y) grid:unblock(x, y) end },
    walls = { function(grid, dice, x, y) grid:wall(x, y, dice:pick(SIDES), dice:chance(0.5)) end,
      function(grid, dice, x, y) grid:unwall(x, y, dice:pick(SIDES)) end,
      function(grid, _, x, y) grid:unblock(x, y) end },
    links = { function(grid, dice, x, y)
        local width, height = grid:size()
        local to_x, to_y = dice:int(1, width), dice:int(1, height)
        if to_x ~= x or to_y ~= y then
          grid:link(x, y, to_x, to_y, { cost = dice:pick { 0.2, 1, 7 }, one_way = dice:chance(0.5) })
        end
      end,
      function(grid, _, x, y) grid:block(x, y) end, function(grid, _, x, y) grid:unblock(x, y) end },
    prices = { function(grid, dice) grid:terrain(dice:pick { ",", "~" }, dice:pick { 0.5, 1, 2, 4 }) end,
      function(grid, dice, x, y) grid:set(x, y, dice:pick(KEYS)) end },
  }

  -- A random map and two finders of the same random unit on it.
  local function rough_world(dice)
    local width, height = dice:int(1, 40), dice:int(1, 40)
    local walls, kinds = dice:pick { 0, 0.1, 0.3 }, dice:int(1, 3)
    local rows = rows_of(width, height, function()
      return dice:chance(walls) and "#" or KEYS[dice:int(1, kinds)]
    end)
    local grid = astar.grid(rows, { terrain = { ["."] = dice:pick { 1, 0.3 }, [","] = dice:pick { 2, 1.7, 0.5 },
      ["~"] = dice:pick { 5, 50 }, ["#"] = false } })
    local options = { diagonals = dice:pick(RULES), diagonal_cost = dice:pick { 1, 1.4, 2 ^ 0.5, 2 },
      size = dice:pick { 1, 1, 2, 3 }, algorithm = dice:pick { "auto", "auto", "astar" } }
    if dice:chance(0.3) then options.costs = { [","] = dice:pick { 0.7, 4 } } end
    local baked = grid:finder(options)
    options.algorithm = "dijkstra"
    return grid, baked, grid:finder(options)
  end

  local function expect_same(plain, path, reason, sx, sy, gx, gy, what)
    local expected, why = plain:find_path(sx, sy, gx, gy)
    assert.equal(why, reason, what)
    if path then
      assert.is_true(path:is_valid(), what)
      check.equal_cost(expected.cost, path.cost, what)
    end
  end

  for _, kind in ipairs { "ground", "blocks", "walls", "links", "prices" } do
    it("never makes a route over several costs more expensive after any edit of its " .. kind, function()
      for seed = 1, 60 do
        local dice = random.new(seed)
        local grid, baked, plain = rough_world(dice)
        local width, height = grid:size()
        local function edit() dice:pick(EDITS[kind])(grid, dice, dice:int(1, width), dice:int(1, height)) end
        for _ = 1, dice:pick { 0, 6 } do edit() end
        baked:bake { pivots = dice:int(1, 8) }
        for _ = 1, 15 do
          local sx, sy, gx, gy = dice:int(1, width), dice:int(1, height), dice:int(1, width), dice:int(1, height)
          local what = ("seed %d, (%d, %d) to (%d, %d)"):format(seed, sx, sy, gx, gy)
          local path, reason = baked:find_path(sx, sy, gx, gy)
          expect_same(plain, path, reason, sx, sy, gx, gy, what)
          local search = baked:search(sx, sy, gx, gy)
          while search:step(dice:int(1, 30)) == "running" do
            if dice:chance(0.3) then edit() end
          end
          if search.status == "found" and search.restarts <= 3 then -- else of a copy
            expect_same(plain, search:path(), nil, sx, sy, gx, gy, what .. " in steps")
            local fresh = baked:find_path(sx, sy, gx, gy)
            assert.same(fresh:cells_flat(), search:path():cells_flat(), what)
          end
          if dice:chance(0.5) then edit() end
        end
      end
    end)
  end

  it("does not restart the requests of a queue after an edit far away", function()
    local dice = random.new(9)
    local grid = astar.grid(rows_of(60, 60, function() return dice:pick { ".", ",", "~" } end),
      { terrain = { ["."] = 1, [","] = 2, ["~"] = 5, ["#"] = false } })
    local finder, queue = grid:finder(), astar.queue()
    finder:bake { pivots = 4 }
    local ticket = queue:request(finder, 1, 1, 20, 20)
    local version = 0
    while queue:update { expansions = 5 } > 0 do
      version = version + 1
      grid:set(60, 60, version % 2 == 0 and "." or "~")
    end
    assert.equal(0, ticket.restarts)
    assert.equal(grid:find_path(1, 1, 20, 20).cost, ticket:path().cost)
  end)
end)
