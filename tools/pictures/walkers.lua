-- Pictures of the manual: what walkers do, and routes in time. Drawn over the game click_to_walk, which is only there to
-- be drawn over.
local astar = require "astar"

local SCALE, MARGIN = 40, 12
local WALL, GROUND, LINE = { 0.36, 0.4, 0.45 }, { 0.93, 0.93, 0.9 }, { 0.85, 0.85, 0.82 }
local RED, BLUE, GREEN = { 0.8, 0.3, 0.2 }, { 0.15, 0.4, 0.75 }, { 0.2, 0.55, 0.3 }

local map = [[
.....##.....
.##.....##..
.##..#..##..
.....#......
..##.....##.
..##..#..##.
]]

-- Where the cell or place (x, y) of a panel is on the screen.
local function at(panel, x, y)
  return MARGIN + panel.left + (x - 0.5) * SCALE, MARGIN + panel.top + (y - 0.5) * SCALE
end

local function draw_panel(panel)
  local left, top, right, bottom = panel.grid:bounds()
  for y = top, bottom do
    for x = left, right do
      local px, py = at(panel, x - 0.5, y - 0.5)
      local is_shut = not panel.grid:is_walkable(x, y)
      love.graphics.setColor(is_shut and WALL or GROUND)
      love.graphics.rectangle("fill", px, py, SCALE, SCALE)
      love.graphics.setColor(is_shut and WALL or LINE)
      love.graphics.rectangle("line", px, py, SCALE, SCALE)
    end
  end
end

local function draw_trail(panel, trail, color)
  love.graphics.setColor(color)
  love.graphics.setLineWidth(3)
  local points = {}
  for i = 1, #trail, 2 do points[i], points[i + 1] = at(panel, trail[i], trail[i + 1]) end
  if #points > 2 then love.graphics.line(points) end
  love.graphics.setLineWidth(1)
end

-- An arrow head, as a unit is often drawn.
local function draw_unit(panel, x, y, angle, color, size)
  local px, py = at(panel, x, y)
  love.graphics.push()
  love.graphics.translate(px, py)
  love.graphics.rotate(angle or 0)
  love.graphics.scale(size or 1)
  love.graphics.setColor(color)
  love.graphics.polygon("fill", 13, 0, -10, -9, -5, 0, -10, 9)
  love.graphics.pop()
end

local draw_scene = function() end
function love.update() end
function love.draw()
  love.graphics.clear(1, 1, 1)
  draw_scene()
end

local function show(width, height, draw)
  love.window.setMode(2 * MARGIN + width * SCALE, 2 * MARGIN + height * SCALE)
  draw_scene = draw
  player.wait(3)
end

local function panel_of(grid, left, top) return { grid = grid, left = left * SCALE, top = top * SCALE } end

-- ---- before and after: from middle to middle, and along the lines, round the corners ----

local function new_pair()
  local pair = {}
  for i, options in ipairs { { straight = false, corner = 0 }, { straight = true } } do
    local panel = panel_of(astar.grid(map), 0, (i - 1) * 6.5)
    options.speed = 4
    panel.walker = astar.walker(panel.grid:finder():find_path(1, 6, 12, 1), options)
    panel.trail, panel.color = {}, i == 1 and RED or BLUE
    pair[i] = panel
  end
  return pair
end

local function draw_pair(pair)
  for _, panel in ipairs(pair) do
    draw_panel(panel)
    draw_trail(panel, panel.trail, panel.color)
    draw_unit(panel, panel.walker.x, panel.walker.y, panel.walker.angle or 0, panel.color)
  end
end

-- Lets all walk for a while, and notes where they went.
local function walk(panels, seconds)
  for _ = 1, 60 * seconds do
    for _, panel in ipairs(panels) do
      local x, y = panel.walker:update(1 / 60)
      local n = #panel.trail
      panel.trail[n + 1], panel.trail[n + 2] = x, y
    end
  end
end

local pair = new_pair()
show(12, 12.5, function() draw_pair(pair) end)
repeat
  walk(pair, 0.1)
  player.frame()
until pair[1].walker.arrived and pair[2].walker.arrived
for _ = 1, 8 do player.frame() end
player.save "walkers_before_and_after.png"
player.save_frames()

-- ---- one at a time ----

