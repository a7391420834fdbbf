-- tactics_pictures.lua -- draws the maps of the pages in docs/tactics/, with the results of astar: pictures/tactics_*.svg.
--
--     make pictures
--
-- Walls are darker than the floor, by day and by night. Each is some panels side by side. A drawing's "#" are walls, "+" doors, which the grid has as
-- blocks; any other letter is written on its cell. Needs nothing but Lua and astar.

local astar = require "astar"

local SIDE, GAP = 18, 20 -- pixels of a cell, and between panels

-- Colours by day and by night; the classes are those of the other drawings in pictures/.
local HEAD = [[
<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">
<title>%s</title>
<style>
text { font: bold 12px sans-serif; fill: #222; text-anchor: middle } .f { fill: #f4f2ec }
.l { stroke: #dcd8cc; fill: none } .w { fill: #4a4d57 } .d { fill: #a0703a } .v { fill: #e08e0b }
.c { fill: #1b6ca8 } .x { stroke: #d1495b; stroke-width: 2.5; fill: none }
.r { stroke: #1b6ca8; stroke-width: 3; stroke-linejoin: round; fill: none }
.o { stroke-dasharray: 5 4 } .e { fill: #fff; stroke: #1b6ca8; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #f2f4f8 } .f { fill: #4a5160 } .l { stroke: #5a6272 }
.w { fill: #14161c } .d { fill: #8a5a2b } .r { stroke: #7cc0f5 } .c { fill: #6cb2eb } .x { stroke: #ff7b8a }
.e { fill: #23262d; stroke: #7cc0f5 } }
</style>
]]

local function middle(x) return x * SIDE - SIDE / 2 end

local function squares(cells, class, opacity)
  if #cells == 0 then return "" end
  local parts = {}
  for i, cell in ipairs(cells) do
    parts[i] = ("M%d %dh%dv%dh-%dz"):format(cell[1] * SIDE - SIDE, cell[2] * SIDE - SIDE, SIDE, SIDE, SIDE)
  end
  return ('<path class="%s" fill-opacity="%.2g" d="%s"/>\n'):format(class, opacity or 1, table.concat(parts))
end

-- Shades of what 'value' says of each cell, from -1 to 1, in steps of an eighth.
local function shades(width, height, value)
  local by_shade, svg = {}, {}
  for y = 1, height do
    for x = 1, width do
      local shade = math.floor(value(x, y) * 8 + 0.5)
      by_shade[shade] = by_shade[shade] or {}
      table.insert(by_shade[shade], { x, y })
    end
  end
  for shade = -8, 8 do
    if shade ~= 0 then
      svg[#svg + 1] = squares(by_shade[shade] or {}, shade > 0 and "v" or "c", math.min(1, math.abs(shade) / 8) * 0.8)
    end
  end
  return table.concat(svg)
end

local function line(cells, class)
  local points = {}
  for i, cell in ipairs(cells) do points[i] = ("%g %g"):format(middle(cell[1]), middle(cell[2])) end
  return ('<path class="%s" d="M%s"/>\n'):format(class, table.concat(points, "L"))
end

local function cross(cell)
  local x, y, d = middle(cell[1] or cell.x), middle(cell[2] or cell.y), SIDE / 3
  return ('<path class="x" d="M%g %gl%g %gm0 -%gl-%g %g"/>\n'):format(x - d, y - d, 2 * d, 2 * d, 2 * d, 2 * d, 2 * d)
end

local function is_end_of_way(panel, x, y)
  for _, cells in ipairs(panel.ways or {}) do
    for _, cell in ipairs { cells[1], cells[#cells] } do
      if cell[1] == x and cell[2] == y then return true end
    end
  end
  return false
end

local function draw_panel(panel)
  local rows, walls, doors, svg = panel.rows, {}, {}, {}
  local width, height = #rows[1], #rows
  local function add(text) svg[#svg + 1] = text end
  add(('<rect class="f" width="%d" height="%d"/>\n'):format(width * SIDE, height * SIDE))
  add(shades(width, height, panel.value or function() return 0 end))
  local lines = {}
  for x = 0, width do lines[#lines + 1] = ("M%d 0V%d"):format(x * SIDE, height * SIDE) end
  for y = 0, height do lines[#lines + 1] = ("M0 %dH%d"):format(y * SIDE, width * SIDE) end
  add(('<path class="l" d="%s"/>\n'):format(table.concat(lines)))
  for y, row in ipairs(rows) do
    for x = 1, width do
      local key = row:sub(x, x)
      if key == "#" then walls[#walls + 1] = { x, y } elseif key == "+" then doors[#doors + 1] = { x, y } end
    end
  end
  add(squares(walls, "w") .. squares(doors, "d"))
  for i, cells in ipairs(panel.ways or {}) do add(line(cells, i == 1 and "r" or "r o")) end
  for _, cell in ipairs(panel.crosses or {}) do add(cross(cell)) end
  for y, row in ipairs(rows) do
    for x, letter in row:gmatch "()([^.#+])" do
      -- Where a route begins or ends, the letter stands on a disc, and no line strikes it through.
      if is_end_of_way(panel, x, y) then
        add(('<circle class="e" cx="%g" cy="%g" r="%g"/>\n'):format(middle(x), middle(y), SIDE / 2 - 1))
      end
      add(('<text x="%g" y="%g">%s</text>\n'):format(middle(x), middle(y) + 4, letter))
    end
  end
  return table.concat(svg), width * SIDE, height * SIDE
end

local folder

local function picture(name, title, panels)
  local svg, right, height = {}, 0, 0
  for _, panel in ipairs(panels) do
    local drawn, wide, high = draw_panel(panel)
    svg[#svg + 1] = ('<g transform="translate(%d.5 0.5)">\n%s</g>\n'):format(right, drawn)
    right, height = right + wide + GAP, math.max(height, high)
  end
  right = right - GAP + 1
  local file = assert(io.open(folder .. "/tactics_" .. name .. ".svg", "w"))
  file:write(HEAD:format(right, height + 1, right, height + 1, title), table.concat(svg), "</svg>\n")
  file:close()
end

-- ---- maps: a drawing as a grid, whose walls and doors are blocks ----

local function split(drawing)
  local rows = {}
  for row in drawing:gmatch "[^\n]+" do rows[#rows + 1] = row end
  return rows
end

local LAYERS = { ["#"] = "walls", ["+"] = "doors" }

local function read(drawing)
  local rows, at = split(drawing), {}
  local grid = astar.grid(#rows[1], #rows)
  for y, row in ipairs(rows) do
    for x = 1, #row do
      local key = row:sub(x, x)
      if LAYERS[key] then grid:block(x, y, LAYERS[key]) elseif key ~= "." then at[key] = { x, y } end
    end
  end
  return grid, rows, at
end

local function cells_of(path)
  local cells = {}
  for x, y in path:cells() do cells[#cells + 1] = { x, y } end
  return cells
end

local function route(grid, at, options, question)
  local s, g = at.S, at.G
  return assert(grid:finder(options):find_path(s[1], s[2], g[1], g[2], question))
end

-- ---- the pictures ----

local function draw_fields()
  local grid, rows = read(("........................\n"):rep(7))
  local threat, worth, gain = astar.field(grid), astar.field(grid), astar.field(grid)
  threat:stamp(6, 4, 4, 10)
  worth:stamp(5, 4, 2, 6)
  worth:stamp(19, 3, 2, 5)
  gain:add_field(worth)
  gain:add_field(threat, -1)
  local function value(x, y) return math.max(-1, gain:get(x, y) / 6) end
  picture("fields", "Worth less threat: gold beneath a tower, silver farther off", { { rows = rows, value = value } })
end

local function draw_breach()
  local grid, rows, at = read [[
.......#.......
S......#......G
.......#.......
.......#.......
.......+.......
]]
  local panels = {}
  for i, walls in ipairs { 12, 3 } do
    local path = route(grid, at, { breach = { walls = walls, doors = 1.5 }, diagonals = "never" })
    panels[i] = { rows = rows, ways = { cells_of(path) }, crosses = path:breaches() }
  end
  picture("breach", "Walls at 12: through the door; walls at 3: through the wall", panels)
end

local function draw_blockers()
  local grid, rows, at = read [[
.....#.....###....
.....#.....#.#....
..S..#.....#.+..G.
.....##....#.#....
.....#.....###....
]]
  local s, g = at.S, at.G
  local list = grid:finder():blockers(s[1], s[2], g[1], g[2])
  picture("blockers", "The fewest blocks that part two cells", { { rows = rows, crosses = list } })
end

local function draw_avoid()
  local grid, rows, at = read [[
.......S.......
...............
...............
...............
...............
...............
.......G.......
]]
  local danger, cover, both = astar.field(grid), astar.field(grid), astar.field(grid)
  danger:stamp(8, 4, 4, 12)
  cover:fill(8, 1, 1, 7, 12)
  both:add_field(danger)
  both:add_field(cover, -1)
  local function panel(list, field)
    return {
      rows = rows, ways = { cells_of(route(grid, at, { avoid = list })) },
      value = function(x, y) return math.max(-1, math.min(1, field:get(x, y) / 12)) end,
    }
  end
  picture("avoid", "Round a danger; with cover straight through it",
    { panel(danger, danger), panel({ { danger, 1 }, { cover, -1 } }, both) })
end

local function draw_flow()
  local grid, rows = read ".c......................h.....\n"
  local loot = astar.field(grid)
  loot:set(2, 1, -2)
  loot:set(25, 1, -20)
  local flow = grid:finder():flow(loot)
  local function value(x, y) return (flow:distance(x, y) + 20) / 24 end
  picture("loot", "A flow to a coin and to a chest, by what each is worth", { { rows = rows, value = value } })
end

local function draw_goals()
  local grid, rows = read [[
....................
....#####...........
..S.#...............
....#......S........
....#####.......S...
]]
  local wells = astar.goals(grid, { { 7, 3 }, { 19, 2 } })
  local finder, ways, letters = grid:finder(), {}, {}
  for y, row in ipairs(rows) do
    for x in row:gmatch "()S" do ways[#ways + 1] = cells_of(finder:find_nearest(x, y, wells)) end
    letters[y] = row
  end
  for x, y in wells:cells() do letters[y] = letters[y]:sub(1, x - 1) .. "W" .. letters[y]:sub(x + 1) end
  picture("goals", "Each to the nearest of two wells", { { rows = letters, ways = ways } })
end

local function draw_desires()
  local grid, rows = read [[
..............
.####.#######.
.#....#.....#.
.#..........#.
.#....#.....#.
.############.
S.............
]]
  local thief, guard = grid:finder { diagonals = "never" }, astar.field(grid)
  local desires = thief:desire_map { { thief:flow(11, 4), 1 }, { guard, 2 } }
  local function walk(x, y)
    local cells = { { x, y } }
    for i = 2, 40 do
      x, y = desires:next(x, y)
      cells[i] = { x, y }
    end
    return cells
  end
  guard:stamp(9, 4, 2, 9)
  local first = walk(1, 7)
  local guarded, free = split(table.concat(rows, "\n")), split(table.concat(rows, "\n"))
  guarded[4], free[4], free[7] = ".#......G.$.#.", ".#........$.#.", rows[1]
  local there = astar.field(grid)
  there:add_field(guard)
  guard:fill(0)
  picture("desires", "A thief waits while the guard is there, then takes the gold", {
    { rows = guarded, ways = { first }, value = function(x, y) return math.min(1, there:get(x, y) / 9) end },
    { rows = free, ways = { walk(first[40][1], first[40][2]) } },
  })
end

local function draw_fov()
  local grid, rows = read [[
..............
....#.........
....#..##.....
..@...##......
..............
..#...........
..............
]]
  local seen = grid:finder():fov(3, 4, 9)
  picture("fov", "What can be seen", { { rows = rows, value = function(x, y) return seen:get(x, y) / 2 end } })
end

local function draw_suppose()
  local grid, rows, at = read [[
........
S..##..G
...##...
........
]]
  local way, supposed = route(grid, at), route(grid, at, nil, { suppose_blocked = { { 4, 1 } } })
  picture("suppose", "The way there is, and the one if the cell above the rock was blocked",
    { { rows = rows, ways = { cells_of(way) } },
      { rows = rows, ways = { cells_of(supposed) }, crosses = { { 4, 1 } } } })
end

local function draw_cut_off()
  local grid, rows, at = read [[
..........
.######.##
.#......#.
.#.####.#.
.#......#.
.########.
.........G
]]
  local finder, panels = grid:finder { diagonals = "never" }, {}
  for i, tower in ipairs { { 5, 3, 1, 1 }, { 7, 3, 2, 1 } } do
    panels[i] = {
      rows = rows, crosses = { { tower[1], tower[2] }, tower[3] > 1 and { tower[1] + 1, tower[2] } or nil },
      value = function(x, y)
        local options = { suppose_blocked = { tower } }
        return grid:is_walkable(x, y) and finder:reachable(x, y, at.G[1], at.G[2]) and
          not finder:reachable(x, y, at.G[1], at.G[2], options) and 0.5 or 0
      end,
    }
  end
  picture("cut_off", "A tower that cuts nothing off, and one that would", panels)
end

local function draw_gaps()
  local grid, rows = read [[
...............
.####.#######..
.#..........#..
.#..........#..
.#.............
.#..........#..
.############..
...............
]]
  local finder = grid:finder()
  local gaps = finder:min_cut(15, 1, 5, 4)
  for _, gap in ipairs(gaps) do grid:block(gap.x, gap.y) end
  grid:unblock(12, 5)
  local shut = split(table.concat(rows, "\n"))
  shut[3] = ".#...#......#.."
  picture("gaps", "What to wall up; and with one gap left the cells that all must pass",
    { { rows = rows, crosses = gaps }, { rows = shut, crosses = finder:chokepoints(15, 1, 5, 4) } })
end

local function draw_spread()
  local grid, rows = read [[
.........
.#######.
.#.....#.
.#.....#.
.###.###.
.........
]]
  local noise = grid:finder():spread({ { 3, 3 } }, 8, { value = 9 })
  picture("spread", "A noise in a room, heard through its door",
    { { rows = rows, value = function(x, y) return noise:get(x, y) / 9 end } })
end

folder = arg[1] or "pictures"
for _, draw in ipairs { draw_fields, draw_breach, draw_blockers, draw_avoid, draw_flow, draw_goals, draw_desires,
  draw_fov, draw_suppose, draw_cut_off, draw_gaps, draw_spread } do
  draw()
end
