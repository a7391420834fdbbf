-- visualise.lua -- plays a search: which cells it opens, which it closes, what it finds.
--
--     lua examples/visualise.lua [algorithm ...] [frames=N] [map=FILE]
--
-- algorithm: astar, dijkstra, bidirectional, jps or weighted (A* with a weight of 2); all of them one
-- after another when none is named. frames: pictures of each search (60 on a terminal, else 3). map:
-- a Moving AI map in place of the one below. Colours on a terminal, unless NO_COLOR is set; plain
-- text, '+' for open and '-' for closed cells, into a pipe or a file.

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
  { name = "bidirectional", algorithm = "bidirectional" },
  { name = "jps", algorithm = "jps", costs = { [","] = 1 } }, -- it needs ground of one cost
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

-- Two blanks a cell, so that cells are square; runs of one colour in one go.
local function paint_row(row)
  local painted, last = {}, nil
  for cell in row:gmatch "." do
    local colour = COLOURS[cell] or 240
    painted[#painted + 1] = (colour ~= last and ("\27[48;5;%dm"):format(colour) or "") .. "  "
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
    rows[#rows + 1] = paint_row(row)
  end
  if not first then
    io.write(("\27[%dA"):format(#rows + 1)) -- over the one before
  end
  io.write(caption, "\27[K\n", table.concat(rows, "\n"), "\n")
  io.flush()
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
  wait(1)
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
      grid = astar.movingai.read_map(file)
      START, GOAL = choose_ends(grid)
    elseif not known then
      fail("what is " .. argument .. "? Known: astar, dijkstra, bidirectional, jps, weighted, frames=N, map=FILE")
    end
  end
  grid = grid or astar.grid(MAP, { terrain = { ["."] = 1, [","] = 3, ["#"] = false } })
  return #chosen > 0 and chosen or KINDS, frames, grid
end

local kinds, frames, grid = read_arguments(arg or {})
for _, kind in ipairs(kinds) do
  play(grid, kind, frames)
end