-- A walker, drawn each so many seconds.
local function show_stamps(name, width, height, grid, options, ends, each)
  local panel = panel_of(grid, 0, 0)
  local walker, stamps = astar.walker(grid:finder():find_path(unpack(ends)), options), {}
  local trail, steps = { walker.x, walker.y }, 0
  repeat
    if steps % each == 0 then stamps[#stamps + 1] = { walker.x, walker.y, walker.angle or 0 } end
    local x, y, arrived = walker:update(1 / 60)
    steps = steps + 1
    local n = #trail
    trail[n + 1], trail[n + 2] = x, y
  until arrived or steps > 2000
  show(width, height, function()
    draw_panel(panel)
    draw_trail(panel, trail, { 0.7, 0.8, 0.9 })
    for _, stamp in ipairs(stamps) do draw_unit(panel, stamp[1], stamp[2], stamp[3], BLUE, 0.8) end
    draw_unit(panel, walker.x, walker.y, walker.angle, BLUE, 0.8)
  end)
  player.save(name)
end

local bend = "........\n......#.\n.####.#.\n.####...\n........"
show_stamps("walkers_corner.png", 8, 5, astar.grid(bend), { speed = 2 }, { 1, 5, 8, 1 }, 18)
show_stamps("walkers_acceleration.png", 12, 1, astar.grid(12, 1), { speed = 5, acceleration = 2.5 }, { 1, 1, 12, 1 }, 15)
show_stamps("walkers_turn.png", 8, 5, astar.grid(bend), { speed = 2, turn = 1 }, { 1, 5, 8, 1 }, 18)

-- A door that shuts: one waits before it, another had a way round and was repaired.
local grid = astar.grid "........\n.######.\n........"
local shut = { panel_of(grid, 0, 0), panel_of(grid, 0, 0) }
for i, panel in ipairs(shut) do
  panel.walker, panel.trail = astar.walker(grid:find_path(1, 1, 8, 1), { speed = 4 }), { 1, 1 }
  if i == 2 then panel.walker:update(0) end
end
walk(shut, 0.5)
grid:block(6, 1)
shut[2].walker:repair()
walk(shut, 6)
show(8, 3, function()
  draw_panel(shut[1])
  draw_trail(shut[1], shut[2].trail, GREEN)
  draw_trail(shut[1], shut[1].trail, BLUE)
  draw_unit(shut[1], shut[1].walker.x, shut[1].walker.y, shut[1].walker.angle, BLUE)
  draw_unit(shut[1], shut[2].walker.x, shut[2].walker.y, shut[2].walker.angle, GREEN)
end)
player.save "walkers_shut.png"

-- A hunter after its prey.
local field = astar.grid(16, 9)
for y = 1, 7 do field:block(8, y) end
local hunt = { panel_of(field, 0, 0), panel_of(field, 0, 0) }
hunt[1].walker, hunt[1].trail = astar.walker(field:find_path(14, 1, 10, 9), { speed = 1.6 }), { 14, 1 }
hunt[2].walker, hunt[2].trail = astar.walker(field:find_path(2, 2, 14, 1), { speed = 3.2 }), { 2, 2 }
repeat
  walk(hunt, 1 / 60)
  hunt[2].walker:retarget(hunt[1].walker:cell())
until hunt[2].walker.arrived
show(16, 9, function()
  draw_panel(hunt[1])
  draw_trail(hunt[1], hunt[1].trail, GREEN)
  draw_trail(hunt[1], hunt[2].trail, RED)
  draw_unit(hunt[1], hunt[1].walker.x, hunt[1].walker.y, hunt[1].walker.angle, GREEN)
  draw_unit(hunt[1], hunt[2].walker.x, hunt[2].walker.y, hunt[2].walker.angle, RED)
end)
player.save "walkers_hunt.png"

-- ---- several places, and one that moves ----

local function trail_of(path)
  local trail = {}
  for x, y in path:cells() do trail[#trail + 1], trail[#trail + 2] = x, y end
  return trail
end

-- A round of errands, numbered in its order.
local town = astar.grid [[
................
.###.####.####..
.###.####.####..
................
.####.###.#####.
................
]]
local errands = { { 13, 1 }, { 2, 6 }, { 15, 4 }, { 9, 1 }, { 10, 6 }, { 5, 1 } }
local courier, depot = town:finder(), { 1, 4 }
local order = courier:tour(errands, { from = depot, back = true })
show(16, 6, function()
  local panel, from = panel_of(town, 0, 0), depot
  draw_panel(panel)
  for i = 1, #order + 1 do
    local to = errands[order[i]] or depot
    draw_trail(panel, trail_of(courier:find_path(from[1], from[2], to[1], to[2])), BLUE)
    from = to
  end
  for i = 0, #order do
    local place = errands[order[i]] or depot
    local px, py = at(panel, place[1], place[2])
    love.graphics.setColor(i == 0 and GREEN or RED)
    love.graphics.circle("fill", px, py, 13)
    love.graphics.setColor(1, 1, 1)
    love.graphics.printf(i == 0 and "" or i, px - 20, py - 8, 40, "center")
  end
end)
player.save "walkers_tour.png"

-- What it costs from each place to each: the best ways, and the rows beside them.
local manor = astar.grid [[
..........
.####.###.
.#......#.
.########.
..........
]]
local steward, rooms = manor:finder(), { { 1, 1 }, { 10, 5 }, { 4, 3 } }
local rows = steward:matrix(rooms)
local function draw_disc(panel, x, y, text)
  local px, py = at(panel, x, y)
  love.graphics.setColor(RED)
  love.graphics.circle("fill", px, py, 13)
  love.graphics.setColor(1, 1, 1)
  love.graphics.printf(text, px - 20, py - 8, 40, "center")
end
show(16, 5, function()
  local panel, ways = panel_of(manor, 0, 0), { { 1, 2, BLUE }, { 1, 3, GREEN }, { 2, 3, RED } }
  draw_panel(panel)
  for shift, way in ipairs(ways) do
    local from, to = rooms[way[1]], rooms[way[2]]
    local trail = trail_of(steward:find_path(from[1], from[2], to[1], to[2]))
    for i = 1, #trail do trail[i] = trail[i] + 0.12 * (shift - 2) end
    draw_trail(panel, trail, way[3])
  end
  local beside = panel_of(manor, 10.7, 0.5)
  for i, room in ipairs(rooms) do
    draw_disc(panel, room[1], room[2], i)
    draw_disc(beside, 1, i + 1, i)
    draw_disc(beside, 1 + 1.2 * i, 1, i)
    for j = 1, #rooms do
      love.graphics.setColor(0.2, 0.2, 0.2)
      local px, py = at(beside, 1 + 1.2 * j, i + 1)
      love.graphics.printf(("%.1f"):format(rows[i][j]), px - 24, py - 8, 48, "center")
    end
  end
end)
player.save "walkers_matrix.png"

-- A world that goes round: the way over the seam, each cell shaded by how far it is from the goal.
local planet = astar.grid([[
....#.......
....#....##.
....#.......
.#..#.......
....#...#...
]], { wrap = "x" })
local homeward, around = planet:finder():flow(2, 3), planet:find_path(7, 3, 2, 3)
show(12, 5, function()
  local panel = panel_of(planet, 0, 0)
  draw_panel(panel)
  for y = 1, 5 do
    for x = 1, 12 do
      local distance = homeward:distance(x, y)
      if distance then
        local px, py = at(panel, x - 0.5, y - 0.5)
        love.graphics.setColor(0.95 - 0.035 * distance, 0.97 - 0.02 * distance, 0.9)
        love.graphics.rectangle("fill", px, py, SCALE - 1, SCALE - 1)
      end
    end
  end
  local trail, to = {}, nil
  for i, cell in ipairs(around:totable()) do
    if i > 1 and math.abs(cell.x - trail[#trail - 1]) > 1 then
      local before = trail[#trail]
      trail[#trail + 1], trail[#trail + 2] = 12.5, (before + cell.y) / 2
      draw_trail(panel, trail, BLUE)
      trail = { 0.5, (before + cell.y) / 2 }
    end
    trail[#trail + 1], trail[#trail + 2], to = cell.x, cell.y, cell
  end
  draw_trail(panel, trail, BLUE)
  draw_unit(panel, 7, 3, 0, BLUE)
  draw_unit(panel, 12.3, 3, 0, BLUE, 0.6)
  draw_disc(panel, to.x, to.y, "")
end)
player.save "walkers_wrap.png"

-- A queue that repairs many a little each frame: a way that is shut is red, one that has been repaired is blue.
local pass = astar.grid(13, 5)
pass:block(9, 1)
pass:block(9, 3, 1, 2)
local band, repairs, moments = {}, astar.queue(), {}
for i = 1, 8 do
  local x, y = 1 + (i - 1) % 2 * 3, 1 + math.floor((i - 1) / 2)
  band[i] = astar.walker(pass:find_path(x, y, 13, y), { speed = 3 })
end
local function note_moment()
  local moment = {}
  for i, one in ipairs(band) do
    local trail = trail_of(one.path)
    for _ = 1, 2 * one.index do table.remove(trail, 1) end
    table.insert(trail, 1, one.y)
    table.insert(trail, 1, one.x)
    for k = 1, #trail do trail[k] = trail[k] + 0.05 * (i - 4.5) end
    moment[i] = { trail = trail, angle = one.angle or 0, color = one.path:is_valid() and BLUE or RED }
  end
  moments[#moments + 1] = moment
end
for _, one in ipairs(band) do one:update(0.4) end
pass:block(9, 2)
for _, one in ipairs(band) do repairs:repair(one) end
note_moment()
repeat
  local waiting = repairs:update { expansions = 20 }
  for _, one in ipairs(band) do one:update(1 / 10) end
  if #moments == 1 and waiting <= 4 or waiting == 0 then note_moment() end
until waiting == 0
show(13, 16, function()
  for row, moment in ipairs(moments) do
    local panel = panel_of(pass, 0, (row - 1) * 5.5)
    draw_panel(panel)
    for _, one in ipairs(moment) do draw_trail(panel, one.trail, one.color) end
    for _, one in ipairs(moment) do draw_unit(panel, one.trail[1], one.trail[2], one.angle, one.color) end
  end
end)
player.save "walkers_repair.png"

-- A guard who cuts a thief off, each half a second.
local street = astar.grid(20, 12)
local flight = street:find_path(1, 1, 20, 1)
local cut, meets_at = street:finder():intercept(10, 8, flight, { speed = 2, its_speed = 1.5 })
local thief, guard = astar.walker(flight, { speed = 1.5 }), astar.walker(cut, { speed = 2 })
local stamps = {}
for _ = 0, meets_at, 0.5 do
  stamps[#stamps + 1] = { thief.x, thief.y, thief.angle or 0, guard.x, guard.y, guard.angle or 0 }
  thief:update(0.5)
  guard:update(0.5)
end
show(14, 8, function()
  local panel = panel_of(astar.grid(14, 8), 0, 0)
  draw_panel(panel)
  draw_trail(panel, { 1, 1, 14, 1 }, { 0.9, 0.8, 0.75 })
  draw_trail(panel, trail_of(cut), { 0.7, 0.8, 0.9 })
  for _, stamp in ipairs(stamps) do
    draw_unit(panel, stamp[1], stamp[2], stamp[3], RED, 0.8)
    draw_unit(panel, stamp[4], stamp[5], stamp[6], BLUE, 0.8)
  end
end)
player.save "walkers_intercept.png"

-- A crowd's units through a gap: where they are, and drawn where they were on average in the last half of a beat.
local yard = astar.grid(10, 7)
yard:block(6, 1, 1, 3)
yard:block(6, 5, 1, 3)
local crowd, units = astar.crowd(yard:finder { diagonals = "never" }, { speed = 4 }), {}
for i = 1, 5 do
  units[i] = { unit = crowd:add(1, i + 1), recent = {}, sharp = {}, round = {} }
  units[i].unit:go(10, i + 1)
end
for _ = 1, 60 * 6 do
  crowd:update(1 / 60)
  for _, one in ipairs(units) do
    local recent, x, y = one.recent, 0, 0
    recent[#recent + 1] = { one.unit.x, one.unit.y }
    if #recent > 8 then table.remove(recent, 1) end
    for _, place in ipairs(recent) do x, y = x + place[1] / #recent, y + place[2] / #recent end
    local n = #one.round
    one.round[n + 1], one.round[n + 2] = x, y
    one.sharp[n + 1], one.sharp[n + 2] = one.unit.x, one.unit.y
  end
end
show(10, 14.5, function()
  for i, name in ipairs { "sharp", "round" } do
    local panel = panel_of(yard, 0, (i - 1) * 7.5)
    draw_panel(panel)
    for _, one in ipairs(units) do draw_trail(panel, one[name], i == 1 and RED or BLUE) end
  end
end)
player.save "walkers_crowd.png"

-- ---- routes in time: places by hour, one line a unit ----

local track = astar.grid ".......\n###.###"
local schedule, finder = astar.schedule(track), track:finder()
local ways = { finder:find_path(1, 1, 7, 1, { schedule = { schedule, stay = false } }) }
schedule:reserve(ways[1])
ways[2] = finder:find_path(5, 1, 1, 1, { schedule = { schedule, stay = false } })
show(7, 12.5, function()
  for row, time in ipairs { 0, 1.5, 3, 4.5, 6 } do
    local panel = panel_of(track, 0, (row - 1) * 2.5)
    draw_panel(panel)
    for i, way in ipairs(ways) do
      local x, y = way:place(time)
      local ahead, ahead_y = way:place(time + 0.1)
      local color = i == 1 and RED or BLUE
      if x then draw_unit(panel, x, y, math.atan2((ahead_y or y) - y, (ahead or x + (i == 1 and 1 or -1)) - x), color) end
    end
    love.graphics.setColor(1, 1, 1)
    love.graphics.print(("%.1f s"):format(time), at(panel, 0.8, 2 - 0.3))
  end
end)
player.save "walkers_schedule.png"
