-- draw.lua -- the characters and lines of grid:draw, of the C module's grids and of the twin's.

local describe = require((...):match "^(.+)[./][^./]+$" .. ".describe")

local concat = table.concat

-- Whether a value is one character, UTF-8; a byte that is none of it is a character, too.
local function is_character(text)
  return type(text) == "string" and (#text == 1 or text:find "^[\194-\223][\128-\191]$"
    or text:find "^[\224-\239][\128-\191][\128-\191]$" or text:find "^[\240-\247][\128-\191][\128-\191][\128-\191]$")
end

-- The characters of all terrains: the legend's word, the key where that is one, or what the cost suggests.
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

-- Every other cell of a row, from one on, where it stands.
local function every_other(cells, first, from, to)
  local others = {}
  for i = from, to, 2 do others[#others + 1] = cells[i] end
  return others[1] and (" "):rep(2 * (from - first)) .. concat(others, "   ") or ""
end

-- What makes a line of the cells of a row, given by where they are in the list. Of hexagons blanks part the cells, and
-- those that are pushed on by half a cell stand between, of columns on a line of their own.
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

-- Marks the cells of a path.
local function mark_path(mark, path)
  local count, last = 0, #path
  for x, y in path:cells() do
    count = count + 1
    mark(x, y, count == 1 and "S" or count == last and "G" or "*")
  end
end

-- Marks what is drawn over the ground: a path, or a search with its ends, and its path where it has found one.
local function mark_drawn(mark, drawn, sx, sy, gx, gy)
  local path = drawn
  if sx then
    mark(gx, gy, "G")
    mark(sx, sy, "S")
    path = drawn:path()
  end
  if path then mark_path(mark, path) end
end

local SEEN = { [-1] = "+", [-2] = "-" }

--- What is drawn of a grid, or false and what is wrong with the legend. Of each terrain there are its key and its
-- cost; of each cell, row by row, the number of its terrain, 0 where it is blocked, -1 where a search has opened it, -2
-- where it has closed it, or a character; of a search its ends besides.
return function(_, grid, drawn, legend, keys, costs, cells, ...)
  local glyphs, problem = glyphs_of(keys, costs, legend)
  if not glyphs then
    return false, problem
  end
  local width, height = grid:size()
  local x0, y0 = grid:bounds()
  for i, cell in ipairs(cells) do cells[i] = cell == 0 and "X" or glyphs[cell] or SEEN[cell] or cell end
  local stray
  local is_search = (...) ~= nil -- of which a grid shows a part
  if drawn then
    mark_drawn(function(x, y, character)
      local column, row = x - x0, y - y0
      if column >= 0 and row >= 0 and column < width and row < height then
        cells[row * width + column + 1] = character
      elseif not is_search then
        stray = stray or ("the path is of another grid: its cell (%d, %d) lies outside this one"):format(x, y)
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
