local astar = require "astar"
local check = require "spec.support.check"

local movingai = astar.movingai

-- 'misuse' fails at its own line, saying this.
local function fails(expected, misuse)
  assert.equal(expected, check.error_of(misuse))
end

local function lines(...)
  return table.concat({ ... }, "\n") .. "\n"
end

-- A temporary file of that text while 'f' runs with its name.
local function with_file(text, f)
  local name = os.tmpname()
  local file = assert(io.open(name, "wb"))
  file:write(text)
  file:close()
  local ok, message = pcall(f, name)
  os.remove(name)
  if not ok then error(message, 0) end
end

local function read_text(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local MAP = lines("type octile", "height 2", "width 7", "map", ".GS@OTW", ".......")

local function key_row(grid, y)
  local x0, _, x1 = grid:bounds()
  local keys = {}
  for x = x0, x1 do keys[#keys + 1] = grid:get(x, y) end
  return table.concat(keys)
end

describe("movingai", function()
  it("is loaded on the first use of astar.movingai, and only once", function()
    assert.equal(require "astar.movingai", astar.movingai)
    assert.equal(movingai, rawget(astar, "movingai"))
    assert.has_error(function() return astar.movingei end, 'astar has no field "movingei" (did you mean "movingai"?)')
  end)
end)

describe("parse_map", function()
  it("reads rows of cells, with cell (0, 0) in the north-west", function()
    local grid = movingai.parse_map(MAP)
    assert.same({ 0, 0, 6, 1 }, { grid:bounds() })
    assert.equal(".GS@OTW", key_row(grid, 0))
    assert.equal(".......", key_row(grid, 1))
  end)

  it("makes normal ground and swamp walkable, and nothing else", function()
    local grid = movingai.parse_map(MAP)
    for key, cost in pairs { ["."] = 1, G = 1, S = 1, ["@"] = false, O = false, T = false, W = false } do
      assert.equal(cost, grid:terrain(key))
    end
    for x = 0, 6 do assert.equal(x <= 2, grid:is_walkable(x, 0)) end
  end)

  it("reads LF and CRLF, blanks and tabs, with and without a line break at the end", function()
    local crlf = MAP:gsub("\n", "\r\n")
    for _, text in ipairs {
      crlf, MAP:sub(1, -2), crlf:sub(1, -3), MAP .. "\n", crlf .. "\r\n \t\r\n",
      (MAP:gsub("height 2", "height\t2 ")), (MAP:gsub("type octile", "type \t octile")),
    } do
      local grid = movingai.parse_map(text)
      assert.same({ 0, 0, 6, 1 }, { grid:bounds() })
      assert.equal(".GS@OTW", key_row(grid, 0))
    end
  end)

  it("accepts the options of astar.grid", function()
    local grid = movingai.parse_map(MAP, { origin = { 1, 1 } })
    assert.same({ 1, 1, 7, 2 }, { grid:bounds() })
    grid = movingai.parse_map(MAP, { terrain = { W = 4, S = false } })
    assert.equal(4, grid:terrain "W")
    assert.is_false(grid:terrain "S")
    assert.equal(1, grid:terrain ".")
  end)

  it("reads additional characters if the option terrain contains them", function()
    local text = lines("type octile", "height 1", "width 5", "map", ".~ ^]")
    local grid = movingai.parse_map(text, { terrain = { ["~"] = 3, [" "] = 1, ["^"] = 2, ["]"] = 1 } })
    assert.equal(".~ ^]", key_row(grid, 0))
  end)

  it("does not change the given table of options", function()
    local options = { terrain = { W = 4 } }
    movingai.parse_map(MAP, options)
    assert.same({ terrain = { W = 4 } }, options)
  end)

  it("refuses an invalid header", function()
    local function refuses(expected, ...)
      local text = lines(...)
      fails(expected, function() movingai.parse_map(text) end)
    end
    refuses('map:1: expected "type octile", got "type tile"', "type tile")
    refuses('map:1: expected "type octile", got ""', "")
    refuses('map:2: expected "height" and an integer from 1 to 16777216, got the end of the file',
      "type octile")
    refuses('map:2: expected "height" and an integer from 1 to 16777216, got "width 3"',
      "type octile", "width 3", "height 2")
    for _, height in ipairs { "0", "-1", "1.5", "16777217", "99999999999999999999", "two", "" } do
      refuses('map:2: expected "height" and an integer from 1 to 16777216, got "height ' .. height .. '"',
        "type octile", "height " .. height, "width 3")
    end
    refuses('map:3: expected "width" and an integer from 1 to 16777216, got "width"',
      "type octile", "height 2", "width")
    refuses('map:4: expected "map", got "..."', "type octile", "height 2", "width 3", "...")
    refuses('map:4: expected "map", got the end of the file', "type octile", "height 2", "width 3")
  end)

  it("refuses an empty text as a map", function()
    fails('map:1: expected "type octile", got the end of the file', function()
      movingai.parse_map ""
    end)
  end)

  it("refuses rows that do not fit the header", function()
    local function refuses(expected, ...)
      local text = lines("type octile", "height 2", "width 3", "map", ...)
      fails(expected, function() movingai.parse_map(text) end)
    end
    refuses("map:5: expected row 1 of 2, got the end of the file")
    refuses("map:6: expected row 2 of 2, got the end of the file", "...")
    refuses("map:6: expected 3 cells, got 2", "...", "..")
    refuses("map:6: expected 3 cells, got 4", "...", "....")
    refuses("map:5: expected 3 cells, got 0", "", "...")
    refuses("map:6: expected 3 cells, got 4", "...", "... ")
    refuses('map:7: expected the end of the file, got "..."', "...", "...", "...")
  end)

  it("allocates no memory for cells that the header announces and the rows do not have", function()
    for row, got in pairs { [""] = 0, ["..."] = 3 } do
      local text = lines("type octile", "height 16777216", "width 16777216", "map", row, row)
      collectgarbage()
      local before = collectgarbage "count"
      fails("map:5: expected 16777216 cells, got " .. got, function() movingai.parse_map(text) end)
      assert.is_true(collectgarbage "count" - before < 100)
    end
  end)

  it("refuses an unknown character", function()
    local function refuses(expected, row)
      local text = lines("type octile", "height 2", "width 3", "map", "...", row)
      fails(expected, function() movingai.parse_map(text) end)
    end
    refuses('map:6: unknown terrain "#" at column 2, expected one of . @ G O S T W', ".#.")
    refuses('map:6: unknown terrain "?" at column 3, expected one of . @ G O S T W', "..\0")
    refuses('map:6: unknown terrain " " at column 1, expected one of . @ G O S T W', " ..")
  end)

  it("refuses arguments that are neither text nor options", function()
    fails("text must be a string, got nil", function() movingai.parse_map() end)
    fails("text must be a string, got 3", function() movingai.parse_map(3) end)
    fails("name must be a string, got a table", function() movingai.parse_map(MAP, nil, {}) end)
    fails('options must be a table, got "a"', function() movingai.parse_map(MAP, "a") end)
    fails("terrain must be a table, got 3", function() movingai.parse_map(MAP, { terrain = 3 }) end)
    fails('unknown option "orgin" (did you mean "origin"?)', function()
      movingai.parse_map(MAP, { orgin = { 1, 1 } })
    end)
  end)

  it("uses the given name of the text in error messages", function()
    fails('town.map:1: expected "type octile", got "x"', function()
      movingai.parse_map("x", nil, "town.map")
    end)
  end)
end)

describe("read_map", function()
  it("reads a map from a file", function()
    with_file(MAP, function(name)
      assert.equal(".GS@OTW", key_row(movingai.read_map(name), 0))
      assert.equal(".GS@OTW", key_row(movingai.read_map(name, { origin = { 3, 1 } }), 1))
    end)
  end)

  it("raises an error that names the file", function()
    with_file(MAP:sub(1, -3), function(name)
      fails(name .. ":6: expected 7 cells, got 6", function() movingai.read_map(name) end)
    end)
  end)

  it("refuses a file that does not exist", function()
    fails("no/such.map: No such file or directory", function() movingai.read_map "no/such.map" end)
  end)

  it("refuses the name of a directory", function()
    fails("spec: Is a directory", function() movingai.read_map "spec" end)
  end)

  it("refuses a value that is not a file name", function()
    fails("file must be a string, got nil", function() movingai.read_map() end)
    fails("file must be a string, got 3", function() movingai.read_map(3) end)
  end)
end)

describe("format_map", function()
  it("writes a text that parse_map reads as an equal map", function()
    assert.equal(MAP, movingai.format_map(movingai.parse_map(MAP)))
    assert.equal(MAP, movingai.format_map(movingai.parse_map(MAP, { origin = { -5, 9 } })))
  end)

  it("writes the characters of the format, whatever the terrain costs", function()
    assert.equal(MAP, movingai.format_map(movingai.parse_map(MAP, { terrain = { W = 3, G = false } })))
  end)

  it("writes other terrain of cost 1 as . and terrain that cannot be entered as @", function()
    local text = movingai.format_map(astar.grid ". #\n@#.")
    assert.equal(lines("type octile", "height 2", "width 3", "map", "..@", "@@."), text)
    text = movingai.format_map(astar.grid { { 0, 1, 0 }, { 1, 0, 0 } })
    assert.equal(lines("type octile", "height 2", "width 3", "map", ".@.", "@.."), text)
  end)

  it("writes a blocked cell as @, whatever its terrain", function()
    local grid = astar.grid("..~", { terrain = { ["."] = 1, ["~"] = 3 } })
    grid:block(2, 1)
    grid:block(3, 1)
    assert.equal(lines("type octile", "height 1", "width 3", "map", ".@@"), movingai.format_map(grid))
  end)

  it("refuses terrain of another cost, which the format cannot express", function()
    local grid = astar.grid("..\n.~", { terrain = { ["."] = 1, ["~"] = 2.5 } })
    fails('terrain "~" of cost 2.5 at (2, 2) has no character in a Moving AI map', function()
      movingai.format_map(grid)
    end)
  end)

  it("refuses a value that is not a grid", function()
    fails("astar grid expected, got nil", function() movingai.format_map() end)
    fails("a Moving AI map must have squares, got a grid of hexagons",
      function() movingai.format_map(astar.grid(2, 2, { shape = "hex" })) end)
    fails("astar grid expected, got a table", function() movingai.format_map {} end)
    fails("astar grid expected, got FILE*", function() movingai.format_map(io.stdout) end)
  end)
end)

describe("write_map", function()
  it("writes a file that read_map reads as an equal map", function()
    with_file("", function(name)
      movingai.write_map(movingai.parse_map(MAP), name)
      assert.equal(MAP, read_text(name))
    end)
  end)

  it("does not change the file if the grid cannot be written", function()
    with_file("before", function(name)
      fails("astar grid expected, got nil", function() movingai.write_map(nil, name) end)
      assert.equal("before", read_text(name))
    end)
  end)

  it("raises an error for a file that it cannot write", function()
    local grid = movingai.parse_map(MAP)
    fails("file must be a string, got nil", function() movingai.write_map(grid) end)
    fails("no/such.map: No such file or directory", function()
      movingai.write_map(grid, "no/such.map")
    end)
  end)

  it("raises an error if the disk is full", function()
    local full = io.open("/dev/full", "wb")
    if not full then return pending "needs /dev/full" end
    full:close()
    local grid = movingai.parse_map(MAP)
    fails("/dev/full: No space left on device", function() movingai.write_map(grid, "/dev/full") end)
  end)
end)

describe("parse_scenarios", function()
  local function parse(...)
    local scenarios = movingai.parse_scenarios(lines("version 1", ...))
    return scenarios -- no tail call: an error is to point at this line
  end

  it("reads one query per line", function()
    local scenarios = parse(
      "0\tmaps/arena.map\t49\t50\t1\t11\t2\t12\t1.41421",
      "3\tmaps/arena.map\t49\t50\t48\t49\t0\t0\t70.5")
    assert.equal(2, #scenarios)
    local tolerance = scenarios[1].tolerance
    assert.same({
      bucket = 0, map = "maps/arena.map", width = 49, height = 50,
      sx = 1, sy = 11, gx = 2, gy = 12, length = 1.41421, tolerance = tolerance,
    }, scenarios[1])
    assert.equal(3, scenarios[2].bucket)
    assert.equal(49, scenarios[2].sy)
  end)

  it("reads versions 1 and 1.0, tabs and blanks, LF and CRLF, and empty lines", function()
    local text = "version 1.0\n61 maps/a.map 9 9 1 2 3 4 2.83\n"
    for _, dialect in ipairs {
      text, text:gsub(" ", "\t"), text:gsub("\n", "\r\n"), text:sub(1, -2), text:gsub("1.0", "1", 1),
      text:gsub("\n61 ", "\n\n  61   ") .. "\n \r\n",
    } do
      local scenarios = movingai.parse_scenarios(dialect)
      assert.equal(1, #scenarios)
      assert.equal("maps/a.map", scenarios[1].map)
      assert.equal(4, scenarios[1].gy)
      assert.equal(2.83, scenarios[1].length)
    end
  end)

  it("reads a map name that contains blanks", function()
    assert.equal("old maps/a b.map", parse("0 old maps/a b.map 9 9 1 2 3 4 2.83")[1].map)
  end)

  it("reads a file without queries", function()
    assert.same({}, parse())
  end)

  it("returns the tolerance that the printed decimals allow", function()
    local function tolerance(length)
      return parse("0 a.map 9 9 1 2 3 4 " .. length)[1].tolerance
    end
    -- Half a unit of the last decimal; a length too short for six digits has zeros left out.
    local single = 2 ^ -23
    assert.near(0.5e-2 + 244.95 * single, tolerance "244.95", 1e-12)
    assert.near(0.5e-2 + 132.40 * single, tolerance "132.40", 1e-12)
    assert.near(0.5e-8 + 2.41421356 * single, tolerance "2.41421356", 1e-12)
    assert.near(0.5e-5 + 1.41421 * single, tolerance "1.41421", 1e-12)
    assert.near(0.5e-2 + 2833.48 * single, tolerance "2833.48", 1e-12)
    assert.near(0.5e-2 + 4787 * single, tolerance "4787", 1e-12)
    assert.near(0.5e-2 + 4787.5 * single, tolerance "4787.5", 1e-12)
    assert.near(0.5e-1 + 12345.6 * single, tolerance "12345.6", 1e-12)
    assert.near(0.5e-1 + 12345 * single, tolerance "12345", 1e-12)
    assert.near(0.5 + 1234567 * single, tolerance "1234567", 1e-12)
    assert.near(0.5e-2, tolerance "0", 1e-12)
  end)

  it("accepts the right length, and refuses a greater length", function()
    local path = astar.grid(9, 9):find_path(1, 1, 4, 2)
    local scenario = parse("0 a.map 9 9 0 0 3 1 3.41421")[1]
    assert.near(scenario.length, path.length, scenario.tolerance)
    assert.is_true(math.abs(path.length + 1e-4 - scenario.length) > scenario.tolerance)
  end)

  it("refuses a text whose first line has no known version", function()
    local function refuses(expected, text)
      fails(expected, function() movingai.parse_scenarios(text) end)
    end
    refuses('scenarios:1: expected "version 1", got the end of the file', "")
    refuses('scenarios:1: expected "version 1", got "version 2"', "version 2\n")
    refuses('scenarios:1: expected "version 1", got "0 a.map 9 9 1 2 3 4 2.83"', "0 a.map 9 9 1 2 3 4 2.83")
  end)

  it("refuses a line that is not a query", function()
    for _, line in ipairs {
      "0 a.map 9 9 1 2 3 4", "a.map 9 9 1 2 3 4 2.83", "0 a.map 9 9 1 2 3 x 2.83",
      "0 a.map 9 9 1 2 3 -4 2.83", "0 a.map 9 9 1 2 3 4.5 2.83", "0 a.map 9 9 1 2 3 4 nan",
      "0 a.map 9 9 1 2 3 4 -1", "0 a.map 9 9 1 2 3 4 1e3", "hello",
    } do
      fails('scenarios:3: expected bucket, map, width, height, start x, start y, goal x, goal y and length, got "'
        .. line .. '"', function() parse("0 a.map 9 9 1 2 3 4 2.83", line) end)
    end
  end)

  it("refuses a query to a cell outside the map", function()
    fails("scenarios:2: expected a start inside 9 x 8 cells, got (9, 2)", function()
      parse "0 a.map 9 8 9 2 3 4 2.83"
    end)
    fails("scenarios:2: expected a start inside 9 x 8 cells, got (1, 8)", function()
      parse "0 a.map 9 8 1 8 3 4 2.83"
    end)
    fails("scenarios:2: expected a goal inside 9 x 8 cells, got (9, 4)", function()
      parse "0 a.map 9 8 1 2 9 4 2.83"
    end)
    fails("scenarios:2: expected a goal inside 9 x 8 cells, got (3, 1e+20)", function()
      parse "0 a.map 9 8 1 2 3 100000000000000000000 2.83"
    end)
  end)

  it("refuses a value that is not a text", function()
    fails("text must be a string, got nil", function() movingai.parse_scenarios() end)
    fails("text must be a string, got 3", function() movingai.parse_scenarios(3) end)
    fails("name must be a string, got true", function() movingai.parse_scenarios("", true) end)
  end)
end)

describe("read_scenarios", function()
  it("reads the queries of scenarios from a file", function()
    with_file("version 1\n0 a.map 9 9 1 2 3 4 2.83\n", function(name)
      assert.equal(2.83, movingai.read_scenarios(name)[1].length)
    end)
  end)

  it("raises an error that names the file", function()
    with_file("version 1\n0 a.map", function(name)
      fails(name .. ":2: expected bucket, map, width, height, start x, start y, goal x, goal y"
        .. ' and length, got "0 a.map"', function() movingai.read_scenarios(name) end)
    end)
  end)

  it("refuses a file that does not exist", function()
    fails("no/such.scen: No such file or directory", function()
      movingai.read_scenarios "no/such.scen"
    end)
  end)

  it("refuses a value that is not a file name", function()
    fails("file must be a string, got nil", function() movingai.read_scenarios() end)
  end)
end)

describe("astar.movingai in a LÖVE game", function()
  -- Runs a function with the files of a game, by their names, as LÖVE finds them.
  local function with_files(files, call)
    local before = rawget(_G, "love")
    rawset(_G, "love", { filesystem = { read = function(name)
      if files[name] then return files[name], #files[name] end
      return nil, "Could not open file " .. name .. ". Does not exist."
    end } })
    local ok, problem = pcall(call)
    rawset(_G, "love", before)
    if not ok then error(problem, 0) end
  end

  local FILE = "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n"
  local SCENARIOS = "version 1\n0\tmaps/a.map\t3\t2\t0\t0\t2\t1\t2.41421356\n"

  it("reads maps and scenarios of the game, which may be in an archive", function()
    with_files({ ["maps/a.map"] = FILE, ["maps/a.map.scen"] = SCENARIOS }, function()
      local grid = movingai.read_map "maps/a.map"
      assert.same({ 3, 2 }, { grid:size() })
      assert.is_false(grid:is_walkable(3, 1))
      assert.equal(1, #movingai.read_scenarios "maps/a.map.scen")
    end)
  end)

  it("reads a file beside the game, and raises an error that names a missing file", function()
    local name = os.tmpname()
    local file = assert(io.open(name, "w"))
    file:write(FILE)
    file:close()
    with_files({}, function()
      assert.same({ 3, 2 }, { movingai.read_map(name):size() })
      os.remove(name)
      local ok, problem = pcall(movingai.read_map, name)
      assert.is_false(ok)
      assert.matches(name, problem, 1, true)
    end)
  end)
end)
