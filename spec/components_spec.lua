local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

local RULES = check.RULES

local function reachable(drawing, options, map)
  local grid, at = maps.read(drawing, map)
  return grid:finder(options):reachable(at.S.x, at.S.y, at.G.x, at.G.y)
end

describe("finder:reachable", function()
  it("returns true if a route exists", function()
    assert.is_true(reachable [[
      S#..
      .#.#
      ...G
    ]])
  end)

  it("returns false if no route exists", function()
    assert.is_false(reachable [[
      S#..
      .#.#
      .#.G
    ]])
  end)

  it("returns true from a cell to itself", function()
    assert.is_true(astar.grid(2, 2):finder():reachable(2, 2, 2, 2))
  end)

  it("returns false if the goal is a wall or a block", function()
    local grid = astar.grid "..#."
    grid:block(2, 1)
    local finder = grid:finder()
    assert.is_false(finder:reachable(1, 1, 3, 1))
    assert.is_false(finder:reachable(1, 1, 2, 1))
  end)

  it("returns false if the start is terrain that the unit cannot enter", function()
    assert.is_false(astar.grid("#..#"):finder():reachable(1, 1, 2, 1))
    assert.is_false(astar.grid("##"):finder():reachable(1, 1, 2, 1))
  end)

  it("returns true if the only block on the start is the unit's own", function()
    local grid = astar.grid(4, 1)
    grid:block(1, 1)
    assert.is_true(grid:finder():reachable(1, 1, 4, 1))
    assert.is_true(grid:finder():reachable(1, 1, 1, 1))
    grid:block(2, 1)
    assert.is_false(grid:finder():reachable(1, 1, 4, 1))
  end)

  it("passes between corners if the corner rule allows it", function()
    local drawing = [[
      S#
      #G
    ]]
    assert.is_true(reachable(drawing, { diagonals = "always" }))
    assert.is_false(reachable(drawing, { diagonals = "if_at_most_one_obstacle" }))
    assert.is_false(reachable(drawing))
    assert.is_false(reachable(drawing, { diagonals = "never" }))
  end)

  it("applies the corner rule around a unit that blocks its own start", function()
    local grid = astar.grid ".#\n#."
    grid:block(1, 1)
    assert.is_true(grid:finder({ diagonals = "always" }):reachable(1, 1, 2, 2))
    assert.is_false(grid:finder():reachable(1, 1, 2, 2))
  end)

  it("depends on the costs of the finder's unit", function()
    local map = { terrain = { ["."] = 1, w = false, s = 3 } }
    assert.is_false(reachable("S.w.G", nil, map))
    assert.is_true(reachable("S.w.G", { costs = { w = 2 } }, map))
    assert.is_true(reachable("S.s.G", nil, map))
    assert.is_false(reachable("S.s.G", { costs = { s = false } }, map))
  end)

  it("takes every edit of the grid into account", function()
    local grid = astar.grid(5, 3)
    local finder = grid:finder()
    assert.is_true(finder:reachable(1, 1, 5, 1))
    grid:fill(3, 1, 1, 3, "#")
    assert.is_false(finder:reachable(1, 1, 5, 1))
    grid:set(3, 2, ".")
    assert.is_true(finder:reachable(1, 1, 5, 1))
    grid:block(3, 2)
    assert.is_false(finder:reachable(1, 1, 5, 1))
    grid:unblock(3, 2)
    assert.is_true(finder:reachable(1, 1, 5, 1))
    grid:terrain("#", 3)
    grid:block(3, 2)
    assert.is_true(finder:reachable(1, 1, 5, 1))
  end)

  it("returns false between a room and single free cells, however many cells are unblocked one by one", function()
    local grid = astar.grid(64, 64)
    grid:block(1, 1, 64, 64)
    grid:unblock(40, 1, 20, 30)
    grid:unblock(5, 40, 20, 20)
    local finder = grid:finder { diagonals = "never" }
    assert.is_false(finder:reachable(45, 5, 10, 50))
    for y = 1, 31 do
      for x = 1 + y % 2, 31, 2 do
        grid:unblock(x, y)
        if finder:reachable(x, y, 45, 5) or finder:reachable(10, 50, x, y) then
          error(("a way between (%d, %d) and a room"):format(x, y))
        end
      end
    end
    assert.is_true(finder:reachable(45, 5, 59, 30))
  end)

  it("returns true if a cell within range of the goal can be reached", function()
    local grid = astar.grid "..#."
    assert.equal(grid:find_path(1, 1, 4, 1, { range = 2 }) ~= nil,
      grid:finder({ range = 2 }):reachable(1, 1, 4, 1))
  end)

  it("lets a query that has no route end without expanding a cell", function()
    local grid = astar.grid(1000, 1000)
    grid:fill(500, 1, 1, 1000, "#")
    local finder = grid:finder()
    local search = finder:search(1, 1, 1000, 1000)
    while search:step(1000) == "running" do end
    assert.equal("unreachable", search.status)
    assert.equal(0, search.expanded)
    assert.is_nil(search.algorithm)
    for _ = 1, 20000 do -- as many floods would take minutes
      if finder:reachable(1, 1, 1000, 1000) then error "reachable" end
    end
    assert.equal("unreachable", select(2, finder:find_path(1, 1, 1000, 1000)))
  end)

  it("refuses values that are not cells", function()
    local finder = astar.grid(20, 10):finder()
    assert.equal("gx must be an integer from 1 to 20, got 21",
      check.error_of(function() finder:reachable(1, 1, 21, 1) end))
  end)
end)

