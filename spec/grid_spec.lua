local astar = require "astar"
local check = require "spec.support.check"
local maps = require "spec.support.maps"
local random = require "spec.support.random"

local error_of = check.error_of

-- Is it an integer where Lua tells integers from floats?
local function is_integer(value)
  return type(value) == "number" and (not math.type or math.type(value) == "integer")
end

-- All keys of a grid, row by row.
local function keys_of(grid)
  local x0, y0, x1, y1 = grid:bounds()
  local rows = {}
  for y = y0, y1 do
    local row = {}
    for x = x0, x1 do row[#row + 1] = grid:get(x, y) end
    rows[#rows + 1] = row
  end
  return rows
end

describe("require 'astar'", function()
  it("sets no global variable", function()
    assert.is_nil(rawget(_G, "astar"))
  end)

  it("returns a table with the module's version", function()
    assert.matches("%d+%.%d+", astar._VERSION)
  end)

  it("returns the same module table at every call", function()
    assert.equal(astar, require "astar")
  end)
end)

describe("astar.grid by size", function()
  it("makes a grid of open terrain", function()
    local grid = astar.grid(3, 2)
    assert.same({ { ".", ".", "." }, { ".", ".", "." } }, keys_of(grid))
    assert.is_true(grid:is_walkable(3, 2))
  end)

  it("makes a grid with the terrain of the key `fill` in every cell", function()
    local grid = astar.grid(2, 2, { terrain = { grass = 2, water = false }, fill = "grass" })
    assert.same({ { "grass", "grass" }, { "grass", "grass" } }, keys_of(grid))
  end)

  it("may fill the grid with a wall", function()
    local grid = astar.grid(2, 1, { fill = "#" })
    assert.is_false(grid:is_walkable(1, 1))
  end)

  it("may fill the grid with an integer key", function()
    local grid = astar.grid(2, 1, { terrain = { [7] = 2 }, fill = 7 })
    assert.equal(7, grid:get(2, 1))
    assert.is_true(is_integer(grid:get(2, 1)))
  end)

  it("raises an error if `terrain` is given without `fill`", function()
    assert.matches("fill", error_of(function() astar.grid(2, 2, { terrain = { grass = 2 } }) end))
  end)

  it("refuses an unknown key for `fill`", function()
    assert.matches('unknown terrain "sand"', error_of(function()
      astar.grid(2, 2, { terrain = { grass = 2 }, fill = "sand" })
    end))
  end)

  it("accepts up to 16777216 cells per side", function()
    assert.same({ 16777216, 1 }, { astar.grid(16777216, 1):size() })
    assert.same({ 1, 16777216 }, { astar.grid(1, 16777216):size() })
    assert.equal("width must be an integer from 1 to 16777216, got 16777217",
      error_of(function() astar.grid(16777217, 1) end))
    assert.equal("height must be an integer from 1 to 16777216, got 0",
      error_of(function() astar.grid(1, 0) end))
  end)

  it("refuses more than 268435456 cells", function()
    assert.matches("268435456", error_of(function() astar.grid(65536, 65536) end))
    assert.matches("268435456", error_of(function() astar.grid(16777216, 17) end))
  end)
end)

describe("astar.grid by drawing", function()
  it("reads . and space as open terrain, # and @ as blocked terrain", function()
    local grid = astar.grid ". #@"
    assert.same({ { ".", " ", "#", "@" } }, keys_of(grid))
    assert.is_true(grid:is_walkable(1, 1))
    assert.is_true(grid:is_walkable(2, 1))
    assert.is_false(grid:is_walkable(3, 1))
    assert.is_false(grid:is_walkable(4, 1))
  end)

  it("reads one row of cells per line", function()
    assert.same({ 3, 2 }, { astar.grid("..#\n#.."):size() })
  end)

  it("ignores an empty first line and the last line break", function()
    assert.same({ { ".", "#" }, { "#", "." } }, keys_of(astar.grid "\n.#\n#.\n"))
  end)

  it("removes the common margin if the last line consists of blanks", function()
    local nook = astar.grid [[
      .#
      #.
      ]]
    assert.same({ { ".", "#" }, { "#", "." } }, keys_of(nook))
    assert.same({ { ".", "#" }, { "#", "." } }, keys_of(astar.grid "\t.#\n\t#.\n\t"))
    assert.same({ { ".", "#" }, { "#", "." } }, keys_of(astar.grid "\r\n  .#\r\n  #.\r\n  "))
    assert.same({ { " ", "." }, { ".", " " } }, keys_of(astar.grid "\n   .\n  . \n  "))
    local far = astar.grid("\n ..\n .é\n ", { terrain = { ["."] = 1, ["é"] = 2 } })
    assert.same({ { ".", "." }, { ".", "é" } }, keys_of(far))
  end)

  it("keeps the margin if the last line does not consist of blanks", function()
    assert.same({ { " ", "." }, { " ", "." } }, keys_of(astar.grid " .\n .\n"))
    assert.same({ { " ", "." }, { " ", " " } }, keys_of(astar.grid " .\n  \n"))
    assert.same({ { " ", " ", " " } }, keys_of(astar.grid "   "))
    assert.same({ { " ", " " } }, keys_of(astar.grid { "  " }))
  end)

  it("accepts CRLF line ends", function()
    assert.same({ { ".", "#" }, { "#", "." } }, keys_of(astar.grid ".#\r\n#.\r\n"))
  end)

  it("accepts only the keys of `terrain` if that option is given", function()
    local grid = astar.grid("gw", { terrain = { g = 2, w = false } })
    assert.same({ { "g", "w" } }, keys_of(grid))
    assert.equal('unknown terrain "." at row 1, column 2: give it a cost in the option terrain', error_of(function()
      astar.grid("g.", { terrain = { g = 2, w = false } })
    end))
  end)

  it("reads each byte as a character if the text is not UTF-8", function()
    for _, bytes in ipairs { "\195(", "\226\130.", "\240\159\152", "\128\255", "\192\175", "\248\136\128" } do
      local terrain = { ["."] = 1, ["("] = 1 }
      for i = 1, #bytes do terrain[bytes:sub(i, i)] = 2 end
      local grid = astar.grid(bytes, { terrain = terrain })
      assert.equal(#bytes, (grid:size()))
      for x = 1, #bytes do assert.equal(bytes:sub(x, x), grid:get(x, 1)) end
    end
  end)

  it("reads one character per cell from UTF-8 text", function()
    local grid = astar.grid("é≈\n≈é", { terrain = { ["é"] = 1, ["≈"] = 3 } })
    assert.same({ 2, 2 }, { grid:size() })
    assert.same({ { "é", "≈" }, { "≈", "é" } }, keys_of(grid))
  end)

  it("raises an error that names an unknown character and its cell", function()
    assert.equal('unknown terrain "x" at row 2, column 5: give it a cost in the option terrain', error_of(function()
      astar.grid "......\n....x."
    end))
  end)

  it("refuses rows of different lengths", function()
    assert.equal("row 3: expected 20 cells, got 19", error_of(function()
      astar.grid(("."):rep(20) .. "\n" .. ("."):rep(20) .. "\n" .. ("."):rep(19))
    end))
    assert.equal("row 2: expected 1 cells, got 2", error_of(function() astar.grid ".\n.." end))
  end)

  it("raises an error for an empty drawing", function()
    assert.is_string(error_of(function() astar.grid "" end))
    assert.is_string(error_of(function() astar.grid "\n" end))
  end)
end)

describe("astar.grid by rows", function()
  it("accepts strings as rows", function()
    assert.same({ { ".", "#" }, { "#", "." } }, keys_of(astar.grid { ".#", "#." }))
  end)

  it("reads 0 as open and 1 as blocked in rows of numbers", function()
    local grid = astar.grid { { 0, 1 }, { 1, 0 } }
    assert.same({ { 0, 1 }, { 1, 0 } }, keys_of(grid))
    assert.is_true(grid:is_walkable(1, 1))
    assert.is_false(grid:is_walkable(2, 1))
    assert.is_true(is_integer(grid:get(1, 1)))
  end)

  it("reads true as walkable in rows of booleans", function()
    local grid = astar.grid { { true, false } }
    assert.same({ { true, false } }, keys_of(grid))
    assert.is_true(grid:is_walkable(1, 1))
    assert.is_false(grid:is_walkable(2, 1))
  end)

  it("accepts rows of keys of `terrain`", function()
    local grid = astar.grid({ { "road", 3 }, { 3, "road" } }, { terrain = { road = 0.5, [3] = 3 } })
    assert.same({ { "road", 3 }, { 3, "road" } }, keys_of(grid))
  end)

  it("distinguishes the string 1 from the number 1", function()
    local grid = astar.grid({ { "1", 1 } }, { terrain = { ["1"] = 2, [1] = 3 } })
    assert.equal("1", grid:get(1, 1))
    assert.equal(1, grid:get(2, 1))
    assert.equal(2, grid:terrain "1")
    assert.equal(3, grid:terrain(1))
  end)

  it("accepts floats that are whole numbers as integers", function()
    local grid = astar.grid({ { 2.0 ^ 1 } }, { terrain = { [2] = 5 } })
    assert.equal(2, grid:get(1, 1))
    assert.equal(5, grid:terrain(2))
    grid:terrain(2.0 ^ 2, 7)
    grid:set(1, 1, 4)
    assert.is_true(is_integer(grid:get(1, 1)))
  end)

  it("reads every cell of random rows given as text, list or both", function()
    local keys, terrain = { ".", "~", "#", "≈", "\255" }, {}
    for i, key in ipairs(keys) do terrain[key] = i end
    for seed = 1, 20 do
      local r, rows, expected = random.new(seed), {}, {}
      local width = r:int(1, 200)
      for y = 1, 5 do
        local row, key = {}, keys[1]
        for x = 1, width do -- in runs
          if r:int(1, 3) == 1 then key = keys[r:int(1, #keys)] end
          row[x] = key
        end
        expected[y] = row
        rows[y] = r:int(1, 2) == 1 and table.concat(row) or row
      end
      assert.same(expected, keys_of(astar.grid(rows, { terrain = terrain })), "seed " .. seed)
    end
  end)

  it("distinguishes adjacent keys of any types", function()
    local keys = { 1, "1", true, false, false, "true", 0, -1, 300, "1", 1, 1.0, 1 }
    local terrain = {}
    for i, key in ipairs(keys) do terrain[key] = i end
    assert.same({ keys }, keys_of(astar.grid({ keys }, { terrain = terrain })))
  end)

  it("accepts several hundred rows and columns", function()
    local rows = {}
    for y = 1, 300 do rows[y] = ("."):rep(400) end
    assert.same({ 400, 300 }, { astar.grid(rows):size() })
  end)

  it("refuses rows of different lengths", function()
    assert.equal("row 2: expected 3 cells, got 2", error_of(function()
      astar.grid { { 0, 0, 0 }, { 0, 0 } }
    end))
    assert.equal("row 2: expected 2 cells, got 3", error_of(function()
      astar.grid { "..", "..." }
    end))
  end)

  it("raises an error that names an unknown key and its cell", function()
    assert.matches("unknown terrain 2 at row 2, column 1", error_of(function()
      astar.grid { { 0, 1 }, { 2, 0 } }
    end))
    assert.matches('unknown terrain "x" at row 1, column 2', error_of(function()
      astar.grid { { ".", "x" } }
    end))
    assert.matches("unknown terrain 1.5 at row 1, column 3", error_of(function()
      astar.grid { { 1, 1, 1.5 } }
    end))
    assert.matches("unknown terrain nil at row 1, column 2", error_of(function()
      astar.grid { { 1, nil, 1 } }
    end))
    assert.matches('unknown terrain "x" at row 2, column 3', error_of(function()
      astar.grid { "...", "..x" }
    end))
  end)
end)

describe("the option terrain", function()
  it("accepts at most 256 terrains", function()
    local terrain = {}
    for key = 1, 256 do terrain[key] = key end
    local grid = astar.grid(1, 1, { terrain = terrain, fill = 256 })
    assert.equal(255, grid:terrain(255))
    assert.matches("256", error_of(function() grid:terrain("one more", 1) end))
    terrain[257] = 1
    assert.matches("256", error_of(function()
      astar.grid(1, 1, { terrain = terrain, fill = 256 })
    end))
  end)

  it("accepts costs from 0.001 to 1000000", function()
    local grid = astar.grid(1, 1, { terrain = { a = 0.001, b = 1000000 }, fill = "a" })
    assert.equal(0.001, grid:terrain "a")
    assert.equal(1000000, grid:terrain "b")
    for _, cost in ipairs { 0, -1, 0.0009, 1000001, -math.huge, 0 / 0 } do
      assert.matches("from 0.001 to 1000000", error_of(function()
        astar.grid(1, 1, { terrain = { a = cost }, fill = "a" })
      end), 1, true)
    end
  end)

  it("accepts false and math.huge as costs of blocked terrain", function()
    local grid = astar.grid("ab", { terrain = { a = false, b = math.huge } })
    assert.is_false(grid:terrain "a")
    assert.is_false(grid:terrain "b")
    assert.is_false(grid:is_walkable(1, 1))
    assert.is_false(grid:is_walkable(2, 1))
  end)
end)

describe("the option origin", function()
  it("sets the coordinates of the north-west cell", function()
    local grid = astar.grid("..\n.#", { origin = { 0, 0 } })
    assert.equal("#", grid:get(1, 1))
    assert.same({ 0, 0, 1, 1 }, { grid:bounds() })
  end)

  it("may have coordinates far from 0 and negative ones", function()
    local grid = astar.grid(10, 5, { origin = { -1000000, 2000000 } })
    assert.same({ -1000000, 2000000, -999991, 2000004 }, { grid:bounds() })
    local path = grid:find_path(-1000000, 2000000, -999991, 2000004)
    assert.same({ -999991, 2000004 }, { path:cell(#path) })
  end)

  it("determines the bounds in error messages", function()
    local grid = astar.grid(10, 5, { origin = { -3, 7 } })
    assert.equal("x must be an integer from -3 to 6, got 7",
      error_of(function() grid:get(7, 7) end))
    assert.equal("y must be an integer from 7 to 11, got 6",
      error_of(function() grid:get(0, 6) end))
  end)
end)

describe("grid:size and grid:bounds", function()
  it("return the numbers of columns and rows, and the corner cells", function()
    local grid = astar.grid(20, 10)
    assert.same({ 20, 10 }, { grid:size() })
    assert.same({ 1, 1, 20, 10 }, { grid:bounds() })
    for _, value in ipairs { grid:size() } do assert.is_true(is_integer(value)) end
    for _, value in ipairs { grid:bounds() } do assert.is_true(is_integer(value)) end
  end)
end)

describe("every count that is returned", function()
  it("has the type integer, in grids, graphs, crowds and worlds", function()
    local grid, graph, world = astar.grid(3, 3), astar.graph(), astar.world()
    local finder = grid:finder()
    local crowd = astar.crowd(finder)
    crowd:beat()
    local counts = { grid:version(), grid:bytes(), finder:find_path(1, 1, 3, 3).expanded, graph:version(),
      graph:bytes(), graph:bake().bytes, crowd.beats, crowd.bytes, world:version() }
    for _, value in pairs(world:stats()) do counts[#counts + 1] = value end
    for i, value in ipairs(counts) do assert(is_integer(value), i) end
  end)
end)

describe("grid:set", function()
  it("changes the terrain of one cell", function()
    local grid = astar.grid(3, 2)
    grid:set(2, 2, "#")
    assert.same({ { ".", ".", "." }, { ".", "#", "." } }, keys_of(grid))
  end)

  it("takes effect in the next query", function()
    local grid = astar.grid(3, 1)
    local finder = grid:finder()
    assert.is_userdata(finder:find_path(1, 1, 3, 1))
    grid:set(2, 1, "#")
    assert.equal("unreachable", select(2, finder:find_path(1, 1, 3, 1)))
    grid:set(2, 1, ".")
    assert.is_userdata(finder:find_path(1, 1, 3, 1))
  end)

  it("refuses an unknown key and leaves the cell unchanged", function()
    local grid = astar.grid(3, 2)
    assert.matches('unknown terrain "x"', error_of(function() grid:set(1, 1, "x") end))
    assert.matches("unknown terrain 1", error_of(function() grid:set(1, 1, 1) end))
    assert.equal(".", grid:get(1, 1))
  end)

  it("refuses a cell outside the grid", function()
    local grid = astar.grid(3, 2)
    assert.equal("x must be an integer from 1 to 3, got 4",
      error_of(function() grid:set(4, 1, "#") end))
    assert.equal("y must be an integer from 1 to 2, got 0: cells count from 1, unless the grid is made "
      .. "with origin = { 0, 0 }",
      error_of(function() grid:set(1, 0, "#") end))
  end)
end)

describe("grid:fill", function()
  it("changes the terrain of a rectangle", function()
    local grid = astar.grid(4, 3)
    grid:fill(2, 1, 2, 3, "#")
    assert.same({ { ".", "#", "#", "." }, { ".", "#", "#", "." }, { ".", "#", "#", "." } },
      keys_of(grid))
  end)

  it("fills rectangles that cross the core's machine words", function()
    local grid = astar.grid(200, 3)
    grid:fill(60, 2, 80, 1, "#")
    for x = 1, 200 do
      assert.equal(x >= 60 and x < 140 and "#" or ".", grid:get(x, 2))
      assert.equal(x < 60 or x >= 140, grid:is_walkable(x, 2))
      assert.is_true(grid:is_walkable(x, 1))
    end
  end)

  it("refuses a rectangle that extends beyond the grid, and changes nothing", function()
    local grid = astar.grid(4, 3)
    assert.equal("w must be an integer from 1 to 3, got 4",
      error_of(function() grid:fill(2, 1, 4, 1, "#") end))
    assert.equal("h must be an integer from 1 to 2, got 0",
      error_of(function() grid:fill(1, 2, 1, 0, "#") end))
    assert.same({ ".", ".", ".", "." }, keys_of(grid)[1])
  end)
end)

describe("grid:set_cells and grid:get_cells", function()
  it("write and read a rectangle row by row", function()
    local grid = astar.grid(4, 3)
    grid:set_cells(2, 1, 3, 2, "#.##.#")
    assert.same({ { ".", "#", ".", "#" }, { ".", "#", ".", "#" }, { ".", ".", ".", "." } }, keys_of(grid))
    assert.equal("#.##.#", grid:get_cells(2, 1, 3, 2))
    assert.equal(".#.#.#.#....", grid:get_cells(1, 1, 4, 3))
  end)

  it("accept a list, return a list if a key is not a single byte, and read characters of several bytes", function()
    local grid = astar.grid(3, 1, { terrain = { ["é"] = 1, [7] = 2, ["."] = 1 }, fill = ".",
      origin = { -5, 0 } })
    grid:set_cells(-5, 0, 2, 1, { 7, "é" })
    assert.same({ 7, "é", "." }, grid:get_cells(-5, 0, 3, 1))
    grid:set_cells(-5, 0, 3, 1, ".éé")
    assert.same({ ".", "é", "é" }, grid:get_cells(-5, 0, 3, 1))
  end)

  it("count as one edit of the grid, or as no edit if no cell changes", function()
    local grid = astar.grid(4, 4)
    local before = grid:version()
    grid:set_cells(1, 1, 4, 4, ("."):rep(16))
    assert.equal(before, grid:version())
    grid:set_cells(1, 1, 4, 4, ("....#..#"):rep(2))
    assert.is_true(grid:version() > before)
    assert.is_nil((grid:find_path(1, 1, 1, 2)))
  end)

  it("change nothing if a key is unknown or the last key is missing", function()
    local grid = astar.grid(3, 2)
    local function set(keys) return error_of(function() grid:set_cells(1, 1, 3, 2, keys) end) end
    assert.equal('unknown terrain "?" at row 2, column 3: give it a cost in the option terrain', set "#####?")
    assert.equal("keys must be 3 x 2 = 6 cells, got 5", set "#####")
    assert.equal("......", grid:get_cells(1, 1, 3, 2))
  end)
end)

describe("grid:block", function()
  it("puts a block on a cell and keeps the terrain", function()
    local grid = astar.grid(2, 1)
    grid:block(2, 1)
    assert.is_true(grid:is_blocked(2, 1))
    assert.is_false(grid:is_walkable(2, 1))
    assert.equal(".", grid:get(2, 1))
    assert.is_false(grid:is_blocked(1, 1))
  end)

  it("blocks a rectangle", function()
    local grid = astar.grid(4, 4)
    grid:block(2, 2, 2, 3)
    local count = 0
    for y = 1, 4 do
      for x = 1, 4 do
        if grid:is_blocked(x, y) then count = count + 1 end
        assert.equal(x >= 2 and x <= 3 and y >= 2, grid:is_blocked(x, y))
      end
    end
    assert.equal(6, count)
  end)

  it("blocks a row if only the width is given", function()
    local grid = astar.grid(4, 2)
    grid:block(2, 1, 3)
    assert.is_true(grid:is_blocked(4, 1))
    assert.is_false(grid:is_blocked(2, 2))
  end)

  it("keeps the block when the cell's terrain is edited", function()
    local grid = astar.grid(2, 1, { fill = "#" })
    grid:block(1, 1)
    grid:set(1, 1, ".")
    assert.is_false(grid:is_walkable(1, 1))
    grid:unblock(1, 1)
    assert.is_true(grid:is_walkable(1, 1))
  end)

  it("refuses a rectangle that extends beyond the grid, and blocks nothing", function()
    local grid = astar.grid(4, 3)
    assert.equal("w must be an integer from 1 to 3, got 4",
      error_of(function() grid:block(2, 1, 4, 1) end))
    assert.equal("h must be an integer from 1 to 2, got 3",
      error_of(function() grid:block(2, 2, 1, 3) end))
    assert.is_false(grid:is_blocked(2, 1))
  end)
end)

describe("grid:unblock", function()
  it("restores the terrain below the block", function()
    local grid = astar.grid ".#"
    grid:block(1, 1, 2, 1)
    grid:unblock(1, 1, 2, 1)
    assert.is_true(grid:is_walkable(1, 1))
    assert.is_false(grid:is_walkable(2, 1)) -- a wall is still a wall
    assert.equal("#", grid:get(2, 1))
  end)

  it("does nothing if the cell has no block", function()
    local grid = astar.grid(2, 1)
    grid:unblock(1, 1)
    assert.is_true(grid:is_walkable(1, 1))
  end)
end)

describe("grid:is_blocked", function()
  it("returns true for blocks and false for walls", function()
    local grid = astar.grid "#."
    assert.is_false(grid:is_blocked(1, 1))
    grid:block(1, 1)
    assert.is_true(grid:is_blocked(1, 1))
  end)
end)

describe("grid:terrain", function()
  it("returns the cost of a terrain key", function()
    local grid = astar.grid("gw", { terrain = { g = 2.5, w = false } })
    assert.equal(2.5, grid:terrain "g")
    assert.is_false(grid:terrain "w")
    assert.is_nil(grid:terrain "x")
  end)

  it("returns the costs of the default keys", function()
    local grid = astar.grid(1, 1)
    assert.equal(1, grid:terrain ".")
    assert.is_false(grid:terrain "#")
  end)

  it("changes the cost of a terrain for the next query", function()
    local grid = astar.grid("gg", { terrain = { g = 2 } })
    local finder = grid:finder()
    assert.equal(2, finder:find_path(1, 1, 2, 1).cost)
    grid:terrain("g", 3)
    assert.equal(3, finder:find_path(1, 1, 2, 1).cost)
    grid:terrain("g", 0.25)
    assert.equal(0.25, finder:find_path(1, 1, 2, 1).cost)
    assert.equal(0.25, grid:terrain "g")
  end)

  it("opens and blocks all cells of a terrain", function()
    local grid = astar.grid("gwg", { terrain = { g = 1, w = false } })
    assert.equal("unreachable", select(2, grid:find_path(1, 1, 3, 1)))
    grid:terrain("w", 4)
    assert.equal(5, grid:find_path(1, 1, 3, 1).cost)
    grid:terrain("w", math.huge)
    assert.equal("unreachable", select(2, grid:find_path(1, 1, 3, 1)))
    assert.is_false(grid:terrain "w")
  end)

  it("adds a new terrain key", function()
    local grid = astar.grid(2, 1)
    grid:terrain("mud", 3)
    assert.equal(3, grid:terrain "mud")
    grid:set(2, 1, "mud")
    assert.equal(3, grid:find_path(1, 1, 2, 1).cost)
  end)

  it("refuses a cost out of range", function()
    local grid = astar.grid(2, 1)
    for _, cost in ipairs { 0, -1, 1e7, 0 / 0, "2", true } do
      assert.matches("from 0.001 to 1000000", error_of(function() grid:terrain(".", cost) end),
        1, true)
    end
    assert.equal(1, grid:terrain ".")
  end)
end)

describe("grid:version", function()
  it("changes with every edit of the grid, and only then", function()
    local grid = astar.grid(3, 3, { terrain = { ["."] = 1, ["#"] = false }, fill = "." })
    local seen = { [grid:version()] = true }
    local function assert_new(what)
      assert.is_nil(seen[grid:version()], what)
      seen[grid:version()] = true
    end
    grid:set(1, 1, "#") assert_new "set"
    grid:fill(2, 2, 2, 2, "#") assert_new "fill"
    grid:set_cells(2, 2, 2, 1, ".#") assert_new "set_cells"
    grid:block(3, 1) assert_new "block"
    grid:unblock(3, 1) assert_new "unblock"
    grid:terrain("#", 2) assert_new "terrain"
    local version = grid:version()
    grid:get(1, 1)
    grid:find_path(1, 2, 3, 3)
    grid:finder():reachable(1, 2, 3, 3)
    grid:draw()
    grid:dump()
    grid:clone():set(1, 1, ".")
    assert.equal(version, grid:version())
  end)

  it("returns the same number after an edit that was refused", function()
    local grid = astar.grid(3, 3)
    local version = grid:version()
    pcall(grid.set, grid, 1, 1, "x")
    pcall(grid.fill, grid, 1, 1, 9, 9, "#")
    pcall(grid.block, grid, 1, 1, 9, 9)
    pcall(grid.terrain, grid, ".", -1)
    assert.equal(version, grid:version())
  end)
end)

describe("grid:clone", function()
  it("returns an equal grid", function()
    local grid = astar.grid("g.\n.#", {
      terrain = { g = 2, ["."] = 1, ["#"] = false }, origin = { 5, 6 },
    })
    grid:block(6, 6)
    local clone = grid:clone()
    assert.same(keys_of(grid), keys_of(clone))
    assert.same({ 5, 6, 6, 7 }, { clone:bounds() })
    assert.equal(2, clone:terrain "g")
    assert.is_true(clone:is_blocked(6, 6))
    assert.equal(grid:draw(), clone:draw())
  end)

  it("returns a grid that later edits of the original do not change", function()
    local grid = astar.grid(2, 2)
    local clone = grid:clone()
    clone:set(1, 1, "#")
    clone:block(2, 1)
    clone:terrain(".", 5)
    clone:terrain("mud", 3)
    assert.equal(".", grid:get(1, 1))
    assert.is_false(grid:is_blocked(2, 1))
    assert.equal(1, grid:terrain ".")
    assert.is_nil(grid:terrain "mud")
    grid:set(2, 2, "#")
    assert.equal(".", clone:get(2, 2))
  end)
end)

describe("a grid", function()
  it("shows the numbers of columns and rows in tostring", function()
    assert.equal("astar grid 20 x 10", tostring(astar.grid(20, 10)))
  end)

  it("does not let getmetatable return its metatable", function()
    assert.is_not_table(getmetatable(astar.grid(1, 1)))
  end)

  it("has only the documented fields, and no field can be added", function()
    local grid = astar.grid(1, 1)
    assert.has_error(function() return grid.colour end, 'astar grid has no field "colour"')
    assert.has_error(function() grid.colour = "red" end)
  end)

  it("draws the text that it was made from", function()
    local drawing = [[
      ..#.
      .##.
    ]]
    assert.equal(maps.text(drawing), maps.read(drawing):draw())
  end)
end)

describe("a rectangle of cells", function()
  it("is filled and blocked up to its edges, and not beyond", function()
    local KEYS = { ".", ",", "#" }
    for seed = 1, 60 do
      local dice = random.new(seed)
      local width, height = dice:int(1, 140), dice:int(1, 6)
      local grid = astar.grid(width, height, { terrain = { ["."] = 1, [","] = 2, ["#"] = false }, fill = "." })
      local ground, blocks = {}, {}
      for i = 1, width * height do ground[i], blocks[i] = ".", false end
      for _ = 1, 12 do
        local x, y = dice:int(1, width), dice:int(1, height)
        local w, h = dice:int(1, width + 1 - x), dice:int(1, height + 1 - y)
        local key, deed, before, changed = KEYS[dice:int(1, 3)], dice:int(1, 4), grid:version(), false
        if deed == 1 then grid:fill(x, y, w, h, key) end
        if deed == 2 then grid:block(x, y, w, h) end
        if deed == 3 then grid:unblock(x, y, w, h) end
        local keys = {}
        for i = 1, w * h do keys[i] = KEYS[dice:int(1, 3)] end
        if deed == 4 then grid:set_cells(x, y, w, h, dice:int(1, 2) == 1 and keys or table.concat(keys)) end
        for row = y, y + h - 1 do
          for i = (row - 1) * width + x, (row - 1) * width + x + w - 1 do
            local list, value = deed == 1 and ground or blocks, deed == 1 and key or deed == 2
            if deed == 4 then list, value = ground, table.remove(keys, 1) end
            changed = changed or list[i] ~= value
            list[i] = value
          end
        end
        assert.equal(changed, grid:version() > before, "seed " .. seed)
      end
      for i = 1, width * height do
        local x, y = (i - 1) % width + 1, math.floor((i - 1) / width) + 1
        assert.equal(ground[i], grid:get(x, y), "seed " .. seed)
        assert.equal(blocks[i], grid:is_blocked(x, y), "seed " .. seed)
      end
    end
  end)
end)

describe("memory of the C core", function()
  it("does not start a garbage collector that was stopped", function()
    collectgarbage "stop"
    local before = collectgarbage "count"
    for _ = 1, 300 do
      for _ = 1, 200 do local _ = { {} } end
      astar.grid(200, 200)
    end
    local after = collectgarbage "count"
    collectgarbage "restart"
    assert.is_true(after > before + 300 * 200 * 0.05, "collected, though it was stopped")
  end)

  it("starts work of the garbage collector when it is allocated, but not when it is reused", function()
    local finder = astar.grid(1000, 1000):finder { algorithm = "dijkstra" }
    local function is_collected(times, question)
      local garbage = setmetatable({ [{}] = true }, { __mode = "k" })
      for _ = 1, times do
        question()
        if next(garbage) == nil then return true end
      end
      return false
    end
    collectgarbage()
    collectgarbage()
    assert.is_true(is_collected(100, function() finder:search(1, 1, 1000, 1000):step(3e5) end))
    finder:find_path(1, 1, 1, 3)
    collectgarbage()
    collectgarbage()
    finder:find_path(1, 1, 1, 3)
    assert.is_false(is_collected(20, function() finder:find_path(1, 1, 1, 3) end))
  end)
end)

describe("grid:changes", function()
  local function new_grid()
    return astar.grid(30, 20, { terrain = { ["."] = 1, ["#"] = false, ["~"] = 2 }, fill = ".", origin = { -7, 3 } })
  end

  it("returns nothing for a grid that has not changed", function()
    local grid = new_grid()
    assert.same({}, grid:changes(grid:version()))
    grid:block(1, 5)
    assert.same({}, grid:changes(grid:version()))
    assert.same({ 1, 5, 1, 1 }, grid:changes(grid:version() - 1))
  end)

  -- All that can be seen of a cell, its walls and links but for.
  local function look(grid)
    local cells = {}
    for y = 3, 22 do
      for x = -7, 22 do
        cells[x .. " " .. y] = grid:get(x, y) .. table.concat(grid:block_layers(x, y), ",")
      end
    end
    return cells
  end

  it("covers every cell that has changed since any version, but no cells far from every change", function()
    for seed = 1, 20 do
      local numbers = require("spec.support.random").new(seed)
      local grid = new_grid()
      local versions, looks, areas = {}, {}, {}
      for step = 1, 12 do
        versions[step], looks[step], areas[step] = grid:version(), look(grid), 0
        local x, y = numbers:int(-7, 22), numbers:int(3, 22)
        local w, h = numbers:int(1, 23 - x), numbers:int(1, 23 - y)
        local choice = numbers:int(1, 6)
        if choice == 1 then grid:block(x, y, w, h)
        elseif choice == 2 then grid:unblock(x, y, w, h)
        elseif choice == 3 then grid:block(x, y, w, h, numbers:pick { "a", "b" })
        elseif choice == 4 then grid:fill(x, y, w, h, numbers:pick { ".", "#", "~" })
        elseif choice == 5 then grid:set(x, y, numbers:pick { ".", "#", "~" })
        else grid:set_cells(x, y, 1, 1, "~") end
        if numbers:chance(0.2) then grid = grid:clone() end
        for before = 1, step do
          areas[before] = areas[before] + w * h
          local changes, covered, area = grid:changes(versions[before]), {}, 0
          if changes then
            for i = 1, #changes, 4 do
              area = area + changes[i + 2] * changes[i + 3]
              for cy = changes[i + 1], changes[i + 1] + changes[i + 3] - 1 do
                for cx = changes[i], changes[i] + changes[i + 2] - 1 do covered[cx .. " " .. cy] = true end
              end
            end
            assert(area <= areas[before], ("seed %d: %d cells of %d"):format(seed, area, areas[before]))
            for cell, seen in pairs(look(grid)) do
              assert(seen == looks[before][cell] or covered[cell], ("seed %d: not %s"):format(seed, cell))
            end
          end
        end
      end
    end
  end)

  it("does not include edits of the original from before a clone was made", function()
    local grid = new_grid()
    grid:block(1, 5)
    local copy = grid:clone()
    assert.is_nil(copy:changes(0))
    assert.same({}, copy:changes(copy:version()))
    copy:block(2, 5)
    assert.same({ 2, 5, 1, 1 }, copy:changes(grid:version()))
  end)

  it("returns the edits published since the version, on a map from astar.shared", function()
    if not pcall(astar.workers, 1) then return end -- nor are there maps to share
    local grid = new_grid()
    grid:share "changes"
    local map = astar.shared "changes"
    local before = map:version()
    grid:block(2, 5)
    assert.same({}, map:changes(before))
    grid:publish()
    assert.same({ 2, 5, 1, 1 }, map:changes(before))
    grid:unshare()
  end)

  it("includes the cells of walls and links", function()
    local grid = new_grid()
    local before = grid:version()
    grid:wall(4, 5, "east")
    grid:link(-7, 3, 9, 9, { one_way = true })
    local changes, is_named = grid:changes(before), {}
    for i = 1, #changes, 4 do is_named[changes[i] .. " " .. changes[i + 1]] = true end
    assert(is_named["4 5"] and is_named["-7 3"])
  end)

  it("returns nil if costs have changed, or if the grid no longer remembers the edits", function()
    local grid = new_grid()
    local before = grid:version()
    for i = 0, 255 do grid:set(i % 16, 5, i % 32 < 16 and "~" or ".") end
    assert.equal(4 * 256, #grid:changes(before))
    grid:set(1, 6, "~")
    assert.is_nil(grid:changes(before))
    assert.equal(4 * 256, #grid:changes(before + 1))
    before = grid:version()
    grid:terrain("~", 3)
    assert.is_nil(grid:changes(before))
    assert.same({}, grid:changes(grid:version()))
  end)

  it("remembers 256 edits per layer, whatever is edited in other layers", function()
    local grid = new_grid()
    local before = grid:version()
    for i = 1, 200 do
      grid[i % 2 == 1 and "block" or "unblock"](grid, 3, 5, "doors")
      grid[i % 2 == 1 and "block" or "unblock"](grid, 3, 5)
    end
    assert.equal(4 * 400, #grid:changes(before))
  end)

  it("refuses a value that is not a version of the grid", function()
    local grid = new_grid()
    local now = grid:version()
    for _, case in ipairs {
      { nil, "nil" }, { "1", '"1"' }, { -1, "-1" }, { 0.5, "0.5" }, { now + 1, tostring(now + 1) }, { {}, "a table" },
      { math.huge, "inf" }, { 0 / 0, "nan" },
    } do
      local message = select(2, pcall(grid.changes, grid, case[1]))
      assert.matches("version must be an integer from 0 to " .. now .. ", got " .. case[2]:gsub("%-", "%%-"), message)
    end
  end)
end)
