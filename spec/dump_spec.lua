local astar = require "astar"
local check = require "spec.support.check"
local forge = require "spec.support.forge"
local maps = require "spec.support.maps"
local oracle = require "spec.support.oracle"
local random = require "spec.support.random"

local error_of = check.error_of

local function assert_same_grid(expected, got, what)
  assert.same({ expected:bounds() }, { got:bounds() }, what)
  local x0, y0, x1, y1 = expected:bounds()
  for y = y0, y1 do
    for x = x0, x1 do
      if expected:get(x, y) ~= got:get(x, y) or expected:is_blocked(x, y) ~= got:is_blocked(x, y)
        or expected:terrain(expected:get(x, y)) ~= got:terrain(expected:get(x, y)) then
        error(("%s: cells (%d, %d) differ"):format(what or "grids", x, y), 0)
      end
    end
  end
end

describe("astar.load", function()
  it("returns a grid equal to the grid that was dumped", function()
    local grid = astar.grid("g.#\n.≈.", {
      terrain = { g = 2.5, ["."] = 1, ["#"] = false, ["≈"] = 0.001, unused = 7 },
      origin = { -3, 900 },
    })
    grid:block(-2, 900)
    local again = astar.load(grid:dump())
    assert_same_grid(grid, again)
    assert.equal(7, again:terrain "unused")
    assert.is_false(again:terrain "#")
    assert.equal(grid:draw(), again:draw())
    assert.equal(tostring(grid), tostring(again))
  end)

  it("keeps integer, string and boolean keys apart", function()
    local grid = astar.grid({ { "1", 1, -7, true, false, "a\0b", "" } }, {
      terrain = { ["1"] = 2, [1] = 3, [-7] = 4, [true] = 5, [false] = 6, ["a\0b"] = 7, [""] = 8 },
    })
    assert_same_grid(grid, astar.load(grid:dump()))
  end)

  it("accepts a dump of 256 terrains", function()
    local terrain, row = {}, {}
    for key = 1, 256 do terrain[key], row[key] = key + 0.125, key end
    local grid = astar.grid({ row }, { terrain = terrain })
    assert_same_grid(grid, astar.load(grid:dump()))
  end)

  it("keeps integer labels as integers, in grids and in graphs", function()
    local grid = astar.grid "..."
    grid:link(1, 1, 3, 1, { label = 7 })
    local graph = astar.graph()
    graph:node "a"
    graph:node "b"
    graph:edge("a", "b", { label = 7 })
    assert.equal("7", tostring(astar.graph.load(graph:dump()):finder():find_path("a", "b"):link(1)))
    assert.equal("7", tostring(astar.load(grid:dump()):links()[1].label))
  end)

  it("returns a grid that can be searched and edited", function()
    local grid = astar.load(astar.grid("..#."):dump())
    assert.equal("unreachable", select(2, grid:find_path(1, 1, 4, 1)))
    grid:set(3, 1, ".")
    assert.equal(3, grid:find_path(1, 1, 4, 1).cost)
  end)

  it("returns a grid whose dump is the same string", function()
    local grid = astar.grid("g.#", { terrain = { g = 2, ["."] = 1, ["#"] = false } })
    grid:block(2, 1)
    assert.equal(grid:dump(), astar.load(grid:dump()):dump())
  end)

  it("returns grids equal to random dumped grids", function()
    local terrain = { ["."] = 1, ["#"] = false, g = 2, s = 3.75 }
    for seed = 1, 100 do
      local r = random.new(seed)
      local width, height = r:sides()
      local world = oracle.world(r:sow(r:map(width, height), { "g", "s" }), { terrain = terrain })
      for cell = 1, width * height do world.blocks[cell] = r:chance(0.1) or nil end
      local grid = maps.grid(world)
      assert_same_grid(grid, astar.load(grid:dump()), "seed " .. seed)
    end
  end)

  it("accepts the dump of a large grid", function()
    local grid = astar.grid(1000, 1000)
    grid:fill(10, 10, 900, 5, "#")
    local again = astar.load(grid:dump())
    assert.equal("#", again:get(909, 14))
    assert.equal(".", again:get(910, 14))
  end)

  it("keeps blocks and walls for every width of the map, in runs that end in any row", function()
    for width = 60, 70 do
      local grid = astar.grid(width, 5)
      for i = 0, 9 do
        grid:block(1 + i * 7 % width, 1 + i % 5, 1 + math.min(i * 5, width - 1 - i * 7 % width), 1)
        grid:set(width - i, 1 + i * 3 % 5, "#")
        grid:wall(1 + i * 11 % width, 1 + i % 5, i % 2 == 0 and "south" or "east", i % 3 == 0)
      end
      grid:block(1, 2, width, 2)
      local again = astar.load(grid:dump())
      assert_same_grid(grid, again, "width " .. width)
      assert.same(grid:walls(), again:walls())
      assert.equal(grid:dump(), again:dump())
    end
  end)

  it("accepts at most max_cells cells, 2^24 by default", function()
    local dump = astar.grid(40, 30):dump()
    assert.equal("a dump of 40 x 30 cells: more than the option max_cells, 1199",
      error_of(function() astar.load(dump, { max_cells = 1199 }) end))
    assert.same({ 40, 30 }, { astar.load(dump, { max_cells = 1200 }):size() })
    assert.same({ 40, 30 }, { astar.load(dump, {}):size() })
    assert.equal(dump, astar.load(dump, nil):dump())
    local most = astar.grid(4096, 4096):dump()
    assert.same({ 4096, 4096 }, { astar.load(most):size() })
    local more = astar.grid(4096, 4097):dump()
    assert.equal("a dump of 4096 x 4097 cells: more than the option max_cells, 16777216",
      error_of(function() astar.load(more) end))
    assert.same({ 4096, 4097 }, { astar.load(more, { max_cells = 2 ^ 28 }):size() })
  end)

  it("raises an error for unknown options and invalid values", function()
    local dump = astar.grid(2, 2):dump()
    for _, value in ipairs { 0, -1, 1.5, 2 ^ 28 + 1, math.huge, "9", false } do
      local message = error_of(function() astar.load(dump, { max_cells = value }) end)
      assert.equal("max_cells must be an integer from 1 to 268435456, got", message:match "^.* got")
    end
    assert.equal('unknown option "max_cell" (did you mean "max_cells"?)',
      error_of(function() astar.load(dump, { max_cell = 9 }) end))
    assert.equal("unknown option 1", error_of(function() astar.load(dump, { 9 }) end))
    assert.equal("options must be a table, got 9: { max_cells = ... }", error_of(function() astar.load(dump, 9) end))
  end)

  it("raises an error for a value that is not a string", function()
    for text, value in pairs {
      ["1"] = 1, ["true"] = true, ["a table"] = {}, ["a function"] = print,
    } do
      assert.equal("a grid's dump expected, got " .. text,
        error_of(function() astar.load(value) end))
    end
    assert.equal("a grid's dump expected, got nil", error_of(function() astar.load() end))
  end)
end)

