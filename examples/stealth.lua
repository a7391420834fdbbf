-- stealth.lua -- a level of a stealth game: guards on their rounds see the cells in front of them. A thief avoids these
-- cells. A guard that has seen the thief hunts the thief.

local astar = require "astar"

local LEVEL = [[
########################################
#........#...............#.............#
#........#...............#.............#
#....................................$.#
#........#...............#.............#
#........#...............#.............#
###.##########.#####.########.##########
#......................................#
#......................................#
####.######.#########.#######.##########
#........#...............#.............#
#........#...............#.............#
#................##....................#
#........#.......##......#.............#
#........#...............#.............#
########################################
]]
local FRAME = 1 / 30
local SIGHT, ANGLE = 5, 100 -- cells, degrees
local GUARD_SPEED, THIEF_SPEED = 2.5, 3
local SAFE = { 38, 4 }

local grid = astar.grid(LEVEL, { terrain = { ["."] = 1, ["$"] = 1, ["#"] = false } })
local finder = grid:finder { diagonals = "only_when_no_obstacles" }
local watched = astar.field(grid:size()) -- how much guards see of each cell: the thief's finder avoids it
local thief_finder = grid:finder { diagonals = "only_when_no_obstacles", avoid = watched, avoid_weight = 20 }

-- ---- guards ----

-- A guard whose round leads by the shortest way through its posts, again and again.
local function new_guard(name, posts)
  local order = finder:tour(posts, { from = posts[1], back = true })
  local guard = { name = name, posts = {}, at = 2, sight = astar.field(grid:size()) }
  for i, post in ipairs(order) do guard.posts[i] = posts[post] end
  local first, second = guard.posts[1], guard.posts[2]
  guard.walker = astar.walker(finder:find_path(first[1], first[2], second[1], second[2]), {
    speed = GUARD_SPEED, acceleration = 4, turn = 5,
  })
  return guard
end

local function look(guard)
  local x, y = guard.walker:cell()
  finder:fov(x, y, SIGHT, { facing = guard.walker.heading or nil, angle = ANGLE, into = guard.sight })
end

local function move_guard(guard, thief)
  local walker = guard.walker
  local x, y = walker:cell()
  if guard.hunts then
    walker:retarget(thief:cell()) -- each frame, for a few cells' search
  elseif walker.arrived then
    guard.at = guard.at % #guard.posts + 1
    walker:follow(finder:find_path(x, y, guard.posts[guard.at][1], guard.posts[guard.at][2]))
  end
  walker:update(FRAME)
  look(guard)
end

-- ---- a game ----

-- The level with guards by their names' first letters, what they see as commas, and the thief as T.
local function draw(guards, thief)
  local rows = {}
  for y = 1, select(2, grid:size()) do
    local row = {}
    for x = 1, (grid:size()) do
      local key = grid:get(x, y)
      row[x] = key == "." and watched:get(x, y) > 0 and "," or key
    end
    rows[y] = row
  end
  local function put(walker, letter)
    local x, y = walker:cell()
    rows[y][x] = letter
  end
  for _, guard in ipairs(guards) do put(guard.walker, guard.name:sub(1, 1)) end
  put(thief, "T")
  for y, row in ipairs(rows) do rows[y] = table.concat(row) end
  return table.concat(rows, "\n")
end

-- Plays with a thief that asks a finder for its way, four times a second. Returns how it ended.
local function play(finder_of_thief)
  local guards = {
    new_guard("Ann", { { 3, 3 }, { 23, 5 }, { 14, 8 }, { 4, 8 } }),
    new_guard("Bob", { { 37, 8 }, { 28, 3 }, { 37, 14 } }),
    new_guard("Cas", { { 12, 11 }, { 24, 14 }, { 24, 8 } }),
  }
  local thief = astar.walker(finder:find_path(3, 14, SAFE[1], SAFE[2]), { speed = THIEF_SPEED })
  for frame = 1, 60 / FRAME do
    watched:fill(0)
    for _, guard in ipairs(guards) do
      move_guard(guard, thief)
      watched:max(guard.sight)
    end
    local x, y = thief:cell()
    for _, guard in ipairs(guards) do
      local gx, gy = guard.walker:cell()
      if not guard.hunts and guard.sight:get(x, y) > 0 then
        guard.hunts, guard.walker.speed = true, 1.3 * THIEF_SPEED
        print(("%5.1f s  %s has seen the thief"):format(frame * FRAME, guard.name))
        print(draw(guards, thief))
      end
      if math.max(math.abs(gx - x), math.abs(gy - y)) <= 1 then
        return ("%s catches the thief after %.1f s"):format(guard.name, frame * FRAME)
      end
    end
    if frame % 8 == 0 then
      local path = finder_of_thief:find_path(x, y, SAFE[1], SAFE[2])
      if path then thief:follow(path) end
    end
    if frame == 4 / FRAME then print(draw(guards, thief)) end
    thief:update(FRAME)
    if thief.arrived then return ("the safe is open after %.1f s"):format(frame * FRAME) end
  end
  return "the night is over"
end

print "boldly:"
print(play(finder))
print "\nwith care:"
print(play(thief_finder))
