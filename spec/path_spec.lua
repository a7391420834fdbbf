local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"

local error_of = check.error_of

local SQRT2 = math.sqrt(2)

local function find(drawing, options, map)
  local grid, at, world = maps.read(drawing, map)
  local path = assert(grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, options))
  return path, grid, {
    world = world, rules = options or {},
    sx = at.S.x, sy = at.S.y, gx = at.G.x, gy = at.G.y,
  }
end

-- East twice, then down: the only way.
local BENT = [[
  S..#
  ##.#
  ##G#
]]

describe("a path", function()
  it("returns the same cells in every way of reading the path", function()
    local path, _, question = find [[
      S..#....
      .#.#.##.
      .#...#.G
    ]]
    check.path(path, question)
  end)

  it("returns the grid's own coordinates in every way of reading the path", function()
    local path, _, question = find([[
      S..#....
      .#.#.##.
      .#...#.G
    ]], nil, { origin = { -100, 7 } })
    check.path(path, question)
    assert.same({ -100, 7 }, { path:cell(1) })
  end)

  it("returns integers in Lua versions that have integers", function()
    local path = find(BENT)
    local x, y = path:cell(2)
    assert.equal("2 1", x .. " " .. y)
    assert.equal("3 1", path[3].x .. " " .. path[3].y)
    assert.equal("1 1 2 1 3 1 3 2 3 3", table.concat(path:cells_flat(), " "))
  end)

  it("does not let getmetatable return its metatable", function()
    assert.is_not_table(getmetatable(find(BENT)))
  end)

  it("is described by tostring", function()
    assert.matches("^astar path", tostring(find(BENT)))
  end)

  it("raises an error if a field is written", function()
    local path = find(BENT)
    assert.has_error(function() path.cost = 1 end)
    assert.has_error(function() path[1] = { x = 1, y = 1 } end)
    assert.equal(4, path.cost)
  end)

  it("raises an error if an unknown field is read", function()
    local path = find(BENT)
    assert.has_error(function() return path.colour end, 'astar path has no field "colour"')
    assert.has_error(function() return path[true] end, "astar path has no field true")
  end)

  it("stays usable without its grid and its finder", function()
    local path = astar.grid(5, 5):find_path(1, 1, 5, 5)
    collectgarbage()
    collectgarbage()
    assert.equal(5, #path)
    assert.is_true(path:is_valid())
    assert.equal(5, #path:reverse())
    assert.equal(2, #path:smooth():waypoints())
  end)
end)

describe("#path", function()
  it("is the number of cells of the path, both ends included", function()
    assert.equal(5, #find(BENT))
    assert.equal(1, #astar.grid(1, 1):find_path(1, 1, 1, 1))
  end)
end)

describe("path:cell", function()
  it("returns x and y of one cell", function()
    assert.same({ 3, 2 }, { find(BENT):cell(4) })
  end)

  it("raises an error for an index out of range", function()
    local path = find(BENT)
    for _, row in ipairs { { 0, "0" }, { 6, "6" }, { -1, "-1" }, { 1.5, "1.5" }, { "1", '"1"' } } do
      assert.matches("must be an integer from 1 to 5, got " .. row[2],
        error_of(function() path:cell(row[1]) end), 1, true)
    end
  end)
end)

describe("path[i]", function()
  it("returns a table with the fields x and y", function()
    assert.same({ x = 3, y = 2 }, find(BENT)[4])
  end)

  it("has the value nil for an index out of range", function()
    local path = find(BENT)
    for _, index in ipairs { 0, 6, -1, 1.5, 2 ^ 53, -2 ^ 31, math.huge, 0 / 0 } do
      assert.is_nil(path[index])
    end
  end)
end)

describe("path:cells", function()
  it("iterates over the cells in a for loop", function()
    local seen = {}
    for x, y in find(BENT):cells() do seen[#seen + 1] = x .. "," .. y end
    assert.equal("1,1 2,1 3,1 3,2 3,3", table.concat(seen, " "))
  end)

  it("copies the cells into two lists, and leaves later entries of the lists unchanged", function()
    local path, xs, ys = find(BENT), { 0, 0, 0, 0, 0, "x" }, { [7] = "y" }
    assert.equal(5, path:copy_into(xs, ys))
    assert.same({ 1, 2, 3, 3, 3, "x" }, xs)
    assert.same({ 1, 1, 1, 2, 3, [7] = "y" }, ys)
    assert.has_error(function() path:copy_into() end, "xs must be a table, got nil")
    assert.has_error(function() path:copy_into({}, 3) end, "ys must be a table, got 3")
  end)

  it("iterates over links and over legs at any angle as cells_flat does", function()
    local grid = astar.grid(40, 20)
    grid:link(10, 10, 30, 3, { cost = 1 })
    for _, path in ipairs { grid:find_path(1, 10, 40, 3), grid:find_path(1, 1, 37, 19):smooth() } do
      local seen = {}
      for x, y in path:cells() do
        seen[#seen + 1] = x
        seen[#seen + 1] = y
      end
      assert.same(path:cells_flat(), seen)
    end
  end)

  it("iterates over the cells of cells_flat, in paths of any length, and stays at the end", function()
    local finder = astar.grid(131, 3, { origin = { -1, 0 } }):finder()
    for _, length in ipairs { 0, 1, 2, 30, 31, 32, 33, 63, 64, 65, 95, 130 } do
      local path = finder:find_path(-1, 0, length - 1, length > 40 and 2 or 0)
      local seen, next_cell = {}, path:cells()
      for x, y in next_cell do
        seen[#seen + 1] = x
        seen[#seen + 1] = y
      end
      assert.same(path:cells_flat(), seen)
      assert.equal(0, select("#", next_cell()))
      assert.equal(0, select("#", next_cell()))
    end
  end)

  it("can be used in two loops over one path at the same time", function()
    local path, count = find(BENT), 0
    for _ in path:cells() do
      for _ in path:cells() do count = count + 1 end
    end
    assert.equal(25, count)
  end)

  it("keeps the path in memory during the loop", function()
    local count = 0
    for _ in find(BENT):cells() do
      collectgarbage()
      count = count + 1
    end
    assert.equal(5, count)
  end)
end)

describe("path.cost and path.length", function()
  it("are equal on terrain of cost 1", function()
    local path = find [[
      S...
      ...G
    ]]
    check.equal_cost(2 + SQRT2, path.cost, "cost")
    check.equal_cost(2 + SQRT2, path.length, "length")
  end)

  it("differ on expensive terrain, because path.length is geometric", function()
    local path = find("SssG", nil, { terrain = { ["."] = 1, s = 5 } })
    assert.equal(11, path.cost)
    assert.equal(3, path.length)
  end)
end)

describe("path.expanded", function()
  it("is the number of cells that the search expanded", function()
    local expanded = find(BENT).expanded
    assert.is_true(expanded >= 1 and expanded <= 6 and expanded % 1 == 0)
  end)
end)

describe("path:waypoints", function()
  it("returns the two ends and the turning points", function()
    assert.same({ { x = 1, y = 1 }, { x = 3, y = 1 }, { x = 3, y = 3 } }, find(BENT):waypoints())
  end)

  it("returns the two ends of a straight path", function()
    assert.same({ { x = 1, y = 1 }, { x = 6, y = 1 } }, find("S....G"):waypoints())
  end)

  it("returns one cell for a path of one cell", function()
    local path = astar.grid(3, 3):find_path(2, 3, 2, 3)
    assert.same({ { x = 2, y = 3 } }, path:waypoints())
    assert.same({ { x = 2, y = 3 } }, path:totable())
    assert.same({ 2, 3 }, path:cells_flat())
    assert.same({}, path:directions())
  end)
end)

describe("path:totable and path:cells_flat", function()
  it("return new tables at each call", function()
    local path = find(BENT)
    local cells, flat = path:totable(), path:cells_flat()
    cells[1].x, flat[1] = 99, 99
    assert.equal(1, path:totable()[1].x)
    assert.equal(1, path:cells_flat()[1])
    assert.equal(1, path[1].x)
  end)
end)

describe("path:directions", function()
  it("returns the name of every step", function()
    assert.same({ "east", "east", "south", "south" }, find(BENT):directions())
  end)

  it("returns the names of all eight directions", function()
    local center = { x = 2, y = 2 }
    local grid = astar.grid(3, 3)
    local names = {}
    for y = 1, 3 do
      for x = 1, 3 do
        if x ~= center.x or y ~= center.y then
          names[#names + 1] = grid:find_path(2, 2, x, y):directions()[1]
        end
      end
    end
    assert.same({ "north_west", "north", "north_east", "west", "east", "south_west", "south",
      "south_east" }, names)
  end)

  it("returns names that are fields of astar.directions", function()
    local path = find [[
      S..#....
      .#.#.##.
      .#...#.G
    ]]
    local x, y = path:cell(1)
    for i, name in ipairs(path:directions()) do
      local step = astar.directions[name]
      x, y = x + step.dx, y + step.dy
      assert.same({ x, y }, { path:cell(i + 1) })
    end
  end)
end)

describe("path:reverse", function()
  it("returns the cells of the path in reverse order", function()
    local path = find(BENT)
    local back = path:reverse()
    assert.equal(#path, #back)
    for i = 1, #path do
      assert.same({ path:cell(#path + 1 - i) }, { back:cell(i) })
    end
    assert.same({ "north", "north", "west", "west" }, back:directions())
    check.accessors(back)
  end)

  it("returns a path whose cost is the cost of walking back", function()
    local path = find("S.sG", nil, { terrain = { ["."] = 1, s = 5 } })
    assert.equal(7, path.cost)
    assert.equal(7, path:reverse().cost)
    local grid = astar.grid("..s", { terrain = { ["."] = 1, s = 5 } })
    local into = grid:find_path(1, 1, 3, 1)
    assert.equal(6, into.cost)
    assert.equal(2, into:reverse().cost)
    assert.equal(into.length, into:reverse().length)
  end)

  it("returns a path of cost math.huge if the way back is blocked", function()
    local grid = astar.grid(3, 1)
    grid:block(1, 1)
    local path = grid:find_path(1, 1, 3, 1)
    assert.equal(2, path.cost)
    assert.equal(math.huge, path:reverse().cost)
  end)

  it("follows the corner rule and this unit's costs", function()
    local grid = astar.grid("..\n.s", { terrain = { ["."] = 1, s = 5 } })
    local path = grid:find_path(1, 1, 2, 2, { costs = { s = 3, ["."] = 2 } })
    check.equal_cost(3 * SQRT2, path.cost, "there")
    check.equal_cost(2 * SQRT2, path:reverse().cost, "back")
  end)

  it("calls step_cost for the steps of the way back", function()
    local function uphill(_, y, _, ny, cost) return ny < y and 3 * cost or cost end
    local path = astar.grid(1, 4):find_path(1, 1, 1, 4, { step_cost = uphill })
    assert.equal(3, path.cost)
    assert.equal(9, path:reverse().cost)
  end)

  it("applied twice returns a path equal to the original", function()
    local path = find [[
      S..#....
      .#.#.##.
      .#...#.G
    ]]
    local again = path:reverse():reverse()
    assert.same(path:cells_flat(), again:cells_flat())
    check.equal_cost(path.cost, again.cost, "cost")
  end)

  it("returns one cell for a path of one cell", function()
    local back = astar.grid(1, 1):find_path(1, 1, 1, 1):reverse()
    assert.equal(1, #back)
    assert.equal(0, back.cost)
  end)
end)

describe("path:is_valid", function()
  it("depends only on edits of the grid, not on edits of a field", function()
    local grid, field = astar.grid(9, 1), astar.field(9, 1)
    field:set(1, 1, 2)
    local path = grid:finder({ avoid = field }):find_path(1, 1, 9, 1)
    grid:block(5, 1)
    assert.same({ false, 5 }, { path:is_valid() })
  end)

  it("returns true for a new path", function()
    assert.is_true(find(BENT):is_valid())
    assert.is_true(astar.grid(1, 1):find_path(1, 1, 1, 1):is_valid())
  end)

  it("returns the first cell that can no longer be entered", function()
    local path, grid = find "S.....G"
    grid:block(5, 1)
    assert.same({ false, 5 }, { path:is_valid() })
    grid:set(3, 1, "#")
    assert.same({ false, 3 }, { path:is_valid() })
    grid:set(3, 1, ".")
    grid:unblock(5, 1)
    assert.is_true(path:is_valid())
  end)

  it("applies the finder's rule for corners", function()
    local path, grid = find [[
      S..
      .G.
    ]]
    assert.equal(2, #path)
    grid:block(2, 1)
    assert.same({ false, 2 }, { path:is_valid() })
  end)

  it("ignores a block on the start, which is the unit itself", function()
    local path, grid = find "S...G"
    grid:block(1, 1)
    assert.is_true(path:is_valid())
  end)

  it("returns false if a block is on the goal", function()
    local path, grid = find "S...G"
    grid:block(5, 1)
    assert.same({ false, 5 }, { path:is_valid() })
  end)

  it("depends on the terrain costs of the path's unit", function()
    local path, grid = find("S.sG", { costs = { s = 2 } }, { terrain = { ["."] = 1, s = 5 } })
    grid:terrain("s", false)
    assert.is_true(path:is_valid()) -- its own cost still opens it
    grid:terrain(".", false)
    assert.is_false((path:is_valid()))
  end)
end)

describe("a path that is no longer valid", function()
  it("can still be read, reversed and smoothed", function()
    local path, grid = find [[
      S....
      ####.
      G....
    ]]
    local cells = path:cells_flat()
    grid:block(5, 2)
    assert.same(cells, path:cells_flat())
    assert.equal(10, path.cost)
    assert.equal(math.huge, path:reverse().cost)
    local smooth = path:smooth()
    assert.same({ 1, 3 }, { smooth:cell(#smooth) })
    assert.equal(math.huge, smooth.cost)
    assert.is_false((smooth:is_valid()))
  end)
end)

describe("a partial path", function()
  it("has true in the field partial, and can be used like any other path", function()
    local grid, at, world = maps.read [[
      S..#G
      ...#.
    ]]
    local path = grid:find_path(at.S.x, at.S.y, at.G.x, at.G.y, { partial = true })
    assert.is_true(path.partial)
    check.path(path, { world = world, rules = {}, sx = 1, sy = 1, gx = 3, gy = 1 })
  end)
end)
