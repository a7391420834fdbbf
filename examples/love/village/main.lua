-- A village made with Tiled (map.tmx): villagers, carts, ducks and shy cats, each with its own costs, and nobody bumps.
--
-- Left button: walk there. Right button: open or close a door. Tab: see with the next one's eyes. F: see all.
-- W: walk by the way-points drawn on the map, straight to the first one in sight and from the last one on.
-- Escape: leave.

local art = require "art"
local astar = require "astar"
local look = require "look"
local map = require "map"
local people = require "people"

local SCALE, SIGHT = 2, 9 -- of the tiles' pixels, at first; cells one can see

local COLORS = look.COLORS
local legend = look.legend({
  { COLORS.player, "you" }, { COLORS.route, "your way" }, { COLORS.villager, "villager" }, { COLORS.door, "door" },
  { { 0.26, 0.36, 0.25 }, "out of sight" },
}, {
  { "left button", "walk there" }, { "right button", "doors" }, { "Tab", "see with the next one's eyes" },
  { "F", "see all" }, { "W", "way-points" }, { "Escape", "leave" },
})

local grid = astar.tiled.grid(map, { "ground", "over", "standing", blocks = { "doors" } })
local view = astar.love.view(grid, { scale = map.tilewidth * SCALE })

local ways = astar.tiled.graph(map, { "ways" })

local game = { grid = grid, view = view, doors = {}, people = {}, sees_all = false, visible = {}, ways = ways }

