-- village.lua -- one map, many kinds of NPC, each with a finder of its own.
--
--     make run, or: lua examples/village.lua
--
-- All NPCs walk over the same grid. Their finders differ in the costs of the ground and in the rules for diagonal
-- steps; the guard's finder has a cost function. On a terminal the picture is in colour; set NO_COLOR for letters
-- only.

local astar = require "astar"

local MAP = [[
^^^^^^^^^^^^^^^^^^^^^^^^^^^-~~~-^^^^^^^^^^^^^^^^^^^^^^^^^^^^
^^....^............^......--~~~-......^...............^...^^
^..#####..........#####...-~~~-....#######..#######.......=^
^..#___#..........#___#...-~~~-....#_____#..#_____#.......=^
^..#___+..^.......#___#..--~~--....#_____#..#_____#..^....=^
^..#####..........##+##..-~~~-.....###+###..###+###.......=^
^.....==............=====-----=========........=..........=^
^..^...=.....^......=...--~~--........=........=.....^....=^
^......=............=...-~~~-.........=........=..........=^
========================:::::===============================
^......=....".......=...-~~~-...=........................=.^
^..^...=""""""""""..=...-~~--...=...^..............^.....=.^
^....""""""""""""""..=..----....==========..###########..=.^
^"""""""""""""""""""".=-----....=________=..#_________#..=.^
^""""""""""""""""""".=.--~~-....=__#__#__===+_________#..=.^
^.^.."""""""""""""".=..-~~~-....=________=..#_________#..=.^
^......""""""""""...=..-~~~-....==========..#_________#..=.^
^........""""""""...=..-~~-.......=......^..#####+#####..=.^
^..........=========..-~~~-.......=..............=.......=.^
^.^........=....^.....-~~~-...^...================.......=.^
^^.......^.=.........--~~-...............^.......=========.^
^^^^^^^^^^^=^^^^^^^^^^-~~~-^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
]]

-- ---- who lives here ----

-- [shown before the picture
local village = astar.grid(MAP, { terrain = {
  ["="] = 1, [":"] = 1, ["_"] = 1, ["+"] = 1, ["."] = 2, ['"'] = 3, -- costs
  ["-"] = false, ["~"] = false, ["^"] = false, ["#"] = false, -- no entry
} })
local merchant = village:finder { costs = { ["."] = 8, ['"'] = false } }
local child = village:finder { costs = { ["."] = 1, ['"'] = 1, ["-"] = 1 } }
local fisher = village:finder { costs = { ["-"] = 1 } }
local wagon = village:finder { diagonals = "never", costs = { ["."] = 6 } }

local routes = { -- from x, y to x, y
  merchant:find_path(1, 10, 37, 4),
  child:find_path(52, 14, 9, 14),
  fisher:find_path(20, 5, 41, 4),
  wagon:find_path(59, 3, 47, 16),
}
-- shown]

local villagers = {
  { letter = "m", name = "merchant", finder = merchant, manner = "keeps to the road", colours = { 231, 160 } },
  { letter = "c", name = "child", finder = child, manner = "runs anywhere: all cells cost 1", colours = { 16, 226 } },
  { letter = "f", name = "fisher", finder = fisher, manner = "wades through the shallows", colours = { 231, 20 } },
  { letter = "w", name = "wagon", finder = wagon, manner = "turns at right angles only", colours = { 231, 91 } },
}

-- The names of the ground; and the colours it is drawn in, character and ground.
local GROUND = {
  ["="] = { name = "road", colours = { 137, 180 } },
  [":"] = { name = "bridge", colours = { 94, 137 } },
  ["_"] = { name = "floor", colours = { 187, 187 } },
  ["+"] = { name = "door", colours = { 94, 215 } },
  ["."] = { name = "grass", colours = { 71, 65 } },
  ['"'] = { name = "swamp", colours = { 107, 58 } },
  ["-"] = { name = "shallows", colours = { 117, 74 } },
  ["~"] = { name = "river", colours = { 68, 25 } },
  ["^"] = { name = "trees", colours = { 28, 22 } },
  ["#"] = { name = "wall", colours = { 240, 240 } },
}
local CLOSED_DOOR = { 231, 88 }

-- The guard asks a function. It may be as clever as it likes: it runs once for each cell that the
-- search comes by, and what it closes over, here the hour, can change between two queries.
local hour = 12
local guard = village:finder {
  cost = function(_, _, ground, cost)
    local night = hour < 6 or hour >= 20
    return ground == '"' and night and cost * 10 or cost
  end,
}

local porter = village:finder()
local patient_porter = village:finder { partial = true }

-- ---- pictures ----

local is_unix = package.config:sub(1, 1) == "/"

local function wants_colour()
  local no_colour = os.getenv "NO_COLOR"
  if not is_unix or no_colour and no_colour ~= "" or os.getenv "TERM" == "dumb" then
    return false
  end
  local answer = os.execute "test -t 1" -- 0 on Lua 5.1, true on later ones
  return answer == 0 or answer == true
end

local in_colour = wants_colour()

local function paint(text, colours, bold)
  if not in_colour then
    return text
  end
  return ("\27[%s38;5;%d;48;5;%dm%s\27[0m"):format(bold and "1;" or "", colours[1], colours[2], text)
end

local function heading(text)
  print("\n" .. (in_colour and "\27[1m" .. text .. "\27[0m" or text) .. "\n")
end

-- A route by cell: what to write over the ground.
local function trace(marks, path, letter, colours)
  for i = 1, #path do
    local x, y = path:cell(i)
    local character = i == 1 and letter:upper() or i == #path and "*" or letter
    marks[y * 1000 + x] = paint(character, colours, true)
  end
