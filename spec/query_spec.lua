-- What a question has its own way: the same answer as from a finder made so, and nothing changed for
-- the questions after it.

local astar = require "astar"
local maps = require "spec.support.maps"
local random = require "spec.support.random"

local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1
local MAPS = 60

local function merge(a, b)
  local merged = {}
  for name, value in pairs(a) do merged[name] = value end
  for name, value in pairs(b) do merged[name] = value end
  return merged
end

local function random_grid(r)
  local rows = {}
  for y = 1, 10 do
    rows[y] = {}
    for x = 1, 12 do rows[y][x] = r:chance(0.35) and "#" or r:chance(0.2) and "," or "." end
  end
  return astar.grid(rows, { terrain = { ["."] = 1, [","] = 3, ["#"] = false } })
end

-- An answer in words, to be compared.
local function tell(path, reason)
  if not path then return reason end
  return ("%.9g %s %s %d %s"):format(path.cost, tostring(path.partial), path.algorithm, path.expanded,
    table.concat(path:cells_flat(), ","))
end

local UNITS = {
  {}, { diagonals = "never" }, { algorithm = "astar" }, { weight = 3, range = 2 }, { partial = true, max_cost = 6 },
  { max_expansions = 5, algorithm = "astar" }, { any_angle = true },
  { cost = function(x, _, _, cost) return x % 4 == 0 and 2 * cost or cost end },
  { step_cost = function(x, _, nx, _, cost) return nx > x and cost or 2 * cost end },
  { size = 2 },
}
local QUERIES = {
  {}, { range = 1 }, { range = 0 }, { range = 3, partial = true }, { partial = true }, { partial = false },
  { max_cost = 5 }, { max_cost = math.huge }, { max_expansions = 7 }, { weight = 1 }, { weight = 4 },
  { partial = true, max_cost = 4 }, { partial = true, max_expansions = 6 }, { weight = 2, range = 1, partial = true },
}

local function each_map(body)
  for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
    local r = random.new(seed)
    local grid = random_grid(r)
    local function x() return r:int(1, 12) end
    local function y() return r:int(1, 10) end
    for _, unit in ipairs(UNITS) do
      local question = r:pick(QUERIES)
      local ok, problem = pcall(body, grid, unit, question, x(), y(), x(), y(), r)
      assert(ok, ("seed %d: %s"):format(seed, tostring(problem)))
    end
  end
end

