local astar = require "astar"
local directions = astar.directions

describe("directions", function()
  it("lists the eight directions clockwise from north", function()
    local names = {}
    for i, direction in ipairs(directions) do names[i] = direction.name end
    assert.same({
      "north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west",
    }, names)
  end)

  it("lists the same eight directions as fields by their names", function()
    for _, direction in ipairs(directions) do
      assert.equal(direction, directions[direction.name])
    end
  end)

  it("is a table of nothing but the eight directions", function()
    local count = 0
    for _ in pairs(directions) do count = count + 1 end
    assert.equal(16, count)
  end)

  it("points north towards smaller y and east towards larger x", function()
    assert.same({ name = "north", dx = 0, dy = -1 }, directions.north)
    assert.same({ name = "north_east", dx = 1, dy = -1 }, directions.north_east)
    assert.same({ name = "east", dx = 1, dy = 0 }, directions.east)
    assert.same({ name = "south_east", dx = 1, dy = 1 }, directions.south_east)
    assert.same({ name = "south", dx = 0, dy = 1 }, directions.south)
    assert.same({ name = "south_west", dx = -1, dy = 1 }, directions.south_west)
    assert.same({ name = "west", dx = -1, dy = 0 }, directions.west)
    assert.same({ name = "north_west", dx = -1, dy = -1 }, directions.north_west)
  end)

  it("contains the name of every step of a path", function()
    local grid = astar.grid(3, 3)
    for _, direction in ipairs(directions) do
      local path = grid:find_path(2, 2, 2 + direction.dx, 2 + direction.dy)
      assert.same({ direction.name }, path:directions())
    end
  end)
end)
