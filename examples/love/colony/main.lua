-- Colony: dig, build, errands in the best order; guards who see; raiders who break in where that is cheapest.
--
-- Left button, also dragged: mark what is to be done. Right button: never mind. 1: dig. 2: wall. 3: door. 4: tear
-- down. Space: raiders come. V: all of the map, or what has been seen. Escape: leave.

local art = require "art"
local astar = require "astar"
local look = require "look"

-- ---- the map ----

local grid = astar.grid([[
###################.....................
####o##########o#####...................
#########o############..................
########################................
####o######o###########....~~...........
##############..............~~~.........
#######o######..............~~~~........
#############.................~~~.......
####o########...ss..............~~......
#############...ss...............~......
#############...........................
########o######.........................
###o##########..........................
##############...........~~.............
####################.....~~.............
###########o########....................
#####o###############...................
##################......................
]], { terrain = { ["."] = 1, s = 1, ["~"] = 4, ["#"] = false, o = false } })

-- The hut around the store: walls and doors are blocks in layers, and the ground stays what it is.
grid:block(14, 7, 9, 1, "walls")
grid:block(14, 12, 9, 1, "walls")
grid:block(22, 8, 1, 4, "walls")
grid:unblock(22, 10, "walls")
grid:block(22, 10, "doors")

local STORE, LAIR = { 17, 10 }, { 40, 10 }

-- Who moves how over the same map. What stops eyes is another matter: water does not, a shut door does.
local feet = grid:finder { ignore = { "doors" } }
local eyes = grid:finder { costs = { ["~"] = 1 } }
local raiding = grid:finder { breach = { walls = 14, doors = 6 } }

local game = { grid = grid, people = {}, raiders = {}, marks = {}, piles = {}, shots = {}, stock = 12, stolen = 0 }
local seen, explored = astar.field(grid), astar.field(grid)

for i, at in ipairs { { 16, 8 }, { 18, 8 }, { 19, 11 }, { 23, 9 }, { 24, 11 } } do
  local walker = astar.walker(feet:find_path(at[1], at[2], at[1], at[2]), { speed = i > 3 and 3 or 2.5 })
  local sees = astar.field(grid)
  game.people[i] = { is_guard = i > 3, x = at[1], y = at[2], post = at, pause = 0, walker = walker, sees = sees }
end

local function remove_if(list, is_over)
  for i = #list, 1, -1 do
    if is_over(list[i]) then table.remove(list, i) end
  end
end

local function is_anybody_at(x, y)
  for _, list in ipairs { game.people, game.raiders } do
    for _, one in ipairs(list) do
      if math.abs(one.walker.x - x) < 1 and math.abs(one.walker.y - y) < 1 then return true end
    end
  end
  return false
end

-- ---- marks: what is to be done ----

local TOOLS = {
  { name = "dig", seconds = 1.5 }, { name = "wall", seconds = 1, layer = "walls" },
  { name = "door", seconds = 1, layer = "doors" }, { name = "tear down", seconds = 0.5 },
}
game.tool = TOOLS[1]

local ROCK = { ["#"] = true, o = true }
local function is_rock(x, y) return ROCK[grid:get(x, y)] end

local function mark_at(x, y)
  for _, one in ipairs(game.marks) do
    if one.x == x and one.y == y then return one end
  end
end

local function mark(x, y)
  local tool, is_there = game.tool, #grid:block_layers(x, y) > 0
  local is_possible = tool.name == "dig" and is_rock(x, y) or tool.name == "tear down" and is_there
    or tool.layer and not is_there and grid:get(x, y) == "."
  if is_possible and not mark_at(x, y) then
    table.insert(game.marks, { x = x, y = y, tool = tool, left = tool.seconds })
  end
end

local function finish(done)
  remove_if(game.marks, function(one) return one == done end)
  if done.tool.name == "dig" then
    if grid:get(done.x, done.y) == "o" then table.insert(game.piles, { x = done.x, y = done.y }) end
    grid:set(done.x, done.y, ".")
  elseif done.tool.layer then
    grid:block(done.x, done.y, done.tool.layer)
    game.stock = game.stock - 1
  else
    grid:unblock(done.x, done.y, grid:block_layers(done.x, done.y)[1])
  end
end

-- ---- colonists: the nearest mark, or a round of errands ----

local function go(person, x, y, range)
  local path = feet:find_path(person.x, person.y, x, y, { range = range })
  if path then person.walker:follow(path) end
  return path
end

local function drop(person)
  if person.mark then person.mark.by = nil end
  for _, pile in ipairs(person.errands or {}) do pile.by = nil end
  person.mark, person.errands = nil, nil
end

-- The nearest place beside a mark that nobody has taken; what is asked about is a list of places to stand.
local function take_mark(person)
  local places = {}
  for _, one in ipairs(game.marks) do
    if not one.by and not (one.tool.layer and game.stock < 1) then
      for _, side in ipairs { "north", "east", "south", "west" } do
        local x, y = grid:neighbour(one.x, one.y, side)
        if x then table.insert(places, { x = x, y = y, mark = one }) end
      end
    end
  end
  local path, index = feet:find_nearest(person.x, person.y, places)
  if not path then return end
  person.walker:follow(path)
  person.mark = places[index].mark
  person.mark.by = person