describe("a dump that was damaged", function()
  local grid = astar.grid("g.#\n..g", { terrain = { g = 2.5, ["."] = 1, ["#"] = false } })
  grid:block(2, 2)
  local dump = grid:dump()

  it("raises an error if the dump is cut short at any byte", function()
    for length = 0, #dump - 1 do
      assert.is_false((pcall(astar.load, dump:sub(1, length))), length .. " bytes of " .. #dump)
    end
  end)

  it("raises an error if the beginning of the dump is missing", function()
    for first = 2, #dump do assert.is_false((pcall(astar.load, dump:sub(first)))) end
  end)

  it("raises an error if any byte of the dump is changed to any other value", function()
    for i = 1, #dump do
      local byte = dump:byte(i)
      for other = 0, 255 do
        if other ~= byte then
          local altered = dump:sub(1, i - 1) .. string.char(other) .. dump:sub(i + 1)
          if pcall(astar.load, altered) then
            error(("byte %d of %d as %d instead of %d was accepted"):format(i, #dump, other, byte))
          end
        end
      end
    end
  end)

  it("raises an error if two bytes of the dump are swapped", function()
    for i = 1, #dump - 1 do
      if dump:byte(i) ~= dump:byte(i + 1) then
        local swapped = dump:sub(1, i - 1) .. dump:sub(i + 1, i + 1) .. dump:sub(i, i)
          .. dump:sub(i + 2)
        assert.is_false((pcall(astar.load, swapped)), "bytes " .. i .. " and " .. i + 1)
      end
    end
  end)

  it("raises an error if more bytes follow the end of the dump", function()
    for _, tail in ipairs { "\0", "x", "\n", dump } do
      assert.is_false((pcall(astar.load, dump .. tail)))
    end
  end)

  it("raises an error at the line of the caller", function()
    assert.is_string(error_of(function() astar.load(dump:sub(1, -2)) end))
    assert.is_string(error_of(function() astar.load "" end))
    assert.is_string(error_of(function() astar.load "hello" end))
    assert.is_string(error_of(function() astar.load(("\255"):rep(1000)) end))
  end)

  it("does not affect later calls of astar.load", function()
    pcall(astar.load, dump:sub(1, -2))
    assert_same_grid(grid, astar.load(dump))
  end)
end)

describe("a dump that was forged", function()
  local plain = astar.grid("g.#\n..g", { terrain = { g = 2.5, ["."] = 1, ["#"] = false, [7] = 3, [true] = 1 } })
  plain:block(2, 2)
  local layered = astar.grid "...\n.#."
  layered:link(1, 1, 3, 2, { label = "stairs" })
  layered:link(3, 1, 1, 2, { label = 7, one_way = true })
  layered:wall(2, 1, "west")

  it("is made by test code that computes the hash of a dump correctly", function()
    for _, grid in ipairs { plain, layered } do
      assert.equal(grid:dump(), forge.dump(forge.body(grid:dump())))
    end
  end)

  local function int(number)
    return string.char(number % 256, math.floor(number / 256) % 256, math.floor(number / 65536) % 256,
      math.floor(number / 16777216) % 256)
  end

  local function varint(number)
    return number < 128 and string.char(number)
      or string.char(number % 128 + 128) .. varint(math.floor(number / 128))
  end

  -- Refused, or a grid like any other.
  local function try(body, what)
    local ok, grid = pcall(astar.load, forge.dump(body), { max_cells = 4096 })
    if not ok then
      assert.is_truthy(tostring(grid):find "^not a grid's dump, or a damaged one"
        or tostring(grid):find "^a dump of %d+ x %d+ cells: more than the option max_cells, 4096$", what)
      return false
    end
    local dump = grid:dump()
    assert.equal(dump, astar.load(dump):dump(), what)
    assert.equal(grid:draw(), astar.load(dump):draw(), what)
    local x0, y0, x1, y1 = grid:bounds()
    grid:find_path(x0, y0, x1, y1)
    return true
  end

  it("raises an error or loads as a valid grid, whichever byte was changed", function()
    local refused, accepted = 0, 0
    for number, grid in ipairs { plain, layered } do
      local body = forge.body(grid:dump())
      for i = 1, #body do
        local byte = body:byte(i)
        for _, other in ipairs { 0, 1, 2, 3, 5, 64, 127, 128, 255, (byte + 1) % 256, (byte + 255) % 256 } do
          if other ~= byte then
            local altered = body:sub(1, i - 1) .. string.char(other) .. body:sub(i + 1)
            if try(altered, ("dump %d, byte %d as %d"):format(number, i, other)) then
              accepted = accepted + 1
            else
              refused = refused + 1
            end
          end
        end
      end
    end
    assert.is_true(refused > accepted and accepted > 100, refused .. " refused, " .. accepted .. " accepted")
  end)

  it("raises an error if a label appears twice", function()
    local grid = astar.grid(3, 1)
    grid:link(1, 1, 3, 1, { label = "up" })
    grid:link(3, 1, 2, 1, { label = "on" })
    local body = forge.body(grid:dump())
    local altered, count = body:gsub("on", "up")
    assert.equal(1, count)
    assert.is_true(try(body))
    assert.is_false(try(altered))
  end)

  it("raises an error if links are out of order or a link appears twice", function()
    local grid = astar.grid(3, 1)
    grid:link(1, 1, 3, 1, { one_way = true })
    grid:link(3, 1, 2, 1, { one_way = true })
    local body = forge.body(grid:dump())
    local before, first, second = body:sub(1, -41), body:sub(-40, -21), body:sub(-20)
    assert.is_true(try(before .. first .. second))
    assert.is_false(try(before .. second .. first))
    assert.is_false(try(before .. first .. first))
  end)

  it("raises an error if the dump ends too early or continues after its end", function()
    for _, grid in ipairs { plain, layered } do
      local body = forge.body(grid:dump())
      for length = 0, #body - 1 do
        assert.is_false(try(body:sub(1, length), length .. " bytes"))
      end
      for _, tail in ipairs { "\0", "\1\0", "\255\255\255\255\255" } do assert.is_false(try(body .. tail)) end
    end
  end)

  it("raises an error if a side of the grid is too long, before memory is allocated", function()
    local body = forge.body(plain:dump())
    for _, sides in ipairs {
      { 0, 2 }, { 3, 0 }, { 16777217, 1 }, { 1, 16777217 }, { 65536, 65536 }, { 4294967295, 1 },
    } do
      assert.is_false(try(body:sub(1, 13) .. int(sides[1]) .. int(sides[2]) .. body:sub(22)))
    end
  end)

  it("raises an error if a number in the dump has more than 32 bits", function()
    local body = forge.body(plain:dump())
    assert.is_false(try(body:sub(1, -2) .. "\128\128\128\128\128\1"))
    assert.equal("\4\1\1", body:sub(-3)) -- the runs of blocks
    assert.is_false(try(body:sub(1, -2) .. "\129\128\128\128\16")) -- 1, and a bit that 32 have no place for
  end)

  -- A grid of two terrains in one run of cells, blocked and with walls on all sides.
  local function one_run(width, height)
    local body = forge.body(astar.grid(1, 1, { terrain = { a = 1, b = 2 }, fill = "a" }):dump())
    local cells = varint(width * height)
    return "astar grid 2\n" .. int(width) .. int(height) .. body:sub(22, -4) .. cells .. "\1" -- ground
      .. "\0" .. cells .. cells .. "\85" .. int(0) .. int(0)
  end

  it("is read by runs of equal cells, not cell by cell", function()
    for _, sides in ipairs { { 2048, 2048 }, { 4194304, 1 }, { 1, 4194304 } } do
      local dump = forge.dump(one_run(sides[1], sides[2]))
      assert.is_true(#dump < 100)
      local grid = astar.load(dump)
      -- each edit counts: two terrains, one fill, one block, walls
      assert.is_true(grid:version() < 10, grid:version() .. " edits")
      assert.equal("b", grid:get(sides[1], sides[2]))
      assert.is_true(grid:is_blocked(sides[1], sides[2]))
      assert.is_true(grid:has_wall(sides[1], 1, "north"))
      assert.equal(dump, grid:dump())
    end
  end)

  it("raises an error before memory is allocated for millions of cells that a few bytes announce", function()
    for _, sides in ipairs { { 16384, 16384 }, { 1, 16777216 }, { 16777216, 16 } } do
      local dump = forge.dump(one_run(sides[1], sides[2]))
      assert.equal(("a dump of %d x %d cells: more than the option max_cells, 1000000"):format(sides[1], sides[2]),
        error_of(function() astar.load(dump, { max_cells = 1e6 }) end))
    end
  end)
end)
