-- graph.lua -- waypoints: rooms of a house, a unit with keys, a saved graph, and a graph that is joined to a grid.

local astar = require "astar"

-- ---- a MUD's rooms: exits with names, no positions ----

local house = astar.graph()
for _, room in ipairs { "hall", "kitchen", "cellar", "garden", "shed", "attic", "vault" } do
  house:node(room)
end
local function exit(a, b, there, back, cost)
  house:edge(a, b, { label = there, cost = cost, one_way = true })
  house:edge(b, a, { label = back, cost = cost, one_way = true })
end
exit("hall", "kitchen", "east", "west")
exit("kitchen", "cellar", "down", "up", 2)
exit("kitchen", "garden", "south", "north")
exit("garden", "shed", "west", "east")
exit("cellar", "vault", "iron door", "iron door")
exit("hall", "attic", "up", "down", 2)
house:edge("attic", "garden", { label = "jump", one_way = true })

local function tell(who, path, reason)
  if not path then return print(who .. ": no way, " .. reason) end
  local steps = {}
  for i = 1, #path - 1 do steps[i] = tostring(path:link(i)) end
  print(("%s: %s to %s by %s, cost %g"):format(who, path[1], path[#path], table.concat(steps, ", "), path.cost))
end

local guest = house:finder {
  cost = function(_, _, exit_name, cost) return exit_name ~= "iron door" and cost end, -- no key
}
local butler = house:finder()
tell("butler", butler:find_path("attic", "vault"))
tell("guest", guest:find_path("attic", "vault"))
tell("guest", guest:find_path("attic", "shed"))

house:block("kitchen", "garden") -- somebody has shut the door, both ways
tell("butler", butler:find_path("hall", "shed"))
house:unblock("kitchen", "garden")
tell("butler", butler:find_nearest("cellar", { "shed", "attic", "hall" }))

io.write "from the hall, for 2:"
for room, cost in butler:reach("hall", 2):nodes() do io.write((" %s (%g)"):format(room, cost)) end
print()

-- ---- a saved graph answers the same ----

local copy = astar.graph.load(house:dump())
print(tostring(copy) .. ", of " .. #house:dump() .. " bytes")
tell("copy", copy:finder():find_path("attic", "vault"))

-- ---- way-points over a grid: in by the nearest one in sight, out by another ----

local town = astar.grid [[
......#.....
......#.....
.###..#..##.
...#.....#..
...#..#..#..
......#.....
]]
local ways = astar.graph()
ways:node("gap", 7, 4)
ways:node("square", 5, 2)
ways:node("well", 8, 2)
ways:edge("square", "gap")
ways:edge("gap", "well")
ways:edge("square", "well", { cost = 9, label = "bridge" })
local joined = ways:join(town:finder())
local route = joined:find_path(1, 1, 12, 2)
print(("\nby way-points, cost %.2f:"):format(route.cost))
for i = 1, #route do
  local place = route[i]
  print("  " .. (type(place) == "table" and ("(%d, %d)"):format(place.x, place.y) or place))
end
print("the first leg over the grid:")
io.write(town:draw(joined:leg(route, 1)))