end

-- Up to six piles of ore, in the best order, and back to the store.
local function take_errands(person)
  local piles = {}
  for _, pile in ipairs(game.piles) do
    if not pile.by and #piles < 6 and feet:reachable(person.x, person.y, pile.x, pile.y) then
      table.insert(piles, pile)
    end
  end
  local order = #piles > 0 and feet:tour(piles, { from = { person.x, person.y }, back = STORE })
  if not order then return end
  person.errands, person.carries = {}, 0
  for i, index in ipairs(order) do
    person.errands[i] = piles[index]
    piles[index].by = person
  end
  table.insert(person.errands, { x = STORE[1], y = STORE[2], is_store = true })
end

-- What there is at the first place of the round, and on to the next.
local function run_errands(person)
  local place = person.errands[1]
  if person.x ~= place.x or person.y ~= place.y then
    if not go(person, place.x, place.y) then drop(person) end
    return
  end
  table.remove(person.errands, 1)
  if place.is_store then
    game.stock, person.errands, person.carries = game.stock + person.carries, nil, nil
    return
  end
  person.carries = person.carries + 2
  remove_if(game.piles, function(pile) return pile == place end)
end

local function work(person, dt)
  local mine = person.mark
  if mine then
    mine.left = mine.left - dt
    if not mark_at(mine.x, mine.y) then
      drop(person) -- never mind
    elseif mine.left <= 0 and not (mine.tool.layer and (game.stock < 1 or is_anybody_at(mine.x, mine.y))) then
      finish(mine)
      person.mark = nil
    end
  elseif person.errands then
    run_errands(person)
  else
    take_mark(person)
    if not person.mark then take_errands(person) end
  end
end

-- ---- eyes ----

local function update_sight()
  seen:fill(0)
  for _, person in ipairs(game.people) do
    eyes:fov(person.x, person.y, 9, { into = person.sees })
    seen:max(person.sees) -- what any of them sees
  end
  explored:max(seen)
end