end

-- The rows of a part of the map with the marks on it.
local function rows_of(marks, x0, y0, x1, y1)
  local rows = {}
  for y = y0, y1 do
    local row = {}
    for x = x0, x1 do
      local key = village:get(x, y)
      local mark = marks[y * 1000 + x] or village:is_blocked(x, y) and paint("X", CLOSED_DOOR, true)
      row[#row + 1] = mark or paint(key, GROUND[key].colours)
    end
    rows[#rows + 1] = table.concat(row)
  end
  return rows
end

local function print_beside(pictures)
  for y = 1, #pictures[1] do
    local row = {}
    for i, rows in ipairs(pictures) do
      row[i] = rows[y]
    end
    print(table.concat(row, "   "))
  end
end

local function print_columns(width, texts)
  local row = {}
  for i, text in ipairs(texts) do
    row[i] = text .. (" "):rep(width - #text)
  end
  print((table.concat(row, "   "):gsub(" +$", "")))
end

-- ---- asking ----

local REPEATS = 100

-- The answer, and how long one takes: the mean of many, for a clock's tick is too coarse.
local function ask(finder, sx, sy, gx, gy)
  local path, reason = finder:find_path(sx, sy, gx, gy)
  local before = os.clock()
  for _ = 1, REPEATS do
    finder:find_path(sx, sy, gx, gy)
  end
  local microseconds = (os.clock() - before) / REPEATS * 1e6
  return path, reason, microseconds
end

local function describe(path, microseconds)
  return ("cost %.2f, %d cells,"):format(path.cost, #path), ("%d expanded, %.1f us"):format(path.expanded, microseconds)
end

-- ---- the show ----

local function show_ground()
  for _, keys in ipairs { { "=", ":", "_", "+", "." }, { '"', "-", "~", "^", "#" } } do
    local words = {}
    for i, key in ipairs(keys) do
      words[i] = ("%s %-10s"):format(paint(key, GROUND[key].colours), GROUND[key].name)
    end
    print((table.concat(words):gsub(" +$", "")))
  end
end

-- The lines of this very file that make the first picture.
local function show_source()
  heading "This Lua made the picture below (examples/village.lua)"
  local is_shown = false
  for line in io.lines((debug.getinfo(1, "S").source:gsub("^@", ""))) do
    if line:find "^%-%- %[shown" then
      is_shown = true
    elseif line:find "^%-%- shown%]" then
      return
    elseif is_shown then
      print(line == "" and "" or "  " .. line)
    end
  end
end

local function show_villagers()
  local width, height = village:size()
  heading(("A village of %d x %d cells, and who walks there"):format(width, height))
  local marks, lines = {}, {}
  for i, who in ipairs(villagers) do
    local path = routes[i]
    local sx, sy = path:cell(1)
    local _, _, microseconds = ask(who.finder, sx, sy, path:cell(#path))
    trace(marks, path, who.letter, who.colours)
    lines[#lines + 1] = ("%s %-9s%-32s%8.2f%7d%10d%7.1f us"):format(paint(who.letter, who.colours, true), who.name,
      who.manner, path.cost, #path, path.expanded, microseconds)
  end
  print_beside { rows_of(marks, 1, 1, width, height) }
  print "\nA capital letter: where one starts. *: the goal."
  show_ground()
  print(("\n%-43s%8s%7s%10s%10s"):format("", "cost", "cells", "expanded", "time"))
  print(table.concat(lines, "\n"))
end

local function show_guard()
  heading "The guard walks home: a Lua function tells what each cell costs him"
  local pictures, first, second = {}, {}, {}
  for i, now in ipairs { 12, 23 } do
    hour = now
    local path, _, microseconds = ask(guard, 5, 4, 12, 22)
    local marks = {}
    trace(marks, path, "g", { 231, 161 })
    pictures[i] = rows_of(marks, 1, 3, 28, 22)
    first[i], second[i] = describe(path, microseconds)
  end
  print_columns(28, { "by day, through the swamp", "by night, around it" })
  print_beside(pictures)
  print_columns(28, first)
  print_columns(28, second)
end

local function show_gates()
  heading "The porter goes to the keep: closing a gate is one call"
  local pictures, titles, first, second = {}, {}, {}, {}
  local function look(title)
    local path, reason, microseconds = ask(porter, 36, 14, 53, 14)
    local marks, i = {}, #titles + 1
    titles[i] = title
    if path then
      first[i], second[i] = describe(path, microseconds)
    else
      first[i], second[i] = "no path: " .. reason, "waits as near as he can"
      path = patient_porter:find_path(36, 14, 53, 14)
    end
    trace(marks, path, "p", { 231, 129 })
    pictures[i] = rows_of(marks, 33, 10, 56, 21)
  end
  look "both gates open"
  village:block(45, 15)
  look "the west gate closes"
  village:block(50, 18)
  look "so does the south gate"
  village:unblock(1, 1, village:size())
  print_columns(24, titles)
  print_beside(pictures)
  print_columns(24, first)
  print_columns(24, second)
end

local function show_next()
  heading "What next?"
  print [[
make example NAME=quickstart    a map, a query, a route: change the map
make run SCRIPT=mine.lua        a file of your own
make example NAME=visualise     a search, cell by cell
make love                       games to click in, with LÖVE
examples/README.md              a small program for each thing it can do
docs/README.md                  all of it, a page a topic]]
end

show_source()
show_villagers()
show_guard()
show_gates()
show_next()
