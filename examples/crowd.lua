-- crowd.lua -- ten thousand units on one flow field: one search serves them all.
--
--     lua examples/crowd.lua [units=N] [turns=N]
--
-- Each unit walks to the nearest gate. For each unit that leaves, another unit enters the map. A fire moves across the
-- map, and units near the fire flee. On turn 60 the northern gate closes, on turn 90 it opens again: the flow is
-- repaired, not recomputed. Darker cells hold more units: . : + * #. On a terminal each picture replaces the last
-- one, unless NO_COLOR is set. In a pipe the program prints three pictures.

local astar = require "astar"

local WIDTH, HEIGHT = 78, 30
local settings = { units = 10000, turns = 110 }
for _, argument in ipairs(arg or {}) do
  local name, value = argument:match "^(%l+)=(%d+)$"
  if not settings[name] then
    io.stderr:write("usage: lua examples/crowd.lua [units=N] [turns=N]\n")
    os.exit(2)
  end
  settings[name] = math.max(tonumber(value), 1)
end

-- ---- the town ----

local grid = astar.grid(WIDTH, HEIGHT, { terrain = { ["."] = 1, ["#"] = false }, fill = "." })
for x = 8, 68, 12 do
  for y = 4, 22, 9 do grid:fill(x, y, 7, 5, "#") end
end
grid:fill(1, 1, WIDTH, 1, "#")
grid:fill(WIDTH, 1, 1, HEIGHT, "#")
grid:set(40, 1, ".")          -- the northern gate
grid:set(WIDTH, 28, ".")      -- the eastern one

local finder = grid:finder()
local home = finder:flow { { 40, 1 }, { WIDTH, 28 } }

-- The same numbers on every machine.
local seed = 7
local function dice(most)
  seed = seed * 48271 % 2147483647
  return seed % most + 1
end

local xs, ys = {}, {}

local function come_in(i)
  repeat xs[i], ys[i] = dice(WIDTH), dice(HEIGHT) until grid:is_walkable(xs[i], ys[i])
end

for i = 1, settings.units do come_in(i) end

-- ---- a turn ----

local SIGHT = 6 -- how far off a fire is seen

-- How many have left by a gate.
local function move_all(fear)
  local left = 0
  for i = 1, #xs do
    local x, y = xs[i], ys[i]
    local nx, ny
    if fear then nx, ny = fear:next(x, y) end -- nil for those who see no fire
    if not nx then nx, ny = home:next(x, y) end
    xs[i], ys[i] = nx or x, ny or y
    if home:distance(xs[i], ys[i]) == 0 then
      left = left + 1
      come_in(i)
    end
  end
  return left
end

-- ---- the picture ----

local is_unix = package.config:sub(1, 1) == "/"

local function is_terminal()
  local no_colour = os.getenv "NO_COLOR"
  if not is_unix or no_colour and no_colour ~= "" or os.getenv "TERM" == "dumb" then return false end
  local answer = os.execute "test -t 1" -- 0 on Lua 5.1, true on later ones
  return answer == 0 or answer == true
end

local on_terminal = is_terminal()
local SHADES = { { 100, "#" }, { 40, "*" }, { 15, "+" }, { 5, ":" }, { 1, "." } }

local function shade(count)
  for _, step in ipairs(SHADES) do
    if count >= step[1] then return step[2] end
  end
  return " "
end

local function draw(turn, words)
  local counts, lines = {}, {}
  for i = 1, #xs do
    local cell = ys[i] * WIDTH + xs[i]
    counts[cell] = (counts[cell] or 0) + 1
  end
  for y = 1, HEIGHT do
    local line = {}
    for x = 1, WIDTH do
      line[x] = grid:is_walkable(x, y) and shade(counts[y * WIDTH + x] or 0) or "%"
    end
    lines[y] = table.concat(line):gsub(" +$", "")
  end
  if on_terminal then io.write "\27[H\27[J" end
  print(("turn %d: %s"):format(turn, words))
  print(table.concat(lines, "\n"))
end

-- ---- the play ----

local clock = os.clock
local moving, mending, slowest, words = 0, 0, 0, "everybody goes home"
local gone = 0
local SHOWN = { [45] = true, [75] = true, [110] = true }
for turn = 1, settings.turns do
  local fear
  if turn == 30 then
    words = "fire in the middle"
  elseif turn == 60 then
    grid:block(40, 1)
    words = "the northern gate is shut"
  elseif turn == 90 then
    grid:unblock(40, 1)
    words = "and open again"
  end
  local before = clock()
  home:update() -- by itself it would be at the next question; here so that it is measured
  mending = mending + clock() - before
  before = clock()
  if turn >= 30 and turn < 50 then
    fear = finder:flow({ { 20 + turn, 15 } }, { max_cost = SIGHT }):flee()
  end
  gone = gone + move_all(fear)
  local took = clock() - before
  moving, slowest = moving + took, math.max(slowest, took)
  if on_terminal or SHOWN[turn] then draw(turn, words) end
end

print(("%d units, %d turns, %d have left"):format(#xs, settings.turns, gone))
print(("a turn of all: %.2f ms on average, %.2f at most; repairs of the flow: %.2f ms")
  :format(moving / settings.turns * 1e3, slowest * 1e3, mending * 1e3))
