// tasks.js -- what one may do with a map, as the part of a script that follows it.

export const TASKS = {
  path: {
    title: "Route",
    hint: "Drag S and G, paint walls and ground.",
    script: `
local finder = grid:finder { bends = "fewer" }
local path, reason = finder:find_path(sx, sy, gx, gy)
if path then
  print(("cost %.3f, %d cells"):format(path.cost, #path))
else
  print("no way: " .. reason)
end
`,
  },
  steps: {
    title: "Step by step",
    hint: "Play, or drag the slider. Point at a cell for its way back and its g, h and f.",
    script: `
local finder = grid:finder { algorithm = "astar" }
local search = finder:search(sx, sy, gx, gy)
search:step(1) -- the buttons and the slider below the map go on from here
`,
  },
  compare: {
    title: "Two side by side",
    hint: "The same query to two finders. Each has its options below its map.",
    script: `
local left = grid:finder { algorithm = "astar" }
local right = grid:finder { algorithm = "dijkstra" }
local a = left:search(sx, sy, gx, gy)
local b = right:search(sx, sy, gx, gy)
while a:step(1000) == "running" do end
while b:step(1000) == "running" do end
print(a.expanded, b.expanded)
`,
  },
  flow: {
    title: "Flow",
    hint: "Each arrow is a cell's next step to G: one flow serves any number of units.",
    script: `
local finder = grid:finder {}
local flow = finder:flow(gx, gy)
print(flow:distance(sx, sy))
flow:path(sx, sy)
`,
  },
  reach: {
    title: "Range",
    hint: "Where a unit at S gets with 12 points of movement.",
    script: `
local finder = grid:finder {}
local reach = finder:reach(sx, sy, 12)
local cells = 0
for x, y, cost in reach:cells() do cells = cells + 1 end
print(cells .. " cells within reach")
`,
  },
  walk: {
    title: "Walk",
    hint: "Click where the unit is to go. Choose Wall and paint in its way.",
    script: `
local finder = grid:finder {}
local walker = astar.walker(finder:find_path(sx, sy, sx, sy), { speed = 6 })

function click(x, y) -- the page calls it where one clicks
  local from_x, from_y = walker:cell()
  local path, reason = finder:find_path(from_x, from_y, x, y)
  if path then
    walker:follow(path)
  else
    print("no way: " .. reason)
  end
end

function update(dt) -- and this each frame
  walker:repair() -- finds another way where a wall came up
  walker:update(dt)
end

click(gx, gy)
`,
  },
  crowd: {
    title: "Crowd",
    isOfSquares: true,
    hint: "Click where the units are to go. Choose Wall and paint while they walk.",
    script: `
local finder = grid:finder {}
local crowd = astar.crowd(finder, { speed = 6 })
local reach = finder:reach(sx, sy, 12) -- they begin around S
for x, y in reach:cells() do
  if #crowd < 40 then crowd:add(x, y) end
end
for _, unit in ipairs(crowd:units()) do unit:go(gx, gy) end

function update(dt) -- the page calls it each frame
  crowd:update(dt)
end

function click(x, y) -- and this where one clicks
  for _, unit in ipairs(crowd:units()) do unit:go(x, y) end
end
`,
  },
  world: {
    title: "World",
    hint: "Drag or zoom: the map has no edges. It is made where you look and where the route goes.",
    isWhole: true,
    script: `local astar = require "astar"

-- The ground of any cell.
local function ground(x, y)
  local height = math.sin(x / 9) + math.sin(y / 7) + math.sin((x + y) / 13) + math.sin((x - 2 * y) / 23)
  return height < -1.2 and "~" or height > 1.5 and "#" or height > 0.8 and "^" or "."
end

local world = astar.world {
  terrain = { ["."] = 1, ["^"] = 3, ["~"] = 5, ["#"] = false },
  load = function(cx, cy) -- a chunk of 64 x 64 cells, when it is needed
    local keys = {}
    for y = 64 * cy + 1, 64 * cy + 64 do
      for x = 64 * cx + 1, 64 * cx + 64 do keys[#keys + 1] = ground(x, y) end
    end
    return keys
  end,
}
local sx, sy, gx, gy = 6, 26, 160, 90

local finder = world:finder {}
local route, reason = finder:find_route(sx, sy, gx, gy)
if route then
  print(("cost %.1f, %d chunks made"):format(route.cost, world:stats().chunks))
  route:path() -- all its cells
else
  print("no way: " .. reason)
end
`,
  },
};
