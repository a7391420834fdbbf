-- make_grid.lua -- reads and checks the arguments of astar.grid: a size, a drawing or rows of keys, and the options.
--
-- The C module and its twin in plain Lua both use this file. It returns the size, the palette and the rows; the caller
-- reads the cells of the rows itself.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local MARK = "\239\187\191" -- UTF-8 byte order mark, which editors on Windows write at the beginning of a file

-- Advice for a file name that was passed as if it were a drawing, by the extension of the name: how to make a grid
-- from the file.
local READ = 'read it first, io.open(name):read "*a", in LÖVE love.filesystem.read(name)'
local FILES = {
  txt = READ, map = READ, csv = READ, dat = READ, lvl = READ, level = READ,
  lua = "call astar.tiled.grid, or require it",
  tmx = "call astar.tiled.grid", tmj = "call astar.tiled.grid", json = "call astar.tiled.grid or astar.ldtk.grid",
  ldtk = "call astar.ldtk.grid", png = "call astar.love.grid", bmp = "call astar.love.grid",
}

local MOST_SIDE, MOST_CELLS, MOST_ORIGIN = 2 ^ 24, 2 ^ 28, 1000000000

-- Order of the keys of a palette: booleans, then numbers, then strings by their bytes.
local RANKS = { boolean = 1, number = 2, string = 3 }

