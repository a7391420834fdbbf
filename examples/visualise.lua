-- visualise.lua -- plays a search: which cells it opens, which it closes, what it finds.
--
--     lua examples/visualise.lua [algorithm ...] [frames=N] [map=FILE]
--
-- algorithm: astar, dijkstra, jps, jpsw or weighted (A* with a weight of 2); all of them
-- one after another when none is named. frames: pictures of each search (60 on a terminal, else 3). map:
-- a Moving AI map in place of the one below. Colours on a terminal, unless NO_COLOR is set, and a map
-- that does not fit is shrunk; plain text, '+' for open and '-' for closed cells, into a pipe or a file.

local astar = require "astar"

local MAP = [[
..............................................................
..............................................................
......##########################..............................
...............................#..............................
...............................#.............,,,,.............
....########...................#...........,,,,,,,,...........
...........#...................#..........,,,,,,,,,,..........
...........#........#######....#...........,,,,,,,,...........
...........#..............#....#.............,,,,.............
...........#..............#....#..............................
...........#..............#....#..........##########..........
....########..............#....#...................#..........
..........................#........................#..........
..............#############....#...................#..........
...............................#...................#..........
...............................#..........##########..........
..............................................................
..............................................................
]]
local START, GOAL = { 4, 9 }, { 47, 13 }

local KINDS = {
  { name = "dijkstra", algorithm = "dijkstra" },
  { name = "astar", algorithm = "astar" },
  { name = "weighted", algorithm = "astar", weight = 2 },
  { name = "jps", algorithm = "jps", costs = { [","] = 1 } }, -- it needs ground of one cost
  { name = "jpsw", algorithm = "jpsw" },
}

-- ---- the terminal ----

local is_unix = package.config:sub(1, 1) == "/"

local function is_terminal()
  local no_colour = os.getenv "NO_COLOR"
  if not is_unix or no_colour and no_colour ~= "" or os.getenv "TERM" == "dumb" then
    return false
  end
  local answer = os.execute "test -t 1" -- 0 on Lua 5.1, true on later ones
  return answer == 0 or answer == true
end

local in_colour = is_terminal()

-- Background colours of the 256 that terminals know; told apart by brightness, too.
local COLOURS = {
  ["."] = 236, [","] = 58, ["#"] = 250, ["+"] = 75, ["-"] = 25, ["*"] = 220, S = 46, G = 196,
}

-- Its columns and rows, as far as it tells.
local function terminal_size()
  local pipe = io.popen "stty size 2>/dev/null </dev/tty"
  local rows, columns = pipe:read("*a"):match "(%d+) (%d+)"
  pipe:close()
  rows, columns = tonumber(rows) or 0, tonumber(columns) or 0
  return columns > 0 and columns or 80, rows > 0 and rows or 24
end

local columns, lines = 80, 24
if in_colour then
  columns, lines = terminal_size()
end

-- Of cells that share one place, the one shown: what comes first here.
local RANK = { S = 1, G = 2, ["*"] = 3, ["+"] = 4, ["-"] = 5, ["#"] = 6 }