-- Of those who are in sight by a field the nearest to go to.
local function nearest_raider(person, field)
  local found = {}
  for _, raider in ipairs(game.raiders) do
    found[#found + 1] = field:get(raider.x, raider.y) > 0 and raider or nil
  end
  local _, index = feet:find_nearest(person.x, person.y, found)
  return found[index] or found[1]
end

-- Colonists who see a raider run from all raiders.
local function flee(person)
  drop(person)
  if not person.walker.arrived then return end
  local away = feet:flow(game.raiders):flee()
  local x, y = away:next(person.x, person.y)
  if x then go(person, x, y) end
end

local function guard(person, dt)
  person.pause = person.pause - dt
  local target = nearest_raider(person, person.sees)
  if target and person.pause <= 0 then
    target.life, person.pause = target.life - 1, 0.6
    table.insert(game.shots, { from = person.walker, to = target.walker, left = 0.1 })
  end
  target = target or nearest_raider(person, seen) -- whom another sees
  local x, y = target and target.x or person.post[1], target and target.y or person.post[2]
  if person.walker.arrived and (x ~= person.x or y ~= person.y) then
    go(person, x, y, target and 3 or 0)
  end
end

local function update_person(person, dt)
  local walker = person.walker
  walker:update(dt)
  if walker.blocked and not walker:repair() then drop(person) end
  person.x, person.y = walker:cell()
  if person.is_guard then
    guard(person, dt)
  elseif nearest_raider(person, person.sees) then
    flee(person)
  elseif walker.arrived then
    work(person, dt)
  end
end

-- ---- raiders ----

local function raid()
  for i = 0, 3 do
    local x, y = LAIR[1], LAIR[2] - 3 + 2 * i
    local walker = astar.walker(raiding:find_path(x, y, STORE[1], STORE[2]), { speed = 1.8 })
    table.insert(game.raiders, { x = x, y = y, walker = walker, life = 6, strength = 0 })
  end
end

-- Blocks that a raider breaks do not stop its walker: it asks what stands on the cell before it.
local function block_ahead(raider)
  local path, index = raider.walker.path, raider.walker.index
  if index >= #path then return end
  local x, y = path:cell(index + 1)
  return grid:block_layers(x, y)[1], x, y
end

local function update_raider(raider, dt)
  local layer, x, y = block_ahead(raider)
  if layer then
    raider.strength = raider.strength + dt
    if raider.strength < (layer == "walls" and 3 or 1.5) then return end
    raider.strength = 0
    grid:unblock(x, y, layer)
  end
  local _, _, arrived = raider.walker:update(dt)
  raider.x, raider.y = raider.walker:cell()
  if not arrived and raider.version == grid:version() then return end
  raider.version = grid:version() -- something was built or broken: perhaps there is a better way
  if arrived and not raider.loot then
    raider.loot = math.min(3, game.stock)
    game.stock = game.stock - raider.loot
  elseif arrived then
    game.stolen, raider.life = game.stolen + raider.loot, 0
  end
  local goal = raider.loot and LAIR or STORE
  raider.walker:follow(raiding:find_path(raider.x, raider.y, goal[1], goal[2]))
end

function love.update(dt)
  for _, person in ipairs(game.people) do update_person(person, dt) end
  for _, raider in ipairs(game.raiders) do update_raider(raider, dt) end
  remove_if(game.raiders, function(raider) return raider.life <= 0 end)
  remove_if(game.shots, function(shot)
    shot.left = shot.left - dt
    return shot.left <= 0
  end)
  update_sight()
end

-- ---- mouse and keys ----

local view = astar.love.view(grid)
game.view = view
local TILES = { ["."] = "grass", s = "floor", ["~"] = "swamp", ["#"] = "rock", o = "rock" }
local ground = art.ground(grid, function(x, y)
  local key = grid:get(x, y)
  return TILES[key], key == "o" and "ore", grid:is_blocked(x, y, "walls") and "wall",
    grid:is_blocked(x, y, "doors") and "door"
end)

function love.mousepressed(px, py, button)
  local x, y = view:to_cell(px, py)
  if x and button == 1 then
    mark(x, y)
  elseif x then
    remove_if(game.marks, function(one) return one.x == x and one.y == y end)
  end
end

function love.mousemoved(px, py)
  if love.mouse.isDown(1, 2) then love.mousepressed(px, py, love.mouse.isDown(1) and 1 or 2) end
end

function love.keypressed(key)
  if key == "escape" then
    love.event.quit()
  elseif key == "space" then
    raid()
  elseif key == "v" then
    game.sees_all = not game.sees_all
  elseif TOOLS[tonumber(key)] then
    game.tool = TOOLS[tonumber(key)]
  end
  look.key(key)
end

-- ---- what one sees ----

local COLORS = look.COLORS
local COLONIST = { 0.80, 0.55, 0.15 } -- the coat of those who dig
local MARK, BROKEN = { 1, 1, 1, 0.5 }, { 0.85, 0.25, 0.22, 0.6 }
local DARK, DIM = { 0.1, 0.1, 0.12 }, { 0.05, 0.07, 0.15, 0.5 }
local legend = look.legend({
  { COLONIST, "colonist" }, { COLORS.guard, "guard" }, { COLORS.raider, "raider, and what it breaks" },
  { COLORS.wall, "wall" }, { COLORS.door, "door" }, { COLORS.rock, "rock" }, { COLORS.ore, "ore" },
  { { 1, 1, 1 }, "to do" }, { { 0.1, 0.1, 0.12 }, "not seen yet" },
}, {
  { "left button", "mark" }, { "right button", "never mind" }, { "1", "dig" }, { "2", "wall" }, { "3", "door" },
  { "4", "tear down" }, { "Space", "raiders come" }, { "V", "see all" }, { "Escape", "leave" },
})

function love.resize()
  legend:fit(view, 6)
end

function love.load()
  love.resize()
  update_sight()
end

local function draw_shade(x, y)
  if not game.sees_all and seen:get(x, y) == 0 then
    view:draw_cell(x, y, explored:get(x, y) == 0 and DARK or DIM)
  end
end

-- Somebody who looks where it goes, and forward at rest.
local function draw_person(one, kind, coat)
  local walker = one.walker
  local heading = not walker.arrived and walker.heading or nil
  art.draw_person(view, walker.x, walker.y, kind, 2 * (walker.x + walker.y), heading, coat)
end

local function draw_raider(raider)
  for _, block in ipairs(raider.walker.path:breaches()) do
    view:draw_cell(block.x, block.y, BROKEN, 0.1)
  end
  draw_person(raider, "raider")
end

function love.draw()
  look.clear()
  ground:draw(view)
  look.relief(view, grid, function(x, y) return is_rock(x, y) or grid:is_blocked(x, y, "walls") end)
  for _, pile in ipairs(game.piles) do art.tile(view, pile.x, pile.y, "ore") end
  local width, height = grid:size()
  for y = 1, height do
    for x = 1, width do draw_shade(x, y) end
  end
  for _, one in ipairs(game.marks) do view:draw_cell(one.x, one.y, MARK, 0.15) end
  for _, person in ipairs(game.people) do
    draw_person(person, person.is_guard and "guard" or "villager", not person.is_guard and COLONIST or nil)
  end
  for _, raider in ipairs(game.raiders) do
    if game.sees_all or seen:get(raider.x, raider.y) > 0 then draw_raider(raider) end
  end
  love.graphics.setColor(1, 1, 0.8)
  for _, shot in ipairs(game.shots) do
    local px, py = view:to_pixel(shot.from.x, shot.from.y)
    love.graphics.line(px, py, view:to_pixel(shot.to.x, shot.to.y))
  end
  legend:draw(("Tool: %s   Ore %d   Stolen %d   Raiders %d   To do %d"):format(game.tool.name, game.stock, game.stolen,
    #game.raiders, #game.marks))
end

return game
