-- draw.lua -- grid:draw: a grid as text, one character per cell, with a path or a search drawn over it.
--
-- The C module and its twin in plain Lua both call this file, with the terrain and state of each cell.

local describe = require((...):match "^(.+)[./][^./]+$" .. ".describe")

local concat = table.concat

-- Returns true if a value is a string of one UTF-8 character. A single byte that is not valid UTF-8 also counts as a
-- character.
local function is_character(text)
  return type(text) == "string" and (#text == 1 or text:find "^[\194-\223][\128-\191]$"
    or text:find "^[\224-\239][\128-\191][\128-\191]$" or text:find "^[\240-\247][\128-\191][\128-\191][\128-\191]$")
end

-- Returns a list of the characters of all terrains. The character of a terrain is its entry in the legend, else its key
-- if the key is one character, else a character by its cost. If the legend is wrong, returns nil and a message.
local function glyphs_of(keys, costs, legend)
  if legend and type(rawget(legend, 1)) == "table" then
    return nil, "legend: got a list of tables: pass the path that find_path returned, not a list of its cells"
  end
  local glyphs = {}
  for terrain, cost in ipairs(costs) do
    local key = keys[terrain]
    local word = legend and rawget(legend, key)
    if word ~= nil and not is_character(word) then
      return nil, ("legend: terrain %s must have one character, got %s"):format(describe(key), describe(word))
    end
    glyphs[terrain] = word or is_character(key) and key or cost == math.huge and "#" or cost > 1 and ":" or "."
  end
  return glyphs
end

-- Returns a line of text with every second cell of a row, from the list index `from` to `to`, each in its own column.
-- `first` is the list index of the first cell of the row.
local function every_other(cells, first, from, to)
  local others = {}
  for i = from, to, 2 do others[#others + 1] = cells[i] end
  return others[1] and (" "):rep(2 * (from - first)) .. concat(others, "   ") or ""
end

-- Returns a function that makes the text of one row of the grid. The function takes the list of all cells, the list
-- indices of the first and last cell of the row, and the number of the row. On hexagonal grids there are blanks between
-- cells. If rows are shifted by half a cell, a shifted row begins with a blank; if columns are shifted, a row becomes
-- two lines of text, with the shifted columns on the second one.
local function liner(grid)
  local shape, offset = grid:shape()
  if shape ~= "hex" then
    return function(cells, first, last) return concat(cells, "", first, last) end
  end
  local x0, y0 = grid:bounds()
  local x, y = grid:center(x0, y0)
  if offset == "odd_r" or offset == "even_r" then
    local pushed = x > x0 and 1 or 0
    return function(cells, first, last, row)
      return (row % 2 == pushed and " " or "") .. concat(cells, " ", first, last)
    end
  end
  local pushed = y > y0 and 0 or 1
  return function(cells, first, last)
    local upper, lower = first + 1 - pushed, first + pushed
    return every_other(cells, first, upper, last) .. "\n" .. every_other(cells, first, lower, last)
  end
end

-- Marks the cells of a path: "S" at its start, "G" at its goal, "*" between them.
local function mark_path(mark, path)
  local count, last = 0, #path
  for x, y in path:cells() do
    count = count + 1
    mark(x, y, count == 1 and "S" or count == last and "G" or "*")
  end
end

-- Marks a path or a search over the terrain. A search has its start and goal in `sx` to `gy`; they are marked, and so
-- is the path of the search if it has found one.
local function mark_drawn(mark, drawn, sx, sy, gx, gy)
  local path = drawn
  if sx then
    mark(gx, gy, "G")
    mark(sx, sy, "S")
    path = drawn:path()
  end
  if path then mark_path(mark, path) end
end

local SEEN = { [-1] = "+", [-2] = "-" } -- cells that are open and closed in a search

--- Returns the drawing of a grid as text, or false and a message if the legend or the path is wrong. `keys` and `costs`
-- list the key and cost of each terrain. `cells` has an entry for each cell, row by row: the number of its terrain, 0
-- if it is blocked, -1 if it is open in the search, -2 if it is closed in the search, or a character. `drawn` is a
-- path, a search or nil. For a search, the last arguments are its start and goal.
return function(_, grid, drawn, legend, keys, costs, cells, ...)
  local glyphs, problem = glyphs_of(keys, costs, legend)
  if not glyphs then
    return false, problem
  end
  local width, height = grid:size()
  local x0, y0 = grid:bounds()
  for i, cell in ipairs(cells) do cells[i] = cell == 0 and "X" or glyphs[cell] or SEEN[cell] or cell end
  local stray
  local is_search = (...) ~= nil -- a search may cover more cells than the grid has; they are left out
  if drawn then
    mark_drawn(function(x, y, character)
      local column, row = x - x0, y - y0
      if column >= 0 and row >= 0 and column < width and row < height then
        cells[row * width + column + 1] = character
      elseif not is_search then
        stray = stray or ("the path belongs to another grid: its cell (%d, %d) lies outside this one"):format(x, y)
      end
    end, drawn, ...)
  end
  if stray then return false, stray end
  local line, lines = liner(grid), {}
  for row = 1, height do
    lines[row] = line(cells, (row - 1) * width + 1, row * width, row)
  end
  return concat(lines, "\n") .. "\n"
end