-- Rows of a picture that fit the terminal: one cell stands for `n` x `n` where they would not.
local function shrink(rows)
  local n = math.max(1, math.ceil(#rows[1] / columns), math.ceil(#rows / (lines - 2)))
  local small = {}
  for y, row in ipairs(n > 1 and rows or {}) do
    local place = math.ceil(y / n)
    small[place] = small[place] or {}
    for x = 1, #row do
      local cell, i = row:sub(x, x), math.ceil(x / n)
      if not small[place][i] or (RANK[cell] or 9) < (RANK[small[place][i]] or 9) then
        small[place][i] = cell
      end
    end
  end
  for place, cells in ipairs(small) do
    small[place] = table.concat(cells)
  end
  return n > 1 and small or rows
end

-- Two blanks a cell where there is room, so that cells are square; runs of one colour in one go.
local function paint_row(row)
  local painted, last = {}, nil
  local blank = 2 * #row <= columns and "  " or " "
  for cell in row:gmatch "." do
    local colour = COLOURS[cell] or 240
    painted[#painted + 1] = (colour ~= last and ("\27[48;5;%dm"):format(colour) or "") .. blank
    last = colour
  end
  return table.concat(painted) .. "\27[0m"
end

local function show(picture, caption, first)
  if not in_colour then
    print(caption)
    print(picture)
    return
  end
  local rows = {}
  for row in picture:gmatch "[^\n]+" do
    rows[#rows + 1] = row
  end
  rows = shrink(rows)
  for y, row in ipairs(rows) do
    rows[y] = paint_row(row)
  end
  if not first then
    io.write(("\27[%dA"):format(#rows + 1)) -- over the one before
  end
  io.write(caption:sub(1, columns), "\27[K\n", table.concat(rows, "\n"), "\n")
  io.flush()
end

-- Explains the picture once, before the first search: the colours on a terminal, the characters in plain text.
local MEANINGS = {
  { "S", "start" }, { "G", "goal" }, { "#", "wall" }, { ",", "ground that costs 3" },
  { "+", "open: found, not looked at yet" }, { "-", "closed: looked at" }, { "*", "route" },
}

local function explain()
  local parts, width = {}, 0
  for _, meaning in ipairs(MEANINGS) do
    local key, words = meaning[1], meaning[2]
    local sample = in_colour and ("\27[48;5;%dm  \27[0m"):format(COLOURS[key]) or key
    local length = #words + 5
    if width > 0 and width + length > columns then
      parts[#parts + 1], width = "\n", 0
    end
    parts[#parts + 1] = sample .. " " .. words .. "  "
    width = width + length
  end
  print((table.concat(parts):gsub(" +\n", "\n"):gsub(" +$", "")))
end

local function wait(seconds)
  if in_colour then
    os.execute(("sleep %.2f"):format(seconds))
  end
end

-- ---- the searches ----

local function play(grid, kind, frames)
  local options = { algorithm = kind.algorithm, weight = kind.weight, costs = kind.costs }
  local finder = grid:finder(options)
  local path = assert(finder:find_path(START[1], START[2], GOAL[1], GOAL[2]))
  local n = math.max(math.ceil(path.expanded / frames), 1)

  local search = finder:search(START[1], START[2], GOAL[1], GOAL[2])
  local legend = { [" "] = "." }
  local first, status = true, "running"
  while status == "running" do
    status = search:step(n)
    local found = status == "found" and (", cost %.3f"):format(search:path().cost) or ""
    local caption = ("%s: %d expanded, %s%s"):format(kind.name, search.expanded, status, found)
    show(grid:draw(search, legend), caption, first)
    first = false
    wait(0.04)
  end
  search:close()
end

local function fail(message)
  io.stderr:write("visualise.lua: ", message, "\n")
  os.exit(1)
end

-- The first free cell, row by row, and the last that can be reached from there.
local function choose_ends(grid)
  local finder = grid:finder()
  local x0, y0, x1, y1 = grid:bounds()
  local first, last
  for y = y0, y1 do
    for x = x0, x1 do
      if grid:is_walkable(x, y) and (not first or finder:reachable(first[1], first[2], x, y)) then
        first = first or { x, y }
        last = { x, y }
      end
    end
  end
  return first, last
end

local function read_arguments(arguments)
  local chosen, frames, grid = {}, in_colour and 60 or 3, nil
  for _, argument in ipairs(arguments) do
    local count, file = argument:match "^frames=(%d+)$", argument:match "^map=(.+)$"
    local known
    for _, kind in ipairs(KINDS) do
      if kind.name == argument then
        chosen[#chosen + 1] = kind
        known = true
      end
    end
    if count then
      frames = math.max(tonumber(count), 1)
    elseif file then
      local ok, result = pcall(astar.movingai.read_map, file)
      if not ok then
        fail(tostring(result))
      end
      grid = result
      START, GOAL = choose_ends(grid)
    elseif not known then
      fail("what is " .. argument .. "? Known: astar, dijkstra, jps, jpsw, weighted, frames=N, map=FILE")
    end
  end
  grid = grid or astar.grid(MAP, { terrain = { ["."] = 1, [","] = 3, ["#"] = false } })
  return #chosen > 0 and chosen or KINDS, frames, grid
end

local kinds, frames, grid = read_arguments(arg or {})
explain()
for i, kind in ipairs(kinds) do
  if i > 1 then
    wait(1)
  end
  play(grid, kind, frames)
end
