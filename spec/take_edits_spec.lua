-- Searches that take edits in, as the queue has them made where the map is never at rest: whatever is
-- edited between their steps, they end with a best route of the map as it is then.

local astar = require "astar"
local core = require "astar.core"
local check = require "spec.support.check"
local random = require "spec.support.random"

local CASES = tonumber(os.getenv "ASTAR_CASES") or 400

local TERRAIN = { ["."] = 1, ["#"] = false, s = 2.5, r = 0.5 }

local function random_grid(r)
  local width, height = r:int(3, 40), r:int(3, 40)
  local rows = r:map(width, height)
  if r:chance(0.5) then r:sow(rows, { "s", "r" }) end
  local grid = astar.grid(rows, { terrain = TERRAIN })
  if r:chance(0.3) then
    for _ = 1, r:pick { 1, 1, 3, 12 } do
      pcall(grid.link, grid, r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height),
        { cost = r:pick { 0.25, 1, 9 }, one_way = r:chance(0.5) })
    end
  end
  if r:chance(0.2) then
    for _ = 1, 9 do
      pcall(grid.wall, grid, r:int(1, width), r:int(1, height), r:pick { "north", "east", "south", "west" })
    end
  end
  return grid, width, height
end

local function random_options(r, field)
  local options = { diagonals = r:pick(check.RULES), diagonal_cost = r:pick { 1, 1.25, 1.5, 2 } }
  if r:chance(0.2) then options.range = r:int(1, 3) end
  if r:chance(0.2) then options.max_cost = r:int(5, 60) end
  if r:chance(0.2) then options.partial = true end
  if r:chance(0.1) then options.algorithm = "dijkstra" end
  if r:chance(0.1) then
    options.heuristic = function(dx, dy) return 0.25 * math.max(math.abs(dx), math.abs(dy)) end
  end
  if r:chance(0.2) then options.size = 2 elseif r:chance(0.3) then options.avoid = field end
  if r:chance(0.15) then
    options.cost, options.min_cost = function(x, y, _, cost) return (x * 7 + y) % 11 > 0 and cost + y % 3 end, 0.5
  elseif r:chance(0.1) then
    options.step_cost, options.min_cost = function(x, _, nx, _, cost) return nx >= x and cost or cost + 1 end, 0.5
  end
  return options
end

local function edit(r, grid, field, width, height)
  local x, y = r:int(1, width), r:int(1, height)
  local kind = r:int(1, 12)
  local links = grid:links()
  if #links > 0 and r:chance(0.08) then -- open its end, or bar it
    local link = r:pick(links)
    x, y = link.x1, link.y1
  end
  if kind <= 4 then
    grid:set(x, y, r:pick { ".", "#", "s" })
  elseif kind <= 7 then
    grid:block(x, y)
  elseif kind <= 9 then
    grid:unblock(x, y, r:int(1, math.min(4, width - x + 1)), r:int(1, math.min(4, height - y + 1)))
  elseif kind <= 10 then
    field:stamp(x, y, r:int(0, 3), r:int(-3, 9))
  elseif kind == 11 then
    grid:fill(x, y, r:int(1, width - x + 1), 1, r:pick { ".", "#", "r" })
  elseif r:chance(0.1) then
    pcall(grid.wall, grid, x, y, "north")
  end
end

-- Makes a search to its end with edits between its steps; nil where it had to be begun anew.
local function run(r, grid, field, search, width, height)
  while search.status == "running" do
    local status = search:step(r:int(1, 6))
    if status == "grid changed" then return nil end
    if status == "running" and r:chance(0.4) then
      for _ = 1, r:pick { 1, 1, 3 } do edit(r, grid, field, width, height) end
    end
  end
  return search.status
end

local function expect_best(grid, finder, question, status, search)
  local fresh = grid:clone():finder(finder:options())
  local path, reason = fresh:find_path(question[1], question[2], question[3], question[4])
  assert.equal(path and "found" or reason, status)
  if not path then return end
  local found = search:path()
  assert.equal(path.partial, found.partial)
  check.equal_cost(path.cost, found.cost, "cost")
  assert.is_true(found:is_valid())
end

describe("a search that takes edits in", function()
  it("ends with a best route of the map as it is then", function()
    local found, begun_anew, other, among_own = 0, 0, 0, 0
    for seed = 1, CASES do
      local r = random.new(seed)
      local grid, width, height = random_grid(r)
      local field = astar.field(width, height)
      local finder = grid:finder(random_options(r, field))
      for _ = 1, 4 do
        local question = { r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height) }
        local size = finder:options().size or 1
        local stands = size > 1 and r:chance(0.5) -- among its own blocks
        if stands then pcall(grid.block, grid, question[1], question[2], size, size) end
        local ok, problem = pcall(function()
          local search = finder:search(question[1], question[2], question[3], question[4])
          local takes = core.take_edits(search)
          assert.equal(takes, search.status == "running")
          local status = run(r, grid, field, search, width, height)
          if status then expect_best(grid, finder, question, status, search) end
          if status == "found" then
            found = found + 1
            among_own = among_own + (stands and 1 or 0)
          elseif status then other = other + 1
          else begun_anew = begun_anew + 1 end
        end)
        assert(ok, ("seed %d: %s"):format(seed, tostring(problem)))
      end
    end
    assert.is_true(found > CASES / 2 and begun_anew < found + other and among_own > CASES / 50)
  end)

  it("goes on where the edits are next to what it has reached", function()
    local grid = astar.grid(60, 60)
    local finder = grid:finder()
    local search = finder:search(1, 30, 60, 30)
    assert.is_true(core.take_edits(search))
    local x = 2
    while search:step(5) == "running" do
      if x < 50 then
        grid:block(x, 20, 1, 21)
        grid:unblock(x, 30 - x % 7)
      end
      x = x + 2
    end
    assert.equal("found", search.status)
    assert.equal("astar", search.algorithm)
    assert.equal(finder:find_path(1, 30, 60, 30).cost, search:path().cost)
  end)

  it("is none where there is nothing to step, or where that would not be what was asked", function()
    local grid = astar.grid(9, 9)
    assert.is_false(core.take_edits(grid:finder():search(1, 1, 1, 1)) and false)
    assert.is_false(core.take_edits(grid:finder({ max_expansions = 50 }):search(1, 1, 9, 9)))
  end)

  it("makes routes at any angle that can be walked", function()
    for seed = 1, 40 do
      local r = random.new(seed)
      local grid = astar.grid(r:scatter(40, 40, 0.2))
      grid:set(1, 1, ".")
      grid:set(40, 40, ".")
      local finder = grid:finder { any_angle = true }
      local search = finder:search(1, 1, 40, 40)
      core.take_edits(search)
      while search.status == "running" do
        local status = search:step(r:int(1, 30))
        if status == "running" then grid:set(r:int(2, 39), r:int(2, 39), r:pick { ".", "#" }) end
      end
      if search.status == "found" then
        local path = search:path()
        assert.is_true(path:is_valid(), "seed " .. seed)
        assert.is_true(path.length <= finder:find_path(1, 1, 40, 40).length * 1.1)
      end
    end
  end)
end)
