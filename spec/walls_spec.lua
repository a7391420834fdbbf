-- Thin walls and one-way sides. Random ones: links_and_walls_random_spec.lua.

local astar = require "astar"
local check = require "spec.support.check"

local error_of = check.error_of

local SIDES = { "north", "east", "south", "west" }

describe("a wall", function()
  it("blocks the step across it, in both directions", function()
    for _, side in ipairs(SIDES) do
      local grid = astar.grid(3, 3)
      local d = astar.directions[side]
      grid:wall(2, 2, side)
      for _, algorithm in ipairs { "auto", "astar", "dijkstra" } do
        for _, rule in ipairs(check.RULES) do
          local options = { diagonals = rule, algorithm = algorithm }
          assert.is_true(grid:find_path(2, 2, 2 + d.dx, 2 + d.dy, options).cost > 1)
          assert.is_true(grid:find_path(2 + d.dx, 2 + d.dy, 2, 2, options).cost > 1)
        end
      end
    end
  end)

  it("blocks only steps out of its cell if the wall is one-way", function()
    local grid = astar.grid(2, 1)
    grid:wall(1, 1, "east", true)
    local finder = grid:finder()
    assert.same({ nil, "unreachable" }, { finder:find_path(1, 1, 2, 1) })
    assert.equal(1, finder:find_path(2, 1, 1, 1).cost)
    assert.is_false(finder:reachable(1, 1, 2, 1))
    assert.is_true(finder:reachable(2, 1, 1, 1))
    assert.equal(math.huge, finder:find_path(2, 1, 1, 1):reverse().cost)
  end)

  it("is reported by has_wall from the cells whose exit it blocks", function()
    local grid = astar.grid(3, 3)
    grid:wall(2, 2, "north")
    grid:wall(2, 2, "east", true)
    local function walls(x, y)
      local list = {}
      for _, side in ipairs(SIDES) do list[#list + 1] = grid:has_wall(x, y, side) and side or nil end
      return table.concat(list, " ")
    end
    assert.equal("north east", walls(2, 2))
    assert.equal("south", walls(2, 1))
    assert.equal("", walls(3, 2))
    grid:unwall(2, 1, "south")
    assert.equal("east", walls(2, 2))
    assert.equal("", walls(2, 1))
    grid:unwall(2, 2, "east")
    assert.equal("", walls(2, 2))
  end)

  it("is listed once, by the cell north or west of the wall, or by its own cell if the wall is one-way", function()
    local grid = astar.grid(3, 2, { origin = { 0, 5 } })
    assert.same({}, grid:walls())
    grid:wall(1, 6, "north")
    grid:wall(1, 6, "west")
    grid:wall(2, 5, "west", true)
    grid:wall(0, 5, "south", true)
    grid:wall(0, 5, "north")
    grid:wall(0, 5, "west", true)
    grid:wall(2, 6, "east")
    local function wall(x, y, direction, one_way)
      return { x = x, y = y, direction = direction, one_way = one_way }
    end
    assert.same({
      wall(0, 5, "north", false), wall(0, 5, "south", true), wall(0, 5, "west", false), wall(1, 5, "south", false),
      wall(2, 5, "west", true), wall(0, 6, "east", false), wall(2, 6, "east", false),
    }, grid:walls())
    local copy = astar.grid(3, 2, { origin = { 0, 5 } })
    for _, each in ipairs(grid:walls()) do copy:wall(each.x, each.y, each.direction, each.one_way) end
    assert.equal(grid:dump(), copy:dump())
  end)

  it("is not listed after it was removed", function()
    local grid = astar.grid(3, 3)
    grid:wall(2, 2, "north")
    grid:unwall(2, 1, "south", true)
    assert.same({ { x = 2, y = 2, direction = "north", one_way = true } }, grid:walls())
    grid:unwall(2, 2, "north")
    assert.same({}, grid:walls())
  end)

  it("is removed on one side if unwall is one-way", function()
    local grid = astar.grid(2, 1)
    grid:wall(1, 1, "east")
    grid:unwall(1, 1, "east", true)
    assert.is_false(grid:has_wall(1, 1, "east"))
    assert.is_true(grid:has_wall(2, 1, "west"))
    assert.equal(1, grid:find_path(1, 1, 2, 1).cost)
    assert.is_nil((grid:find_path(2, 1, 1, 1)))
  end)

  it("may be built at the edge of the map", function()
    local grid = astar.grid(2, 2, { origin = { 0, 0 } })
    grid:wall(0, 0, "north")
    grid:wall(0, 0, "west")
    grid:wall(1, 1, "south")
    grid:wall(1, 1, "east")
    assert.is_true(grid:has_wall(1, 1, "east"))
    assert.equal(math.sqrt(2), grid:find_path(0, 0, 1, 1).cost)
  end)

  it("counts as an edit only if the call changes a wall", function()
    local grid = astar.grid(3, 3)
    local version = grid:version()
    grid:unwall(1, 1, "east")
    assert.equal(version, grid:version())
    grid:wall(1, 1, "east")
    assert.are_not.equal(version, grid:version())
    version = grid:version()
    grid:wall(2, 1, "west")
    assert.equal(version, grid:version())
  end)

  it("makes a path that crosses it invalid, and stops a line of sight", function()
    local grid = astar.grid(5, 1)
    local finder = grid:finder()
    local path = finder:find_path(1, 1, 5, 1)
    grid:wall(3, 1, "east", true)
    assert.same({ false, 4 }, { path:is_valid() })
    assert.same({ false, 4, 1 }, { finder:raycast(1, 1, 5, 1) })
    assert.is_true(finder:raycast(5, 1, 1, 1))
  end)

  it("must not be built by a callback of a search on the same grid", function()
    local grid = astar.grid(5, 5)
    assert.matches("^grid was edited during the search: ", error_of(function()
      grid:find_path(1, 1, 3, 3, { cost = function()
        grid:wall(1, 1, "east")
        return 1
      end })
    end))
  end)
end)

-- The step from (1, 2) north-east to (2, 1) in a square of four cells. 'walls' are the sides that
-- stand: w and e cross the two ways past the west and the east cell.
describe("a diagonal step", function()
  local WAYS = {
    { x = 1, y = 2, side = "north", way = "north" }, -- out of the start, to the cell north of it
    { x = 1, y = 1, side = "east", way = "north" }, -- from there to the goal
    { x = 1, y = 2, side = "east", way = "east" },
    { x = 2, y = 2, side = "north", way = "east" },
  }
  local ALLOWED = { -- with so many ways around closed: 0, 1, 2
    always = { true, true, false },
    if_at_most_one_obstacle = { true, true, false },
    only_when_no_obstacles = { true, false, false },
    never = { false, false, false },
  }

  for _, rule in ipairs(check.RULES) do
    it("depends on the walls around it, by the rule " .. rule, function()
      for subset = 0, 15 do
        local grid = astar.grid(2, 2)
        local closed, bits = {}, subset
        for _, wall in ipairs(WAYS) do
          if bits % 2 == 1 then
            grid:wall(wall.x, wall.y, wall.side)
            closed[wall.way] = true
          end
          bits = math.floor(bits / 2)
        end
        local count = (closed.north and 1 or 0) + (closed.east and 1 or 0)
        local allowed = ALLOWED[rule][count + 1]
        local finder = grid:finder { diagonals = rule }
        for _, step in ipairs { { 1, 2, 2, 1 }, { 2, 1, 1, 2 } } do
          local path = finder:find_path(step[1], step[2], step[3], step[4])
          assert.equal(allowed, path ~= nil and #path == 2, ("%s, walls %d"):format(rule, subset))
          if rule ~= "never" then
            assert.equal(allowed, (finder:raycast(step[1], step[2], step[3], step[4])))
          end
        end
      end
    end)
  end

  it("treats a blocked cell on one side and a wall on the other as two obstacles", function()
    local grid = astar.grid(2, 2)
    grid:block(1, 1)
    grid:wall(2, 2, "north")
    assert.is_nil((grid:find_path(1, 2, 2, 1, { diagonals = "if_at_most_one_obstacle" })))
    assert.equal(math.sqrt(2), grid:find_path(1, 2, 2, 1, { diagonals = "always" }).cost)
  end)

  it("never passes through a fence without a gap", function()
    local grid = astar.grid(7, 4)
    for x = 1, 7 do grid:wall(x, 2, "south") end
    for _, rule in ipairs(check.RULES) do
      local finder = grid:finder { diagonals = rule }
      for x = 1, 7 do
        assert.is_nil((finder:find_path(4, 2, x, 3)))
        assert.is_false(finder:reachable(4, 2, x, 3))
      end
    end
  end)

  it("is not stopped by a wall on one side if the corner rule allows one obstacle", function()
    local grid = astar.grid(3, 3)
    grid:wall(1, 1, "east") -- past the wall the cell to the east is reached over another one
    for _, rule in ipairs { "always", "if_at_most_one_obstacle" } do
      assert.equal(1 + math.sqrt(2), grid:find_path(1, 1, 2, 1, { diagonals = rule }).cost)
    end
    assert.equal(3, grid:find_path(1, 1, 2, 1).cost)
  end)
end)