local function is_text_before(a, b)
  for i = 1, math.min(#a, #b) do
    local byte, other = a:byte(i), b:byte(i)
    if byte ~= other then return byte < other end
  end
  return #a < #b
end

local function goes_before(a, b)
  local rank, other = RANKS[type(a)], RANKS[type(b)]
  if rank ~= other then
    return rank < other
  elseif rank == 1 then
    return not a and b
  end
  return rank == 2 and a < b or rank == 3 and is_text_before(a, b)
end

local DEFAULT = {
  number = { [0] = 1, [1] = false }, boolean = { [false] = false, [true] = 1 },
  string = { ["."] = 1, [" "] = 1, ["#"] = false, ["@"] = false },
}

local NAMES = { "terrain", "fill", "origin", "shape", "offset", "wrap", "layers" }
local OF_FIELDS = { "origin", "shape", "offset", "wrap" }

local make = {}

--- Returns true if a value may be the key of a terrain: a string, a boolean or an integer up to 2^53.
function make.is_key(key)
  local kind = type(key)
  return kind == "string" or kind == "boolean" or kind == "number" and key % 1 == 0 and math.abs(key) <= 2 ^ 53
end

--- Returns a hint for an error about a key that no terrain has; "" if there is no hint. `is_last` is true if the key
-- is the last one of a row.
function make.cure(key, is_last)
  if key == "\r" and is_last then return ": a line end of Windows, remove it with line:gsub(\"\\r$\", \"\")" end
  return make.is_key(key) and ": give it a cost in the option terrain" or ""
end

--- Returns the length in bytes of the UTF-8 character that begins at the byte `at` of a text. Returns 1 for a byte that
-- is not valid UTF-8.
function make.bytes_of_character(text, at)
  local first = text:byte(at)
  if first < 0xC2 or first >= 0xF8 then return 1 end
  local bytes = first >= 0xF0 and 4 or first >= 0xE0 and 3 or 2
  local rest = text:sub(at + 1, at + bytes - 1)
  return (#rest < bytes - 1 or rest:find "[^\128-\191]") and 1 or bytes
end

local function count_characters(text)
  if not text:find "[\194-\255]" then return #text end
  local count, at = 0, 1
  while at <= #text do
    count, at = count + 1, at + make.bytes_of_character(text, at)
  end
  return count
end

-- Returns the last line of a drawing if it consists of blanks and tabs, else "". The search runs from the end,
-- because a pattern such as "[ \t]*$" would be tried at each character of the drawing.
local function margin_of(drawing)
  local at = #drawing
  while drawing:byte(at) == 32 or drawing:byte(at) == 9 do at = at - 1 end
  return drawing:byte(at) == 10 and drawing:sub(at + 1) or ""
end

-- Removes from all lines the blanks and tabs with which all of them begin.
local function drop_common_margin(lines)
  local margin
  for _, line in ipairs(lines) do
    local blanks = line:match "^[ \t]*"
    margin = margin and #margin < #blanks and margin or blanks
  end
  for _, line in ipairs(lines) do
    if line:sub(1, #margin) ~= margin then return end -- some lines begin with blanks and others with tabs
  end
  for y, line in ipairs(lines) do lines[y] = line:sub(#margin + 1) end
end

-- Returns the lines of a drawing without their margin, or nil and a message. The margin of all lines is the last line
-- of the drawing if it consists of blanks, as in an indented [[ string ]]. A drawing that begins with a line break and
-- ends on its last row has no such line. Its margin is the blanks with which all lines begin.
local function lines_of(drawing)
  if drawing:sub(1, #MARK) == MARK then drawing = drawing:sub(#MARK + 1) end
  local margin = margin_of(drawing)
  local is_closed_on_row = drawing:find "^\r?\n" and margin == "" and drawing:sub(-1) ~= "\n"
  local lines = {}
  drawing = drawing:sub(1, #drawing - #margin)
  if drawing:sub(-1) ~= "\n" and drawing ~= "" then drawing = drawing .. "\n" end
  local at = 1
  while at <= #drawing do
    local line_end = drawing:find("\n", at, true)
    local has_return = drawing:byte(line_end - 1) == 13 and line_end > at -- Windows ends lines with "\r\n"
    lines[#lines + 1] = drawing:sub(at, line_end - (has_return and 2 or 1))
    at = line_end + 1
  end
  if lines[1] == "" then table.remove(lines, 1) end
  if is_closed_on_row and #lines > 0 then drop_common_margin(lines) end
  for y, line in ipairs(margin ~= "" and lines or {}) do
    if line:sub(1, #margin) ~= margin then
      local plural = #margin > 1 and "s" or ""
      return nil, ("row %d: expected a margin of %d blank%s, as the last line has"):format(y, #margin, plural)
    end
    lines[y] = line:sub(#margin + 1)
  end
  return lines
end

--- Returns a table of functions that read arguments. `checks` is the table of checks.lua. `shapes` is a flat list of
-- the supported shapes of cells, each followed by a value of the option offset that fits the shape.
function make.reader(checks, shapes)
  local describe, fail, whole = checks.describe, checks.fail, checks.whole
  local reader, shape_names, offsets = {}, {}, {}
  for i = 1, #shapes, 2 do
    local shape = shapes[i]
    if not offsets[shape] then shape_names[#shape_names + 1], offsets[shape] = shape, {} end
    table.insert(offsets[shape], shapes[i + 1])
  end

  -- Returns the sorted list of the keys of the option terrain, and the list of their costs. Without the option, returns
  -- the default palette for keys of the type `kind`.
  local function palette_of(options, kind)
    local palette = options and rawget(options, "terrain")
    if palette == nil then
      palette = DEFAULT[kind] or DEFAULT.string
    elseif type(palette) ~= "table" then
      fail("terrain must be a table, got %s", describe(palette))
    end
    local keys, costs = {}, {}
    for key in entries, palette do
      if not make.is_key(key) then fail("a terrain's key must be a string or an integer, got %s", describe(key)) end
      if #keys == 256 then fail("a grid holds at most 256 terrains") end
      keys[#keys + 1] = key
    end
    if #keys == 0 then fail("terrain must hold at least one key") end
    table.sort(keys, goes_before)
    for i, key in ipairs(keys) do costs[i] = checks.cost(rawget(palette, key), "terrain " .. describe(key)) end
    return keys, costs
  end

  local function read_origin(options)
    local origin = options and rawget(options, "origin")
    if origin == nil then
      return 1, 1
    elseif type(origin) ~= "table" then
      fail("origin must be a table {x, y}, got %s", describe(origin))
    end
    local stray = checks.stray(origin, 2)
    if stray then fail("origin must be a table {x, y}, got an entry [%s]", stray) end
    return whole(rawget(origin, 1), -MOST_ORIGIN, MOST_ORIGIN, "origin[1]"),
      whole(rawget(origin, 2), -MOST_ORIGIN, MOST_ORIGIN, "origin[2]")
  end

  local function check_wrap(wrap, width, height, options)
    if wrap ~= "x" and wrap ~= "y" and wrap ~= "both" then
      fail('wrap must be "x", "y" or "both", got %s', describe(wrap))
    elseif rawget(options, "shape") == "hex" then
      fail "hexagons cannot honour wrap"
    elseif wrap ~= "y" and width < 3 or wrap ~= "x" and height < 3 then
      fail("a map that wraps around must have at least 3 cells in that direction, got %s x %s",
        describe(width), describe(height))
    end
  end

  -- Checks the size and the option wrap. Returns the width, the height, and x and y of the origin.
  local function frame_of(width, height, options)
    local wrap = options and rawget(options, "wrap")
    if wrap ~= nil then check_wrap(wrap, width, height, options) end
    if width > MOST_SIDE or height > MOST_SIDE or width * height > MOST_CELLS then
      fail("width * height must be at most 268435456 cells, got %s x %s", describe(width), describe(height))
    end
    return width, height, read_origin(options)
  end

  -- Checks the options shape and offset, and returns the other arguments unchanged. These two options are checked after
  -- everything else, so that errors in the other arguments are reported first.
  local function check_shape(options, ...)
    if options == nil then return ... end
    local names = offsets[checks.choice(options, "shape", shape_names, shape_names[1])]
    if rawget(options, "offset") ~= nil and names[1] == "none" then fail 'offset needs shape = "hex"' end
    checks.choice(options, "offset", names)
    return ...
  end

  local function check_side(value, name) return whole(value, 1, MOST_SIDE, name) end

  --- Reads the arguments of astar.field. Returns the width, the height, and x and y of the north-west cell.
  function reader.field(width, height, options)
    width, height = check_side(width, "width"), check_side(height, "height")
    if options ~= nil then options = checks.options(options, OF_FIELDS) end
    return check_shape(options, frame_of(width, height, options))
  end

  -- Returns the index in `keys` of the terrain that fills a grid made by size: the option fill, "." by default.
  local function fill_of(options, keys)
    local fill = options and rawget(options, "fill")
    if fill == nil then
      if options and rawget(options, "terrain") ~= nil then
        fail("a grid by size with terrain needs fill, the key of its cells")
      end
      fill = "."
    end
    for i, key in ipairs(keys) do
      if key == fill then return i end
    end
    fail("unknown terrain %s%s", describe(fill), make.cure(fill))
  end

  local function by_size(width, height, options)
    width, height = check_side(width, "width"), check_side(height, "height")
    local _, _, x0, y0 = frame_of(width, height, options)
    local keys, costs = palette_of(options, "string")
    return width, height, x0, y0, options, keys, costs, fill_of(options, keys)
  end

  -- Raises an error if a row of text contains a digit and the palette has that digit as a number, such as 1, but not as
  -- a string. The keys of cells in text are strings, so the number was probably a mistake.
  local function check_digits(rows, height, options)
    local palette = options and rawget(options, "terrain")
    for digit = 0, type(palette) == "table" and 9 or -1 do
      local key = ("%d"):format(digit)
      local is_suspect = rawget(palette, digit) ~= nil and rawget(palette, key) == nil
      for y = 1, is_suspect and height or 0 do
        local row = rawget(rows, y)
        if type(row) == "string" and row:find(key, 1, true) then
          fail('unknown terrain "%s": the keys of a drawing are characters, write ["%s"] in place of [%s] in the '
            .. "option terrain", key, key, key)
        end
      end
    end
  end

  local function by_lines(lines, width, kind, options)
    local _, height, x0, y0 = frame_of(width, checks.length(lines), options)
    if kind == "string" then check_digits(lines, height, options) end
    local keys, costs = palette_of(options, kind)
    return width, height, x0, y0, options, keys, costs, nil, lines
  end

  -- Raises an error if a drawing looks like the name of a file: the script must pass the contents of the file.
  local function check_file_name(drawing, options)
    local extension = drawing:match "^[^\n]+%.(%a[%w]*)$"
    local call = extension and FILES[extension:lower()]
    local palette = options and rawget(options, "terrain") or DEFAULT.string
    if not call or type(palette) ~= "table" or rawget(palette, extension:sub(1, 1)) ~= nil then return end
    fail("a drawing must hold rows of cells, got %s, the name of a file: %s", describe(drawing), call)
  end

  local function by_drawing(drawing, options)
    local lines, problem = lines_of(drawing)
    if not lines then fail(problem) end
    check_file_name(drawing, options)
    local width = count_characters(lines[1] or "")
    if width == 0 then fail("a drawing must hold at least one cell") end
    return by_lines(lines, width, "string", options)
  end

  -- Returns the number of cells in the first row, and the type of their keys.
  local function look_at_row(row)
    if type(row) == "string" then
      return count_characters(row), "string"
    elseif type(row) ~= "table" then
      fail("row 1: expected a string or a table, got %s", describe(row))
    end
    return checks.length(row), type(rawget(row, 1))
  end

  -- Returns the rows without a byte order mark at the beginning of the first row. The table of the script is not
  -- changed.
  local function without_mark(rows, height)
    local first = rawget(rows, 1)
    if type(first) ~= "string" or first:sub(1, #MARK) ~= MARK then return rows end
    local copy = { first:sub(#MARK + 1) }
    for y = 2, height do copy[y] = rawget(rows, y) end
    return copy
  end

  local function by_rows(rows, options)
    local stray, height = checks.stray(rows), checks.length(rows)
    if stray and stray:sub(1, 1) == '"' and height == 0 then
      fail("a width and height, a drawing or rows expected, got a table of names")
    elseif stray then
      fail("rows are counted from 1, got an entry [%s]", stray)
    elseif height == 0 then
      fail("rows must hold at least one row")
    end
    rows = without_mark(rows, height)
    local width, kind = look_at_row(rawget(rows, 1))
    if width == 0 then fail("row 1: expected at least one cell, got none") end
    return by_lines(rows, width, kind, options)
  end

  -- Raises an error if the options contain costs of terrain, which belong in the table of the option terrain. An
  -- entry is regarded as such a cost if its key is a number or a single character.
  local function check_not_terrain(options)
    local found
    for key, cost in entries, options do
      local is_cost = cost == false or type(cost) == "number"
      local is_mark = type(key) == "number" or type(key) == "string" and count_characters(key) == 1
      if is_cost and is_mark and (found == nil or goes_before(key, found)) then found = key end
    end
    if found == nil then return end
    fail("unknown option %s: the costs of terrain are one option, { terrain = { [%s] = %s } }", describe(found),
      describe(found), describe(options[found]))
  end

  -- Returns a hint for the error about an unknown option whose value may be a cost: the name may have been meant as a
  -- terrain.
  local function or_terrain(name, cost)
    if cost ~= false and type(cost) ~= "number" then return "" end
    local text = ". The cost of a terrain stands in the option terrain, { [%s] = %s }"
    return text:format(describe(name), describe(cost))
  end

  local function check_options(options, is_by_size)
    if options == nil then return nil end
    if type(options) == "table" then check_not_terrain(options) end
    options = checks.options(options, NAMES, or_terrain)
    local layers = rawget(options, "layers")
    local stray = type(layers) == "table" and checks.stray(layers, checks.length(layers))
    if layers ~= nil and (type(layers) ~= "table" or stray) then
      fail("layers must be a list of names, got %s%s", stray and "an entry [" .. stray .. "]" or describe(layers),
        checks.in_braces(layers))
    end
    for i, name in ipairs(layers or {}) do checks.layer(name, ("layers[%d]"):format(i)) end
    if layers and #layers > 32 then fail("a grid holds at most 32 layers of blocks with names") end
    if not is_by_size and rawget(options, "fill") ~= nil then
      fail("fill is only for grids by size: drawings and rows give each cell's key")
    end
    return options
  end

  --- Reads the arguments of astar.grid. Returns the width, the height, x and y of the north-west cell, the options, the
  -- keys of the terrains, their costs, the index of the terrain that fills the grid (nil if there are rows), and the
  -- rows, whose cells are not read yet.
  function reader.grid(a, b, c)
    local kind = type(a)
    if kind == "table" and rawget(a, "_VERSION") ~= nil and rawget(a, "implementation") ~= nil then
      fail("a width and height, a drawing or rows expected, got %s", describe(a))
    end
    if kind == "string" or kind == "table" then
      if c ~= nil then checks.too_many("grid", 2, c) end
      b = check_options(b, false)
      return check_shape(b, (kind == "string" and by_drawing or by_rows)(a, b))
    elseif kind ~= "number" and b == nil then
      local got = describe(a)
      fail("a width and height, a drawing or rows expected, got %s%s", got,
        got == "FILE*" and ': pass what the file holds, file:read "*a"'
        or kind == "function" and ": pass a list of rows" or "")
    end
    c = check_options(c, true)
    return check_shape(c, by_size(a, b, c))
  end

  return reader
end

return make
