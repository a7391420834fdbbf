-- Pictures of the village: one with its words, one of its way-points, and an animation of all of it that repeats without
-- a jump.
local art, look, people = require "art", require "look", require "people"

player.wait(40)
player.click(game.view:to_pixel(28, 17))
player.wait(60)
player.save "village.png"
player.key "w"
player.key "f"
player.click(game.view:to_pixel(5, 17))
player.wait(50)
player.save "village_ways.png"
player.key "w"

-- ---- the animation: after so many frames everybody, or somebody who looks the same, is where it was ----

local RATE, FRAMES = 20, 272
local TEAL, PLUM, OCHRE = { 0.16, 0.52, 0.50 }, { 0.52, 0.28, 0.50 }, { 0.80, 0.55, 0.15 }

-- Who: kind, coat, when it sets out in seconds, the cell it is on, and the cells it goes to one after the other.
local CAST = {
  { "player", nil, 0, { 6, 16 }, { 26, 16 }, { 6, 16 } },
  { "cart", nil, 2, { 1, 11 }, { 32, 11 } }, { "cart", nil, 0.6, { 32, 11 }, { 1, 11 } },
  { "villager", nil, 1, { 5, 6 }, { 11, 13 }, { 17, 6 } }, { "villager", nil, 0.8, { 17, 6 }, { 18, 13 }, { 27, 17 } },
  { "villager", nil, 0.6, { 27, 17 }, { 9, 20 } }, { "villager", nil, 1.8, { 9, 20 }, { 12, 14 }, { 5, 6 } },
  { "villager", TEAL, 3.4, { 9, 1 }, { 3, 20 } }, { "villager", TEAL, 1.2, { 3, 20 }, { 9, 1 } },
  { "villager", OCHRE, 0, { 26, 1 }, { 13, 7 } }, { "villager", OCHRE, 0.8, { 13, 7 }, { 26, 1 } },
  { "villager", PLUM, 0.4, { 32, 13 }, { 1, 13 } }, { "villager", PLUM, 1, { 1, 13 }, { 32, 13 } },
  { "duck", nil, 3.4, { 22, 3 }, { 20, 14 }, { 21, 18 } }, { "duck", nil, 3.4, { 21, 18 }, { 23, 8 }, { 22, 3 } },
  { "cat", nil, 3, { 13, 13 }, { 17, 10 }, { 25, 8 } }, { "cat", nil, 0.6, { 25, 8 }, { 13, 13 } },
}

love.update = function() end
for _, door in ipairs(game.doors) do game.grid:unblock(door.x, door.y) end
local crowd, actors, finders = people.new_crowd(game.grid), {}, people.finders(game.grid)
for i, part in ipairs(CAST) do
  local one = people.new(part[1], part[4][1], part[4][2], crowd, finders[part[1]])
  one.coat, one.starts, one.stops, one.stop, one.moments = part[2], part[3], { unpack(part, 4) }, 1, {}
  actors[i] = one
end

local function direct(one, time)
  local x, y = one.unit:cell()
  local at, next_one = one.stops[one.stop], one.stops[one.stop + 1]
  local is_there = one.stop == 1 or x == at[1] and y == at[2] and one.unit.state == "arrived"
  if next_one and time >= one.starts - 1e-9 and is_there then
    one.stop = one.stop + 1
    assert(one.unit:go(next_one[1], next_one[2]))
  end
end

-- All moments are known before the first one is drawn, so that a way can be drawn as it will be walked.
for frame = 0, FRAMES do
  for _, one in ipairs(actors) do
    people.note_place(one, 1 / RATE)
    direct(one, frame / RATE)
    one.moments[frame] = { x = one.x, y = one.y, phase = one.phase, heading = one.faces, stop = one.stop }
  end
  crowd:update(1 / RATE)
end

-- The end is the beginning.
local function list_looks(frame)
  local list = {}
  for i, one in ipairs(actors) do
    local moment = one.moments[frame]
    list[i] = ("%s %s %g %g"):format(one.kind, tostring(one.coat), moment.x, moment.y)
  end
  table.sort(list)
  return table.concat(list, "\n")
end
assert(list_looks(0) == list_looks(FRAMES), list_looks(FRAMES))

-- No two pictures, as wide as a cell, overlap.
for frame = 0, FRAMES do
  for i, one in ipairs(actors) do
    for k = 1, i - 1 do
      local a, b = one.moments[frame], actors[k].moments[frame]
      assert(math.max(math.abs(a.x - b.x), math.abs(a.y - b.y)) > 1 - 1e-6, frame)
    end
  end
end

local frame, SIDE = 0, 32
love.window.updateMode(25 * SIDE, 17 * SIDE, { resizable = false, minwidth = 100, minheight = 100 })
local view = game.view
view.scale, view.x, view.y = SIDE, -3 * SIDE, -SIDE

local function is_anyone_near(door)
  for _, one in ipairs(actors) do
    local moment = one.moments[frame]
    if math.max(math.abs(moment.x - door.x), math.abs(moment.y - door.y)) < 1.5 then return true end
  end
  return false
end

-- A dot on each cell that somebody still enters on the way to its next stop.
local function draw_way(one)
  local now, points = one.moments[frame], {}
  local last_x, last_y = math.floor(now.x + 0.5), math.floor(now.y + 0.5)
  for later = frame, FRAMES do
    local moment = one.moments[later]
    if moment.stop ~= now.stop then break end
    local x, y = math.floor(moment.x + 0.5), math.floor(moment.y + 0.5)
    if x ~= last_x or y ~= last_y then
      points[#points + 1], points[#points + 2] = view:to_pixel(x, y)
      last_x, last_y = x, y
    end
  end
  local color = one.kind == "player" and { 1, 1, 1 } or one.coat or art.COLORS[one.kind]
  local size = one.kind == "player" and 8 or 4
  for i = 1, #points, 2 do
    love.graphics.setColor(color)
    love.graphics.rectangle("fill", points[i] - size / 2, points[i + 1] - size / 2, size, size)
  end
  if #points > 0 and one.kind == "player" then look.goal(view, last_x, last_y) end
end

function love.draw()
  game.ground:draw(view)
  for _, door in ipairs(game.doors) do
    art.tile(view, door.x, door.y, is_anyone_near(door) and "open_door" or "door")
  end
  for i = #actors, 1, -1 do draw_way(actors[i]) end
  local order = { unpack(actors) }
  table.sort(order, function(a, b)
    local p, q = a.moments[frame], b.moments[frame]
    return p.y < q.y or p.y == q.y and p.x < q.x
  end)
  for _, one in ipairs(order) do
    local moment = one.moments[frame]
    art.draw_person(view, moment.x, moment.y, one.kind, moment.phase, moment.heading, one.coat)
  end
end

for now = 0, FRAMES - 1 do
  frame = now
  player.frame()
end
player.save_frames()