-- The number of each cell's component, by flooding.
local function flood(world, rules)
  local entry = oracle.entry_costs(world, rules)
  local component, count = {}, 0
  for cell = 1, world.width * world.height do
    if entry[cell] and not component[cell] then
      count = count + 1
      local x, y = oracle.position(world, cell)
      for reached in pairs(oracle.distances(world, rules, x, y)) do component[reached] = count end
    end
  end
  return component
end

local function check_components(finder, world, rules, r, questions)
  local component = flood(world, rules)
  for _ = 1, questions do
    local sx, sy = r:int(1, world.width), r:int(1, world.height)
    local gx, gy = r:int(1, world.width), r:int(1, world.height)
    local start, goal = oracle.cell(world, sx, sy), oracle.cell(world, gx, gy)
    if component[start] then
      local expected = component[start] == component[goal]
      if finder:reachable(sx, sy, gx, gy) ~= expected then
        error(("(%d, %d) to (%d, %d) should be %s"):format(sx, sy, gx, gy, tostring(expected)), 0)
      end
    end
  end
end

describe("components", function()
  for _, rule in ipairs(RULES) do
    it("agree with a flood fill of the map after random edits if diagonals are " .. rule, function()
      local rules = { diagonals = rule }
      for seed = 1, 40 do
        local r = random.new(seed)
        local width, height = r:sides()
        local world = oracle.world(r:map(width, height))
        local grid = maps.grid(world)
        local finder = grid:finder(rules)
        for edit = 1, 12 do
          local x, y = r:int(1, width), r:int(1, height)
          local cell = oracle.cell(world, x, y)
          local kind = r:int(1, 4)
          if kind == 1 then
            world.keys[cell] = "#"
            grid:set(x, y, "#")
          elseif kind == 2 then
            world.keys[cell] = "."
            grid:set(x, y, ".")
          elseif kind == 3 then
            world.blocks[cell] = true
            grid:block(x, y)
          else
            world.blocks[cell] = nil
            grid:unblock(x, y)
          end
          local ok, problem = pcall(check_components, finder, world, rules, r, 12)
          assert(ok, ("seed %d, edit %d: %s\n%s"):format(seed, edit, tostring(problem),
            maps.describe(world)))
        end
      end
    end)
  end
end)
