-- astar.goals, a set of goals that stays, against the list of what it holds.

local astar = require "astar"
local plain = require "astar.plain"
local check = require "spec.support.check"
local random = require "spec.support.random"
local times = require "spec.support.times"

local MAPS = times("ASTAR_MAPS", 40)
local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1

local error_of = check.error_of

local function list_of(goals)
  local list = {}
  for x, y in goals:cells() do list[#list + 1] = { x, y } end
  return list
end

-- What find_nearest gives, as text.
local function show(path, index)
  if not path then return tostring(index) end
  local cells = {}
  for x, y in path:cells() do cells[#cells + 1] = x .. "," .. y end
  return ("%s %.9f by %s"):format(index, path.cost, table.concat(cells, " "))
end

local function random_map(r, module)
  local width, height = r:int(1, 12), r:int(1, 12)
  local options = r:chance(0.3) and { origin = { r:int(-9, 9), r:int(-9, 9) } } or {}
  local grid = module.grid(width, height, options)
  local x0, y0 = grid:bounds()
  for _ = 1, r:int(0, 30) do grid:block(r:int(x0, x0 + width - 1), r:int(y0, y0 + height - 1)) end
  return grid
end

local function random_cell(r, grid)
  local x0, y0, x1, y1 = grid:bounds()
  return r:int(x0, x1), r:int(y0, y1)
end

local function change_at_random(r, grid, goals, cells)
  local x, y = random_cell(r, grid)
  local key = x .. " " .. y
  if r:chance(0.6) then
    assert.equal(not cells[key], goals:add(x, y))
    cells[key] = true
  else
    assert.equal(cells[key] or false, goals:remove(x, y))
    cells[key] = nil
  end
  assert.equal(cells[key] or false, goals:has(x, y))
end

local function assert_holds(goals, cells)
  local count = 0
  for i, cell in ipairs(list_of(goals)) do
    assert.is_true(cells[cell[1] .. " " .. cell[2]])
    assert.same(cell, { goals:cell(i) })
    count = count + 1
  end
  local expected = 0
  for _ in pairs(cells) do expected = expected + 1 end
  assert.same({ expected, expected }, { count, goals:count() })
end

local function assert_as_its_list(r, grid, goals)
  local finder, list = grid:finder(), list_of(goals)
  local question = r:chance(0.3) and { range = r:int(0, 2), partial = r:chance(0.5) } or nil
  for _ = 1, 2 do -- read, and read already
    local sx, sy = random_cell(r, grid)
    assert.equal(show(finder:find_nearest(sx, sy, list, question)),
      show(finder:find_nearest(sx, sy, goals, question)))
  end
  local flow, plain_flow = finder:flow(goals), finder:flow(list)
  local x0, y0, x1, y1 = grid:bounds()
  for y = y0, y1 do
    for x = x0, x1 do assert.same({ plain_flow:distance(x, y) }, { flow:distance(x, y) }) end
  end
end

describe("astar.goals", function()
  it("contains the goals of a plain list after any additions and removals", function()
    for seed = FIRST_SEED, FIRST_SEED + MAPS - 1 do
      local r = random.new(seed)
      local grid = random_map(r, seed % 4 == 0 and plain or astar)
      local module, cells = seed % 4 == 0 and plain or astar, {}
      local goals = module.goals(grid)
      local ok, problem = pcall(function()
        for _ = 1, 12 do
          for _ = 1, r:int(0, 4) do change_at_random(r, grid, goals, cells) end
          assert_holds(goals, cells)
          assert_as_its_list(r, grid, goals)
        end
      end)
      if not ok then error(("seed %d: %s\n%s"):format(seed, tostring(problem), grid:draw()), 0) end
    end
  end)

  it("accepts a list of cells in both forms, each cell once", function()
    local grid = astar.grid(9, 9)
    local goals = astar.goals(grid, { { 3, 4 }, { x = 5, y = 6 }, { 3, 4 } })
    assert.same({ { 3, 4 }, { 5, 6 } }, list_of(goals))
    assert.equal("astar goals of 2", tostring(goals))
    local path, index = grid:finder():find_nearest(9, 9, goals)
    assert.same({ 2, 5 }, { index, #path })
  end)

  it("can be used by a search in steps, which uses the goals of its beginning", function()
    local grid = astar.grid(9, 1)
    local goals = astar.goals(grid, { { 5, 1 } })
    local search = grid:finder():finding_nearest(1, 1, goals)
    goals:remove(5, 1)
    goals:add(2, 1)
    while search:step(1) == "running" do end
    assert.equal(5, #search:path())
  end)

  it("can be used on every grid that contains its cells, whatever the grid's origin", function()
    local goals = astar.goals(astar.grid(9, 1, { origin = { 0, 0 } }), { { 4, 0 } })
    assert.equal(5, #astar.grid(9, 1, { origin = { 0, 0 } }):finder():find_nearest(0, 0, goals))
    assert.equal(3, #astar.grid(9, 1, { origin = { 2, 0 } }):finder():find_nearest(2, 0, goals))
    assert.equal("goals[1].x must be an integer from 0 to 3, got 4",
      error_of(function() astar.grid(4, 1, { origin = { 0, 0 } }):finder():find_nearest(0, 0, goals) end))
    assert.equal(5, #astar.grid(9, 1, { origin = { 0, 0 } }):finder():find_nearest(0, 0, goals))
  end)

  it("makes queries allocate no memory except for the path while the goals are unchanged", function()
    local grid = astar.grid(40, 40)
    local list = {}
    for i = 1, 400 do list[i] = { i % 40 + 1, (i - i % 40) / 40 + 1 } end
    local goals, finder = astar.goals(grid, list), grid:finder()
    local function bytes_of(asked)
      finder:find_nearest(20, 40, asked)
      collectgarbage()
      collectgarbage "stop"
      local before = collectgarbage "count"
      for _ = 1, 50 do finder:find_nearest(20, 40, asked) end
      local taken = (collectgarbage "count" - before) * 1024 / 50
      collectgarbage "restart"
      return taken
    end
    local by_list, by_set = bytes_of(list), bytes_of(goals)
    assert(by_list > 3200 and by_set < by_list - 3200, by_list .. ", " .. by_set)
  end)

  it("stays valid whatever value is written into its fields", function()
    local grid = astar.grid(9, 9)
    local finder = grid:finder()
    for _, junk in ipairs { "", "x", ("\0"):rep(16), ("\255"):rep(64), 3, true } do
      local goals = astar.goals(grid, { { 3, 1 } })
      rawset(goals, "packed", junk)
      assert.equal(3, #finder:find_nearest(1, 1, goals))
    end
    local goals = astar.goals(grid, { { 3, 1 } })
    finder:find_nearest(1, 1, goals)
    local packed = rawget(goals, "packed")
    rawset(goals, "packed", packed:sub(1, 16) .. ("\127"):rep(8))
    assert.equal(3, #finder:find_nearest(1, 1, goals))
    rawset(goals, "list", 3)
    assert.equal(3, #finder:find_nearest(1, 1, goals)) -- packed again
    rawset(goals, "packed", false)
    assert.equal("goals must be a list of cells, got a table",
      error_of(function() finder:find_nearest(1, 1, goals) end))
  end)

  it("refuses invalid values", function()
    local grid = astar.grid(9, 5)
    local goals = astar.goals(grid)
    for text, misuse in pairs {
      ["x must be an integer from 1 to 9, got 10"] = function() goals:add(10, 1) end,
      ["y must be an integer from 1 to 5, got nil"] = function() goals:remove(1) end,
      ["index must be an integer from 1 to 0, got 1"] = function() goals:cell(1) end,
      ["goals[2].y must be an integer from 1 to 5, got 6"] = function() astar.goals(grid, { { 1, 1 }, { 1, 6 } }) end,
      ["goals must be a list of cells, got 3"] = function() astar.goals(grid, 3) end,
      ["goals[1] must be a cell {x, y}, got 3"] = function() astar.goals(grid, { 3 }) end,
      ["astar grid expected, got nil"] = function() astar.goals() end,
      ["astar goals expected, got nil"] = function() goals.add() end,
      ["astar goals expected, got 3"] = function() goals.count(3) end,
    } do
      assert.equal(text, error_of(misuse))
    end
  end)
end)
