-- links.lua -- stairs between two floors, a portal, a jump down; thin walls and a ledge.

local astar = require "astar"

-- Two floors are two parts of one grid, side by side, with a wall between them.
local house = astar.grid([[
..........#..........
.####.###.#.##.#####.
.#......#.#.#......#.
.#......#.#.#......#.
.#......#.#.#......#.
.########.#.########.
..........#..........
]], { terrain = { ["."] = 1, ["#"] = false } })

print "No stairs yet:"
print(house:find_path(3, 3, 18, 4))
print()

-- Stairs join a cell on the ground floor to one on the upper floor; climbing them costs 3.
house:link(8, 3, 14, 3, { cost = 3, label = "stairs" })
-- Out of the window there is only one way.
house:link(19, 3, 21, 3, { cost = 1, label = "jump down", one_way = true })
house:link(21, 7, 10, 7, { cost = 1, label = "path" })

local finder = house:finder()

local function tell(sx, sy, gx, gy)
  local path = assert(finder:find_path(sx, sy, gx, gy))
  print(("(%d, %d) to (%d, %d): %d cells, cost %.2f"):format(sx, sy, gx, gy, #path, path.cost))
  print(house:draw(path))
  for i = 1, #path do
    local label = path:link(i)
    if label then print(("%s, from (%d, %d)"):format(label, path:cell(i))) end
  end
  print()
end

tell(3, 3, 18, 4) -- up
tell(18, 4, 3, 3) -- back down
tell(18, 4, 10, 7) -- into the garden

-- A portal far cheaper than any walk: routes that it shortens lead through it.
local plain = astar.grid(31, 7)
plain:link(3, 4, 29, 4, { cost = 0, label = "portal" })
for _, x in ipairs { 9, 15, 22 } do
  local path = plain:find_path(1, 1, x, 1)
  print(("to column %d: cost %.2f%s"):format(x, path.cost,
    path.cost < x - 1 and ", through the portal" or ", on foot"))
end
print()

-- Thin walls stand between two cells. A fence with a gate, and a ledge one can only jump down.
local yard = astar.grid(13, 5)
for x = 4, 10 do
  yard:wall(x, 3, "north")       -- the fence, above row 3
  yard:wall(x, 5, "north", true) -- the ledge: no step up from row 5
end
yard:unwall(7, 3, "north") -- the gate

-- Draws the fence and the ledge between the rows.
local function draw_yard(path)
  local y = 0
  for row in yard:draw(path):gmatch "[^\n]+" do
    y = y + 1
    local sides = {}
    for x = 1, 13 do
      sides[x] = not yard:has_wall(x, y, "north") and " "
        or y > 1 and yard:has_wall(x, y - 1, "south") and "=" or "^"
    end
    print((table.concat(sides):gsub(" +$", "")))
    print(row)
  end
end

for _, question in ipairs { { "down", 5, 2, 7, 5 }, { "up", 7, 5, 5, 2 } } do
  local path = yard:find_path(question[2], question[3], question[4], question[5])
  print(("%s: %d cells, cost %.2f"):format(question[1], #path, path.cost))
  draw_yard(path)
end