-- The edges through a door: those that have its name.
local function edges_called(name)
  local list = {}
  for a in ways:nodes() do
    for b, _, label in ways:edges(a) do
      if label == name then
        list[#list + 1] = { a, b }
      end
    end
  end
  return list
end

for _, door in ipairs(astar.tiled.objects(map, "doors")) do
  local edges = edges_called(door.object.name)
  for _, edge in ipairs(edges) do
    ways:block(edge[1], edge[2])
  end
  game.doors[#game.doors + 1] = { x = door.x, y = door.y, is_open = false, edges = edges }
end
local finders, fear = people.finders(grid)
local shyness = { field = fear }
game.finders, game.crowd = finders, people.new_crowd(grid)
for _, place in ipairs(astar.tiled.objects(map, "people")) do
  local kind = place.object.name
  local person = people.new(kind, place.x, place.y, game.crowd, finders[kind])
  game.people[#game.people + 1] = person
  if person.kind == "player" then
    game.player = person
  end
end
game.watched = game.player -- whose field of view is shown

game.joined = ways:join(finders.player)

-- Who looks is stopped by walls, trees and closed doors, not by water.
local sight = grid:finder { costs = { water = 1 }, diagonals = "if_at_most_one_obstacle" }

local function look_at(x, y)
  local eyes = game.watched
  local _, stop_x, stop_y = sight:raycast(eyes.cell_x, eyes.cell_y, x, y)
  game.visible[(stop_y or y) * 1000 + (stop_x or x)] = true -- what stops the eye is seen, too
end

-- All cells in sight of whom one watches.
local function look_around()
  local x0, y0, x1, y1 = grid:bounds()
  local eyes = game.watched
  game.visible = {}
  for y = math.max(y0, eyes.cell_y - SIGHT), math.min(y1, eyes.cell_y + SIGHT) do
    for x = math.max(x0, eyes.cell_x - SIGHT), math.min(x1, eyes.cell_x + SIGHT) do
      if (x - eyes.cell_x) ^ 2 + (y - eyes.cell_y) ^ 2 <= SIGHT * SIGHT then
        look_at(x, y)
      end
    end
  end
  game.looked_from, game.looked_at = eyes.cell_y * 1000 + eyes.cell_x, grid:version()
end

local function is_anyone_at(x, y)
  for _, person in ipairs(game.people) do
    if math.abs(person.x - x) < 1 and math.abs(person.y - y) < 1 then
      return true
    end
  end
  return false
end

local function toggle(door)
  if door.is_open and is_anyone_at(door.x, door.y) then
    return
  end
  door.is_open = not door.is_open
  if door.is_open then
    grid:unblock(door.x, door.y)
  else
    grid:block(door.x, door.y)
  end
  for _, edge in ipairs(door.edges) do
    if door.is_open then
      ways:unblock(edge[1], edge[2])
    else
      ways:block(edge[1], edge[2])
    end
  end
end

local function door_at(x, y)
  for _, door in ipairs(game.doors) do
    if door.x == x and door.y == y then
      return door
    end
  end
end

function love.load()
  game.ground = art.map(grid, map)
  for i, door in ipairs(game.doors) do
    if i ~= 2 then
      toggle(door)
    end
  end
  look_around()
end

local random = love.math.newRandomGenerator(7)

function love.update(dt)
  people.frighten(shyness, game.player)
  for _, person in ipairs(game.people) do
    if person ~= game.player then people.wander(person, grid, random, dt) end
  end
  game.crowd:update(dt)
  for _, person in ipairs(game.people) do people.walk(person, grid:version(), dt) end
  local eyes = game.watched
  if game.looked_from ~= eyes.cell_y * 1000 + eyes.cell_x or game.looked_at ~= grid:version() then
    look_around()
  end
end

function love.mousepressed(px, py, button)
  local x, y = view:to_cell(px, py)
  if not x then
    return
  end
  local door = door_at(x, y)
  if button == 2 and door then
    toggle(door)
  elseif button == 1 then
    local path, reason
    if game.by_ways then
      path, reason = people.send_by_ways(game.player, game.joined, x, y)
    else
      path, reason = people.send(game.player, x, y)
    end
    game.message = not path and reason or nil
  end
end

local function watch_next()
  for i, person in ipairs(game.people) do
    if person == game.watched then
      game.watched = game.people[i % #game.people + 1]
      break
    end
  end
  look_around()
end

function love.keypressed(key)
  if key == "tab" then
    watch_next()
  elseif key == "f" then
    game.sees_all = not game.sees_all
  elseif key == "w" then
    game.by_ways = not game.by_ways
  elseif key == "escape" then
    love.event.quit()
  end
  look.key(key)
end

function love.resize() legend:fit(view, 0) end
love.resize()

local function is_visible(x, y)
  return game.sees_all or game.visible[math.floor(y + 0.5) * 1000 + math.floor(x + 0.5)]
end

-- The names of way-points; those of corners are numbers, and of no use to who plays.
local function draw_names()
  for name, x, y in ways:nodes() do
    if not name:find "/" then
      local px, py = view:to_pixel(x, y)
      local width = look.font(13):getWidth(name) + 6
      px = math.min(px + 8, love.graphics.getWidth() - width)
      love.graphics.setColor(0, 0, 0, 0.6)
      love.graphics.rectangle("fill", px, py - 24, width, 16)
      love.graphics.setColor(1, 1, 1)
      look.write(name, px + 3, py - 24)
    end
  end
end

local function draw_shade()
  local x0, y0, x1, y1 = grid:bounds()
  for y = y0, y1 do
    for x = x0, x1 do
      if not is_visible(x, y) then
        view:draw_cell(x, y, { 0.05, 0.07, 0.15, 0.5 })
      end
    end
  end
end

-- Those farther south are drawn last, before those behind them.
local function draw_people()
  local list = {}
  for i, person in ipairs(game.people) do list[i] = person end
  table.sort(list, function(a, b) return a.y < b.y or a.y == b.y and a.x < b.x end)
  for _, person in ipairs(list) do
    if is_visible(person.x, person.y) then
      art.draw_person(view, person.x, person.y, person.kind, person.phase, person.faces)
    end
  end
end

local function describe()
  local who, path = game.player, game.player.route or game.player.path
  local unit = who.route and "places" or "cells"
  local text = game.message == "unreachable" and "There is no way: is a door shut?" or game.message
    or who.is_going and who.is_waiting and "You wait: a door has shut your way."
    or who.is_going and ("Your way costs %.1f and has %d %s."):format(path.cost, #path, unit)
    or "Where do you go?"
  local eyes = game.sees_all and "All is shown." or game.watched == who and "You see what you can see."
    or ("You see what the %s sees."):format(game.watched.kind)
  return text .. "   " .. eyes
end

function love.draw()
  look.clear()
  game.ground:draw(view)
  for _, door in ipairs(game.doors) do art.tile(view, door.x, door.y, door.is_open and "open_door" or "door") end
  if game.by_ways then
    view:draw_graph(ways, game.player.is_going and game.player.route or nil)
  elseif game.player.is_going then
    look.route(view, game.player.path)
    look.goal(view, game.player.goal_x, game.player.goal_y)
  end
  draw_people()
  draw_shade()
  if game.by_ways then
    draw_names()
  end
  legend:draw(describe())
end

return game
