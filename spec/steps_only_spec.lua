-- Flows made with steps_only: the steps, paths and reasons of a flow that keeps its distances, before they
-- are packed and after, through edits.

local astar = require "astar"
local random = require "spec.support.random"
local times = require "spec.support.times"

local CASES = times("ASTAR_CASES", 100)

local RULES = { "always", "never", "only_when_no_obstacles", "if_at_most_one_obstacle" }

local function new_grid(r)
  local width, height = r:pick { 1, 5, 40, 90 }, r:pick { 1, 7, 30 }
  local grid = astar.grid(width, height, { terrain = { ["."] = 1, s = 2.5, ["#"] = false }, fill = "." })
  for _ = 1, r:pick { 0, 6, width * height / 2 } do
    local x, y, kind = r:int(1, width), r:int(1, height), r:int(1, 4)
    if kind == 1 then grid:set(x, y, "#") elseif kind == 2 then grid:set(x, y, "s") else grid:block(x, y) end
  end
  if r:chance(0.3) and width > 4 then
    for _ = 1, 6 do
      local x, y, x2, y2 = r:int(1, width), r:int(1, height), r:int(1, width), r:int(1, height)
      if x ~= x2 or y ~= y2 then grid:link(x, y, x2, y2, { cost = r:pick { 0, 1, 4 }, one_way = true }) end
    end
  end
  return grid, width, height
end

local function new_finder(r, grid)
  local options = { diagonals = r:pick(RULES), size = r:pick { 1, 1, 1, 2, { 2, 1 }, { 1, 3 } } }
  if r:chance(0.2) then options.cost = function(x, _, _, cost) return x % 5 == 0 and cost * 2 or cost end end
  if r:chance(0.2) then options.step_cost = function(_, y, _, ny, cost) return y < ny and cost * 1.5 or cost end end
  return grid:finder(options)
end

local function expect_same(flow, steps, width, height, seed)
  for y = 1, height do
    for x = 1, width do
      local nx, ny = flow:next(x, y)
      local sx, sy = steps:next(x, y)
      -- One that was repaired may still say that it left out cells.
      local is_right = nx == sx and (nx == nil or ny == sy)
      if not is_right then
        error(("seed %d, (%d, %d): %s %s instead of %s %s"):format(seed, x, y, tostring(sx), tostring(sy),
          tostring(nx), tostring(ny)))
      end
    end
  end
  local path, way = flow:path(width, height), steps:path(width, height)
  assert.equal(path and path.cost, way and way.cost)
  assert.same(path and path:cells_flat(), way and way:cells_flat())
end

describe("a flow made with steps_only", function()
  it("may be completed by a callback during flow:next", function()
    for at = 1, 200, 7 do
      local flow, calls = nil, 0
      local finder = astar.grid(9, 9):finder { step_cost = function(_, _, _, _, cost)
        calls = calls + 1
        if calls == at then flow:complete() end
        return cost
      end }
      flow = finder:flow({ { 9, 9 } }, { steps_only = true })
      assert.same({ 2, 2 }, { flow:next(1, 1) })
      assert.same({ 9, 9 }, { flow:next(9, 8) })
    end
  end)

  it("returns the steps of an ordinary flow, before and after its data is packed, and after edits", function()
    for seed = 1, CASES do
      local r = random.new(seed)
      local grid, width, height = new_grid(r)
      local finder = new_finder(r, grid)
      local goals, options = { { r:int(1, width), r:int(1, height) } }, {}
      if r:chance(0.5) then goals[2] = { r:int(1, width), r:int(1, height), r:pick { 0, -3 } } end
      if r:chance(0.3) then options.max_cost = r:pick { 0, 4, 20 } end
      local flow = finder:flow(goals, options)
      options.steps_only = true
      local steps = finder:flow(goals, options)
      for _ = 1, 3 do
        if r:chance(0.5) then expect_same(flow, steps, width, height, seed) end
        local job = steps:completing()
        if r:chance(0.3) then
          job:step(r:int(1, width * height)) -- an edit while it is packed, perhaps
        elseif r:chance(0.5) then
          steps:complete()
        else
          while job:step(100) == "running" do end
          assert.equal(0, steps:complete())
        end
        if r:chance(0.7) then expect_same(flow, steps, width, height, seed) end
        local x, y = r:int(1, width), r:int(1, height)
        if r:chance(0.5) then grid:set(x, y, r:pick { "#", "s", "." }) else grid:block(x, y) end
        if r:chance(0.3) then steps:update() end
      end
      expect_same(flow, steps, width, height, seed)
    end
  end)

  it("returns no distances at any time, and no flow can flee from it", function()
    local told = "a flow made with steps_only has no distances"
    local flow = astar.grid(9, 9):finder():flow(1, 1, { steps_only = true })
    for _ = 1, 2 do
      assert.has_error(function() flow:distance(2, 2) end, told)
      assert.has_error(function() flow:cells() end, told)
      assert.has_error(function() flow:flee() end, told)
      flow:complete()
    end
    assert.same({ 1, 1 }, { flow:next(2, 2) })
    assert.equal(0, flow:update())
  end)

  it("accepts only true or false as the value of the option", function()
    local finder = astar.grid(9, 9):finder()
    assert.equal(0, finder:flow({ 1, 1 }, { steps_only = false }):distance(1, 1))
    assert.has_error(function() finder:flow(1, 1, { steps_only = 1 }) end, "steps_only must be a boolean, got 1")
  end)
end)
