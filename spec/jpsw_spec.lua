-- Jump point search where some cells are irregular: what it jumps over, where it is chosen, and that
-- its routes are as cheap as A*'s and, on the smaller maps of nonuniform_spec.lua, the oracle's.

local astar = require "astar"
local check = require "spec.support.check"
local random = require "spec.support.random"

local TERRAIN = { ["."] = 1, g = 1, f = 1.3, s = 2.5, r = 0.7, ["#"] = false }

-- Grass everywhere but for a rectangle of swamp in the middle.
local function swamp(side)
  local grid = astar.grid(side, side, { terrain = TERRAIN, fill = "." })
  grid:fill(math.floor(side / 3), math.floor(side / 4), math.floor(side / 3), math.floor(side / 2), "s")
  return grid
end

local function noise(seed, width, height)
  local source, rows = random.new(seed), {}
  for y = 1, height do
    rows[y] = {}
    for x = 1, width do rows[y][x] = source:pick { ".", "f", "s", "r" } end
  end
  return astar.grid(rows, { terrain = TERRAIN })
end

describe("jump point search over several costs", function()
  it("is chosen by the algorithm auto if the terrain lies in patches", function()
    local path = swamp(60):find_path(1, 30, 60, 31)
    assert.equal("jpsw", path.algorithm)
    assert.is_true(path:is_valid())
  end)

  it("expands fewer cells than A*, for routes of the same cost", function()
    local grid = swamp(90)
    local jumped = grid:find_path(1, 45, 90, 50)
    local plain = grid:find_path(1, 45, 90, 50, { algorithm = "astar" })
    assert.equal("jpsw", jumped.algorithm)
    check.equal_cost(plain.cost, jumped.cost, "jumped")
    assert.is_true(2 * jumped.expanded < plain.expanded)
  end)

  it("is not chosen if neighbouring cells rarely have the same cost", function()
    assert.equal("astar", noise(1, 40, 40):find_path(1, 1, 40, 40).algorithm)
    local path = noise(1, 40, 40):find_path(1, 1, 40, 40, { algorithm = "jpsw" })
    assert.equal("jpsw", path.algorithm)
    check.equal_cost(noise(1, 40, 40):find_path(1, 1, 40, 40).cost, path.cost, "by name")
  end)

  it("is not chosen if a field to avoid changes everywhere", function()
    local grid = astar.grid(60, 60)
    local field = astar.field(grid)
    local finder = grid:finder { avoid = field }
    assert.equal("jpsw", finder:find_path(1, 1, 60, 60).algorithm)
    field:stamp(30, 30, 100, 7)
    assert.equal("astar", finder:find_path(1, 1, 60, 60).algorithm)
    field:decay(0)
    field:fill(1, 1, 60, 60, 3)
    assert.equal("jpsw", finder:find_path(1, 1, 60, 60).algorithm)
  end)

  it("treats terrains that cost the unit the same as one terrain", function()
    local source, grid = random.new(3), swamp(60)
    for y = 1, 60 do
      for x = 1, 60 do
        if grid:get(x, y) == "." and source:chance(0.5) then grid:set(x, y, "g") end
      end
    end
    assert.equal("jpsw", grid:find_path(1, 30, 60, 31).algorithm)
    assert.equal("astar", grid:find_path(1, 30, 60, 31, { costs = { g = 1.1 } }).algorithm)
    assert.equal("jpsw", grid:find_path(1, 30, 60, 31, { costs = { g = 1.1, ["."] = 1.1 } }).algorithm)
  end)

  it("uses the present terrain after edits, small and large", function()
    local grid = swamp(60)
    local finder = grid:finder()
    local function chosen() return finder:find_path(1, 30, 60, 31).algorithm end
    assert.equal("jpsw", chosen())
    for y = 2, 60, 2 do
      for x = 2, 60, 2 do grid:set(x, y, "f") end
    end
    assert.equal("astar", chosen())
    grid:fill(1, 1, 60, 60, ".")
    assert.equal("jps", chosen())
    grid:fill(20, 20, 9, 9, "s")
    assert.equal("jpsw", chosen())
    grid:block(2, 2, 58, 58)
    assert.equal("jpsw", chosen()) -- what lies under blocks does not count
    for y = 1, 10 do grid:set(1, y, y % 2 == 0 and "f" or "s") end
    assert.equal("jpsw", chosen())
    for x = 1, 60 do grid:set(x, 1, x % 2 == 0 and "f" or "s") end
    assert.equal("astar", chosen())
    grid:fill(1, 1, 60, 1, ".")
    grid:fill(1, 1, 1, 60, ".")
    grid:unblock(1, 1, 60, 60)
    assert.equal("jpsw", chosen())
    local again = astar.load(grid:dump())
    assert.same(again:find_path(1, 30, 60, 31):cells_flat(), finder:find_path(1, 30, 60, 31):cells_flat())
  end)

  it("runs in steps, and respects its budgets", function()
    local grid = swamp(90)
    local finder = grid:finder()
    local whole = finder:find_path(1, 45, 90, 50)
    local search = finder:search(1, 45, 90, 50)
    while search:step(3) == "running" do end
    assert.same(whole:cells_flat(), search:path():cells_flat())
    assert.equal(whole.expanded, search.expanded)
    assert.equal("jpsw", search.algorithm)
    local function reason(options)
      local _, why = grid:find_path(1, 45, 90, 50, options)
      return why
    end
    assert.equal("max_expansions", reason { max_expansions = whole.expanded - 1 })
    assert.equal("max_cost", reason { max_cost = whole.cost - 0.01 })
    assert.equal("jpsw", grid:find_path(1, 45, 90, 50, { max_cost = whole.cost }).algorithm)
  end)

  it("is not chosen for options that jump point search cannot honour", function()
    local grid = swamp(60)
    local function chosen(options) return grid:find_path(1, 30, 60, 31, options).algorithm end
    for _, options in ipairs {
      { weight = 1.5 }, { range = 1 }, { heuristic = "euclidean" },
      { cost = function(_, _, _, cost) return cost end },
    } do
      assert.equal("astar", chosen(options))
    end
    assert.equal("jpsw", chosen { diagonal_cost = 2 })
    assert.equal("jpsw", chosen { avoid = astar.field(grid) })
    grid:wall(5, 5, "south")
    grid:link(1, 1, 60, 60)
    assert.equal("jpsw", chosen())
  end)

  -- Patches with sides around the words of the bitmaps, and longer than any run, against A*.
  local SIDES = { 1, 2, 7, 33, 62, 63, 64, 65, 66, 126, 128, 130, 300 }
  local function random_grid(source)
    local width, height = source:pick(SIDES), source:pick(SIDES)
    local grid = astar.grid(width, height, { terrain = TERRAIN, fill = "." })
    for _ = 1, source:int(0, 30) do
      local x, y = source:int(1, width), source:int(1, height)
      local w, h = source:int(1, width - x + 1), source:int(1, height - y + 1)
      if source:chance(0.5) then w, h = math.min(w, 3), math.min(h, 3) end
      grid:fill(x, y, w, h, source:pick { ".", "g", "f", "s", "r", source:chance(0.3) and "#" or "s" })
    end
    return grid
  end

  local function differs(finder, plain, source, width, height)
    local sx, sy = source:int(1, width), source:int(1, height)
    local gx, gy = source:int(1, width), source:int(1, height)
    local path, reason = finder:find_path(sx, sy, gx, gy)
    local expected, why = plain:find_path(sx, sy, gx, gy)
    if path and path:is_valid() and expected and check.near(path.cost, expected.cost)
      or not path and reason == why then return nil end
    return ("(%d, %d) to (%d, %d): %s instead of %s"):format(sx, sy, gx, gy,
      path and path.cost or reason, expected and expected.cost or why)
  end

  local function edit(grid, source, width, height)
    local x, y = source:int(1, width), source:int(1, height)
    local w, h = source:int(1, math.min(4, width - x + 1)), source:int(1, math.min(4, height - y + 1))
    local kind = source:int(1, 4)
    if kind == 1 then grid:block(x, y, w, h)
    elseif kind == 2 then grid:unblock(1, 1, width, height)
    else grid:fill(x, y, w, h, source:pick { ".", "g", "f", "s", "r", "#" }) end
  end

  for _, rule in ipairs { "always", "if_at_most_one_obstacle", "only_when_no_obstacles", "never" } do
    it("finds routes of the costs that A* finds if diagonals are allowed " .. rule, function()
      for seed = 1, 120 do
        local source = random.new(seed)
        local grid = random_grid(source)
        local width, height = grid:size()
        local options = {
          diagonals = rule, diagonal_cost = source:pick { 1, 1.4, 2 ^ 0.5, 1.9 },
          size = source:chance(0.3) and source:int(2, 4) or 1, algorithm = "jpsw",
        }
        if source:chance(0.2) then options.costs = { s = source:pick { 1, 40, false }, r = 1.3 } end
        local finder = grid:finder(options)
        options.algorithm = "astar"
        local plain = grid:finder(options)
        for _ = 1, 10 do
          local mistake = differs(finder, plain, source, width, height)
          assert.is_nil(mistake, ("seed %d: %s"):format(seed, tostring(mistake)))
          edit(grid, source, width, height)
        end
      end
    end)
  end

  it("is chosen for a far goal among blocks if one cell is cheaper, and expands a small part of the map", function()
    for _, share in ipairs { 0.1, 0.2 } do
      local grid = astar.grid(random.new(1):scatter(200, 200, share), { terrain = TERRAIN })
      grid:fill(1, 1, 200, 1, ".")
      grid:fill(200, 1, 1, 200, ".")
      grid:set(100, 1, "r")
      local finder, plain = grid:finder(), grid:finder { algorithm = "dijkstra" }
      local path, other = finder:find_path(1, 1, 200, 200), plain:find_path(1, 1, 200, 200)
      assert.equal("jpsw", path.algorithm)
      check.equal_cost(other.cost, path.cost, "share " .. share)
      assert.is_true(path.expanded < other.expanded / 4, path.expanded .. " of " .. other.expanded)
    end
  end)

  it("needs little more work without diagonals if a cheaper cell lies beside the route", function()
    local rows = random.new(2):scatter(200, 200, 0.1)
    local clean, odd = astar.grid(rows, { terrain = TERRAIN }), astar.grid(rows, { terrain = TERRAIN })
    for _, grid in ipairs { clean, odd } do
      grid:fill(1, 1, 1, 200, ".")
      grid:fill(1, 100, 100, 1, ".")
    end
    odd:set(1, 200, "r")
    local options = { diagonals = "never", algorithm = "jpsw" }
    local path, other = odd:find_path(1, 1, 100, 100, options), clean:find_path(1, 1, 100, 100, options)
    local plain = odd:find_path(1, 1, 100, 100, { diagonals = "never", algorithm = "dijkstra" })
    check.equal_cost(plain.cost, path.cost, "odd")
    assert.is_true(path.expanded <= 2 * other.expanded + 10, path.expanded .. " of " .. other.expanded)
  end)

  it("adds little work for a few cheaper cells, scattered or in a patch", function()
    local places = {
      function(grid) grid:fill(80, 80, 9, 9, "r") end,
      function(grid)
        local source = random.new(5)
        for _ = 1, 30 do grid:set(source:int(2, 200), source:int(2, 200), "r") end
      end,
    }
    local rows = random.new(3):scatter(200, 200, 0.1)
    for number, place in ipairs(places) do
      for _, rule in ipairs { "always", "never" } do
        local clean, odd = astar.grid(rows, { terrain = TERRAIN }), astar.grid(rows, { terrain = TERRAIN })
        for _, grid in ipairs { clean, odd } do
          grid:fill(1, 1, 1, 200, ".")
          grid:fill(1, 200, 200, 1, ".")
        end
        place(odd)
        local options, message = { diagonals = rule }, number .. " " .. rule
        local path, other = odd:find_path(1, 1, 200, 200, options), clean:find_path(1, 1, 200, 200, options)
        local plain = odd:find_path(1, 1, 200, 200, { diagonals = rule, algorithm = "dijkstra" })
        assert.equal("jpsw", path.algorithm, message)
        check.equal_cost(plain.cost, path.cost, message)
        local most = 4 * other.expanded + 300
        assert.is_true(path.expanded <= most, ("%s: %d of %d"):format(message, path.expanded, other.expanded))
      end
    end
  end)

  it("finds the routes of the edited map after edits of large rectangles", function()
    for seed = 1, 6 do
      local source = random.new(seed)
      local grid = astar.grid(source:scatter(260, 230, source:pick { 0, 0.02, 0.3 }), { terrain = TERRAIN })
      local finders = {}
      for i, rule in ipairs { "always", "only_when_no_obstacles", "never" } do
        finders[i] = { grid:finder { diagonals = rule }, grid:finder { diagonals = rule, algorithm = "dijkstra" } }
      end
      for _ = 1, 12 do
        local x, y = source:int(1, 190), source:int(1, 160)
        grid[source:pick { "block", "unblock" }](grid, x, y, source:int(20, 70), source:int(20, 70))
        for _, pair in ipairs(finders) do
          local sx, sy, gx, gy = source:int(1, 260), source:int(1, 230), source:int(1, 260), source:int(1, 230)
          local path, plain = pair[1]:find_path(sx, sy, gx, gy), pair[2]:find_path(sx, sy, gx, gy)
          assert.equal(plain ~= nil, path ~= nil, "seed " .. seed)
          if path then check.equal_cost(plain.cost, path.cost, "seed " .. seed) end
        end
      end
    end
  end)

  -- The number of cheaper cells that the estimate lists grows with the square of the distance, up to a limit.
  it("finds the cheapest routes beside cheaper cells if the square of the distance exceeds 32 bits", function()
    for _, case in ipairs { { 50000, 0 }, { 50000, 600 }, { 50000, 20000 }, { 100000, 0 } } do
      local far, blocked = case[1], case[2]
      local grid = astar.grid(30, far + 30, { terrain = TERRAIN, fill = "s" })
      grid:fill(14, 50, 2, 5, "g")
      if blocked > 0 then -- cells that no route enters
        grid:fill(3, 1000, 4, blocked, "g")
        grid:block(3, 1000, 4, blocked)
      end
      local message = ("%d cells, %d rows of blocks"):format(far, blocked)
      local path = grid:find_path(5, 2, 7, far, { algorithm = "jpsw" })
      local plain = grid:find_path(5, 2, 7, far, { algorithm = "dijkstra" })
      check.equal_cost(plain.cost, path.cost, message)
    end
  end)
end)
