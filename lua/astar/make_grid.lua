-- make_grid.lua -- what a grid is to be made of, by the arguments of astar.grid: a size, a drawing or rows of keys.
--
-- The C module and its twin both ask; each reads the rows itself.

local entries = next -- for loops, see entries_spec
local MARK = "\239\187\191" -- a byte order mark, which editors on Windows write

-- By the extension of a file: the call that makes a grid of such a file.
local READ = 'read it first, io.open(name):read "*a", in LÖVE love.filesystem.read(name)'
local FILES = {
  txt = READ, map = READ, csv = READ, dat = READ, lvl = READ, level = READ,
  lua = "call astar.tiled.grid, or require it",
  tmx = "call astar.tiled.grid", tmj = "call astar.tiled.grid", json = "call astar.tiled.grid or astar.ldtk.grid",
  ldtk = "call astar.ldtk.grid", png = "call astar.love.grid", bmp = "call astar.love.grid",
}

local MOST_SIDE, MOST_CELLS, MOST_ORIGIN = 2 ^ 24, 2 ^ 28, 1000000000

-- Booleans, then numbers, then strings by their bytes.
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

--- Whether a value may be a terrain's key.
function make.is_key(key)
  local kind = type(key)
  return kind == "string" or kind == "boolean" or kind == "number" and key % 1 == 0 and math.abs(key) <= 2 ^ 53
end

--- What to do about a key that there is not. `is_last`: it is at the end of a row.
function make.cure(key, is_last)
  if key == "\r" and is_last then return ": a line end of Windows, remove it with line:gsub(\"\\r$\", \"\")" end
  return make.is_key(key) and ": give it a cost in the option terrain" or ""
end

--- How many bytes the character of a text from one byte on takes, UTF-8; one that is none of it is a character, too.
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

-- The last line of a drawing where it is of blanks alone, else "". From the end: a pattern would try each character.
local function margin_of(drawing)
  local at = #drawing
  while drawing:byte(at) == 32 or drawing:byte(at) == 9 do at = at - 1 end
  return drawing:byte(at) == 10 and drawing:sub(at + 1) or ""
end

-- Drops the blanks that all lines begin with.
local function drop_common_margin(lines)
  local margin
  for _, line in ipairs(lines) do
    local blanks = line:match "^[ \t]*"
    margin = margin and #margin < #blanks and margin or blanks
  end
  for _, line in ipairs(lines) do
    if line:sub(1, #margin) ~= margin then return end -- blanks here and tabs there
  end
  for y, line in ipairs(lines) do lines[y] = line:sub(#margin + 1) end
end

-- The lines of a drawing, without that margin; and what is wrong with them. A drawing that begins with a line break and
-- is closed on its last row has no last line to tell the margin: then it is what all rows begin with.
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
    local has_return = drawing:byte(line_end - 1) == 13 and line_end > at -- "\r", of Windows
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

--- What reads the arguments, by the checks of who asks, and a list of the shapes that cells have there, each by turns
-- with the name of a way in which they may lie.
function make.reader(checks, shapes)
  local describe, fail, whole = checks.describe, checks.fail, checks.whole
  local reader, shape_names, offsets = {}, {}, {}
  for i = 1, #shapes, 2 do
    local shape = shapes[i]
    if not offsets[shape] then shape_names[#shape_names + 1], offsets[shape] = shape, {} end
    table.insert(offsets[shape], shapes[i + 1])
  end

  -- The keys of a palette in their order, and what each costs.
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
      fail("a map that wraps around has at least 3 cells that way, got %s x %s", describe(width), describe(height))
    end
  end

  -- The size and the origin.
  local function frame_of(width, height, options)
    local wrap = options and rawget(options, "wrap")
    if wrap ~= nil then check_wrap(wrap, width, height, options) end
    if width > MOST_SIDE or height > MOST_SIDE or width * height > MOST_CELLS then
      fail("width * height must be at most 268435456 cells, got %s x %s", describe(width), describe(height))
    end
    return width, height, read_origin(options)
  end

  -- Checks last of all how the cells are to lie.
  local function check_shape(options, ...)
    if options == nil then return ... end
    local names = offsets[checks.choice(options, "shape", shape_names, shape_names[1])]
    if rawget(options, "offset") ~= nil and names[1] == "none" then fail 'offset needs shape = "hex"' end
    checks.choice(options, "offset", names)
    return ...
  end

  local function check_side(value, name) return whole(value, 1, MOST_SIDE, name) end

  --- What a field is to be made of: width, height, and the coordinates of its first cell.
  function reader.field(width, height, options)
    width, height = check_side(width, "width"), check_side(height, "height")
    if options ~= nil then options = checks.options(options, OF_FIELDS) end
    return check_shape(options, frame_of(width, height, options))
  end

  -- The number of the terrain of each cell: the option 'fill', by its default the free ground.
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

  -- Refuses a palette that has the number of a digit in a row of text: keys of text are characters.
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

  -- Refuses the name of a file in place of what the file holds.
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

  -- How many cells the first row has, and of which type its keys are.
  local function look_at_row(row)
    if type(row) == "string" then
      return count_characters(row), "string"
    elseif type(row) ~= "table" then
      fail("row 1: expected a string or a table, got %s", describe(row))
    end
    return checks.length(row), type(rawget(row, 1))
  end

  -- Returns the rows without a byte order mark at the beginning of the first one.
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

  -- Refuses costs of terrain that stand among the options, in place of a table of their own: numbers and single
  -- characters are no options.
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

  -- Returns what to add to an error about a word that is no option: it may be a terrain.
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
      fail("fill is for grids by size: here each cell has its key")
    end
    return options
  end

  --- What a grid is to be made of: width, height, the coordinates of its first cell, the options, the keys of its
  -- terrains, what each costs, and the number of the one that fills it or its rows, which are not read yet.
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