describe("a query with options", function()
  it("returns the result of a finder that was made with those options", function()
    each_map(function(grid, unit, question, sx, sy, gx, gy)
      local finder, other = grid:finder(unit), grid:finder(merge(unit, question))
      local before = tell(finder:find_path(sx, sy, gx, gy))
      assert.equal(tell(other:find_path(sx, sy, gx, gy)), tell(finder:find_path(sx, sy, gx, gy, question)))
      assert.equal(before, tell(finder:find_path(sx, sy, gx, gy)))
    end)
  end)

  it("returns in steps the result of a finder with those options, and shows the same cells", function()
    each_map(function(grid, unit, question, sx, sy, gx, gy)
      local function run(search)
        local seen = {}
        while search:step(3) == "running" do end
        for x, y, state, g, h, f in search:cells() do
          seen[#seen + 1] = ("%d %d %s %.9g %.9g %.9g"):format(x, y, state, g, h, f)
        end
        return search.status .. tell(search:path()) .. table.concat(seen, ";")
      end
      assert.equal(run(grid:finder(merge(unit, question)):search(sx, sy, gx, gy)),
        run(grid:finder(unit):search(sx, sy, gx, gy, question)))
    end)
  end)

  it("returns the goal that a finder with those options finds among several goals", function()
    each_map(function(grid, unit, question, sx, sy, gx, gy, r)
      local goals = { { gx, gy } }
      for i = 2, r:int(1, 4) do goals[i] = { r:int(1, 12), r:int(1, 10) } end
      local finder, other = grid:finder(unit), grid:finder(merge(unit, question))
      local expected, which = other:find_nearest(sx, sy, goals)
      local path, index = finder:find_nearest(sx, sy, goals, question)
      assert.equal(tell(expected, which), tell(path, index))
      assert.equal(which, index)
      local function is_goal(_, y) return y == gy end
      assert.equal(tell(other:find_nearest(sx, sy, is_goal)), tell(finder:find_nearest(sx, sy, is_goal, question)))
    end)
  end)

  it("returns the route that a finder with those options finds over links", function()
    each_map(function(grid, unit, question, sx, sy, gx, gy, r)
      if unit.size then return end
      local linked = grid:clone()
      linked:link(r:int(1, 6), r:int(1, 10), r:int(7, 12), r:int(1, 10), { cost = 2 })
      assert.equal(tell(linked:finder(merge(unit, question)):find_path(sx, sy, gx, gy)),
        tell(linked:finder(unit):find_path(sx, sy, gx, gy, question)))
    end)
  end)

  it("returns from a queue the route that a finder with those options finds", function()
    local grid, queue = maps.read [[
      ....#....
      .##.#.##.
      ....#....
    ]], astar.queue()
    local finder = grid:finder()
    local first = queue:request(finder, 1, 1, 9, 1, { partial = true })
    local second = queue:request(finder, 1, 1, 4, 3, { range = 1 }, nil, 3)
    local third = queue:request(finder, 1, 1, 9, 1)
    local waited
    coroutine.wrap(function() waited = queue:await(finder, 1, 1, 9, 1, { partial = true }) end)()
    while queue:update { expansions = 1 } > 0 do end
    assert.is_true(first:path().partial)
    assert.equal(tell(finder:find_path(1, 1, 4, 3, { range = 1 })), tell(second:path()))
    assert.equal("unreachable", third.status)
    assert.is_true(waited.partial)
  end)

  it("may override options of its finder", function()
    local grid = astar.grid(9, 9)
    local finder = grid:finder { weight = 5, max_cost = 1, max_expansions = 1, partial = true, range = 3 }
    local plain = { weight = 1, max_cost = math.huge, max_expansions = 2 ^ 53, partial = false, range = 0 }
    local path = finder:find_path(1, 1, 9, 9, plain)
    assert.equal(9, #path)
    assert.equal("jps", path.algorithm)
  end)

  it("does not change its table of options, which may be used again", function()
    local finder, question = astar.grid(9, 9):finder(), { range = 2 }
    assert.equal(7, #finder:find_path(1, 1, 9, 9, question))
    assert.equal(7, #finder:find_path(9, 9, 1, 1, question))
    assert.same({ range = 2 }, question)
  end)

  it("does not rebuild data that the finder has built", function()
    local grid = astar.grid(200, 200)
    local finder = grid:finder()
    finder:find_path(1, 1, 200, 200)
    finder:find_path(1, 1, 200, 200, { range = 2, partial = true })
    local bytes = grid:bytes()
    for i = 1, 50 do finder:find_path(1, 1, 200, 200, { range = i % 5, partial = i % 2 == 0, max_cost = 300 + i }) end
    assert.equal(bytes, grid:bytes())
  end)
end)

describe("path:repair", function()
  it("keeps the range that its path was queried with", function()
    local grid = astar.grid(12, 5)
    local path = grid:finder():find_path(1, 3, 12, 3, { range = 3 })
    assert.equal(9, #path)
    grid:block(6, 3)
    for _, again in ipairs { path:repair(), path:repair { from = 3 }, path:repair { optimal = true },
      path:smooth():repair { optimal = true } } do
      local x, y = again:cell(#again)
      assert.is_true(math.max(math.abs(12 - x), math.abs(3 - y)) == 3)
    end
  end)

  it("keeps max_cost and partial that its path was queried with", function()
    local grid = maps.read [[
      ......
      ......
      ......
    ]]
    local finder = grid:finder()
    local path = finder:find_path(1, 2, 6, 2, { max_cost = 5 })
    local willing = finder:find_path(1, 2, 6, 2, { partial = true })
    grid:fill(3, 1, 1, 2, "#")
    assert.same({ nil, "max_cost" }, { path:repair() })
    assert.is_false(willing:repair().partial)
    grid:fill(3, 3, 1, 1, "#")
    assert.same({ nil, "unreachable" }, { path:repair() })
    assert.is_true(willing:repair().partial)
  end)

  it("keeps the goal and its range over links that were smoothed", function()
    local grid = maps.read [[
      .....#.....
      .....#.....
    ]]
    grid:link(5, 1, 7, 1)
    local path = grid:finder():find_path(1, 1, 11, 1, { range = 2 })
    grid:block(8, 1)
    local again = path:smooth():repair { optimal = true }
    assert.equal(9, (again:cell(#again)))
  end)
end)

describe("finder:options", function()
  local grid = astar.grid("..,,", { terrain = { ["."] = 1, [","] = 2 } })

  it("returns the options that the finder was made with", function()
    local function cost(_, _, _, c) return c end
    local field = astar.field(grid)
    local given = {
      diagonals = "never", cost = cost, costs = { [","] = 5 }, partial = true, range = 2, avoid = field,
      avoid_weight = 3, heuristic = "zero", max_cost = 9, weight = 1.5,
    }
    assert.same(given, grid:finder(given):options())
    assert.equal(cost, grid:finder(given):options().cost)
    assert.equal(field, grid:finder(given):options().avoid)
    assert.same({}, grid:finder():options())
    assert.same({}, grid:finder({}):options())
  end)

  it("returns a copy, so that changes of the copy or of the given table have no effect", function()
    local given = { costs = { [","] = 5 }, range = 1 }
    local finder = grid:finder(given)
    given.range, given.costs[","] = 7, 7
    local options = finder:options()
    assert.same({ costs = { [","] = 5 }, range = 1 }, options)
    options.range, options.costs[","], options.size = 8, 8, 8
    assert.same({ costs = { [","] = 5 }, range = 1 }, finder:options())
  end)

  it("can be used to make another finder of the same kind", function()
    local finder = grid:finder { diagonals = "never", costs = { [","] = 5 } }
    local other = grid:finder(finder:options())
    assert.equal(tell(finder:find_path(1, 1, 4, 1)), tell(other:find_path(1, 1, 4, 1)))
  end)

  it("does not include the options of a single query", function()
    local finder = grid:finder { range = 1 }
    finder:find_path(1, 1, 4, 1, { range = 0 })
    assert.same({ range = 1 }, finder:options())
  end)
end)

describe("a range of one or two", function()
  local r = random.new(FIRST_SEED)

  local function cells(path)
    local all = {}
    for x, y in path:cells() do all[#all + 1] = x .. " " .. y end
    return table.concat(all, ", ")
  end

  local function rocks(size)
    local grid = astar.grid(size, size)
    for y = 1, size do
      for x = 1, size do
        if r:chance(0.3) then grid:block(x, y) end
      end
    end
    return grid
  end

  it("is searched by jump point search over terrain of one cost, for routes that cost as much as by A*", function()
    local jumped = 0
    for _ = 1, MAPS do
      local grid = rocks(24)
      for _, diagonals in ipairs { "never", "always", "only_when_no_obstacles", "if_at_most_one_obstacle" } do
        local finder = grid:finder { diagonals = diagonals }
        local plain = grid:finder { diagonals = diagonals, algorithm = "astar" }
        local x, y, gx, gy, asked = r:int(1, 24), r:int(1, 24), r:int(1, 24), r:int(1, 24), { range = r:int(1, 2) }
        local path, why = finder:find_path(x, y, gx, gy, asked)
        local other, why_not = plain:find_path(x, y, gx, gy, asked)
        assert.equal(why_not, why)
        if path then
          local job = finder:search(x, y, gx, gy, asked)
          while job:step(1) == "running" do end
          assert.equal(cells(path), cells(job:path()))
          local last = path[#path]
          assert.near(other.cost, path.cost, 1e-9)
          assert.is_true(math.max(math.abs(last.x - gx), math.abs(last.y - gy)) <= asked.range)
          if path.algorithm == "jps" then jumped = jumped + 1 end
        end
      end
    end
    assert.is_true(jumped > MAPS)
  end)

  it("follows edits of the cells around the goal between steps", function()
    local kept, restarts = 0, 0
    for _ = 1, MAPS do
      local grid = rocks(40)
      grid:unblock(1, 1)
      local finder = grid:finder()
      local job, result = finder:search(1, 1, 38, 38, { range = 1 }), "running"
      for step = 1, 1000 do
        result = job:step(1)
        if result ~= "running" then break end
        local x, y = 36 + r:int(1, 3), 36 + r:int(1, 3)
        if step % 4 == 0 then
          if grid:is_walkable(x, y) then grid:block(x, y) else grid:unblock(x, y) end
        end
      end
      local path = finder:find_path(1, 1, 38, 38, { range = 1 })
      restarts = restarts + (job.restarts > 0 and 1 or 0)
      if result ~= "running" and job.restarts <= 3 then -- else of a copy
        assert.equal(path and cells(path), job:path() and cells(job:path()))
        kept = kept + 1
      end
    end
    assert.is_true(kept > 0 and restarts > 0)
  end)
end)
