-- Tower defence: creeps go by one flow, and may you build here? You see where they would go then.
--
-- Left button: build what is under the mouse. Right button: sell a tower. 1, 2: which tower. Space: the next wave.
-- F: where all go. C: what towers cover. R: begin again. Escape: leave.

local art = require "art"
local astar = require "astar"
local look = require "look"

-- ---- the map ----

local grid = astar.grid([[
################################
#..............##..............#
#..............##..............#
#..##...........#......~~~.....#
e..##..................~~~~....#
e..............................#
#.........##............~~.....#
#.........##...................g
#...............##.............g
#...............##....##.......#
#..~~..................#.......#
#..~~~.........................#
e...~~....##...................#
e.........##..........##.......#
#...............~~....##.......#
#..............~~~.............#
################################
]], { terrain = { ["."] = 1, ["~"] = 3, ["#"] = false, e = 1, g = 1 } })

local ENTRANCES, GATE = { { 1, 5 }, { 1, 13 } }, { { 32, 8 }, { 32, 9 } }

-- All creeps are of one kind and share one flow. Towers are blocks, so the flow follows by itself what is built.
local finder = grid:finder()
local flow = finder:flow(GATE)
-- Towers see over each other and over water, not through rock.
local eyes = grid:finder { ignore = { "towers" } }

local KINDS = {
  { name = "arrows", size = 1, price = 20, radius = 5, pause = 0.5, harm = 2, color = { 0.86, 0.66, 0.36 } },
  { name = "cannon", size = 2, price = 70, radius = 7, pause = 1.2, harm = 14, color = { 0.62, 0.66, 0.76 } },
}

local game = { grid = grid, finder = finder, flow = flow }

-- ---- may I build here? ----

-- What a tower under the mouse would cover; at the edge of the map it lies inside.
local function rect_at(kind, x, y)
  local width, height = grid:size()
  return { math.min(x, width - kind.size + 1), math.min(y, height - kind.size + 1), kind.size, kind.size }
end

-- Where a tower's own sight is from: of a large one its north-west cell.
local function see(kind, x, y, into)
  return eyes:fov(x, y, kind.radius, { into = into })
end

local function is_free(rect)
  for y = rect[2], rect[2] + rect[4] - 1 do
    for x = rect[1], rect[1] + rect[3] - 1 do
      if grid:get(x, y) ~= "." or not grid:is_walkable(x, y) then return false end
    end
  end
  return true
end

-- Creeps stand on the cell they go to, and may still be on the one they come from.
local function is_creep_in(rect)
  for _, creep in ipairs(game.creeps) do
    for _, cell in ipairs { creep, { x = creep.from_x, y = creep.from_y } } do
      if cell.x >= rect[1] and cell.x < rect[1] + rect[3] and cell.y >= rect[2] and cell.y < rect[2] + rect[4] then
        return true
      end
    end
  end
  return false
end

-- Whether who comes in, and each that is under way, still gets to the gate. Mostly nothing at all is cut off, which
-- takes microseconds to tell. Where some cells are, it may be an empty nook: then each is asked about.
local function is_way_left(rect)
  if flow:count_cut_off(unpack(rect)) == 0 then return true end
  local question = { suppose_blocked = { rect } }
  for _, from in ipairs(ENTRANCES) do
    if not finder:reachable(from[1], from[2], GATE[1][1], GATE[1][2], question) then return false end
  end
  for _, creep in ipairs(game.creeps) do
    if not finder:reachable(creep.x, creep.y, GATE[1][1], GATE[1][2], question) then return false end
  end
  return true
end

-- nil, or why there may be no such tower.
local function why_not(kind, rect)
  if not is_free(rect) then return "there is no room" end
  if kind.price > game.gold then return "too little gold" end
  if is_creep_in(rect) then return "a monster is there" end
  if not is_way_left(rect) then return "that would shut the way" end
end

local function build(kind, rect)
  grid:block(rect[1], rect[2], rect[3], rect[4], "towers")
  game.gold = game.gold - kind.price
  table.insert(game.towers, {
    kind = kind, rect = rect, pause = 0, angle = 0,
    x = rect[1] + (kind.size - 1) / 2, y = rect[2] + (kind.size - 1) / 2,
    sees = see(kind, rect[1], rect[2]), -- rock never moves, so once is enough
  })
  game.looked = nil
end

local function sell_at(x, y)
  for i, tower in ipairs(game.towers) do
    local rect = tower.rect
    if x >= rect[1] and x < rect[1] + rect[3] and y >= rect[2] and y < rect[2] + rect[4] then
      grid:unblock(rect[1], rect[2], rect[3], rect[4], "towers")
      game.gold = game.gold + math.floor(tower.kind.price / 2)
      table.remove(game.towers, i)
      game.looked = nil
      return
    end
  end
end

-- ---- a wave ----

local function start()
  for _, tower in ipairs(game.towers or {}) do
    grid:unblock(tower.rect[1], tower.rect[2], tower.rect[3], tower.rect[4], "towers")
  end
  game.creeps, game.towers, game.shots = {}, {}, {}
  game.gold, game.lives, game.wave, game.to_come, game.next_in = 200, 20, 0, 0, 0
  game.kind, game.looked = KINDS[1], nil
end

local function call_wave()
  game.wave = game.wave + 1
  game.to_come = game.to_come + 6 + 4 * game.wave
end

local function add_creep()
  local from = ENTRANCES[game.to_come % #ENTRANCES + 1]
  local life = 8 * 1.3 ^ game.wave
  table.insert(game.creeps, {
    x = from[1], y = from[2], from_x = from[1], from_y = from[2], done = 1, -- done: how much of its step
    at_x = from[1], at_y = from[2], life = life, most = life, speed = 2 + game.to_come % 3 * 0.4,
  })
end

-- Walks on; a step at a time, each asked of the flow when the one before is done. True at the gate.
local function walk(creep, dt)
  creep.done = creep.done + dt * creep.speed / creep.length
  if creep.done < 1 then return false end
  creep.from_x, creep.from_y = creep.x, creep.y
  local x, y = flow:next(creep.x, creep.y)
  if x == creep.x and y == creep.y then return true end
  creep.done, creep.x, creep.y = creep.done - 1, x or creep.x, y or creep.y
  return false
end

local function move(creep, dt)
  creep.length = math.max(1, math.sqrt((creep.x - creep.from_x) ^ 2 + (creep.y - creep.from_y) ^ 2))
  local is_through = walk(creep, dt)
  creep.at_x = creep.from_x + (creep.x - creep.from_x) * creep.done
  creep.at_y = creep.from_y + (creep.y - creep.from_y) * creep.done
  return is_through
end

local function move_creeps(dt)
  for i = #game.creeps, 1, -1 do
    local creep = game.creeps[i]
    if move(creep, dt) then
      game.lives = game.lives - 1
      table.remove(game.creeps, i)
    elseif creep.life <= 0 then
      game.gold = game.gold + 4
      table.remove(game.creeps, i)
    end
  end
end

-- Of those in sight who is nearest to the gate.
local function pick_target(tower)
  local best, least
  for _, creep in ipairs(game.creeps) do
    if tower.sees:get(creep.x, creep.y) > 0 then
      local left = flow:distance(creep.x, creep.y)
      if left and (not least or left < least) then best, least = creep, left end
    end
  end
  return best
end

local function shoot(tower, dt)
  tower.pause = tower.pause - dt
  if tower.pause > 0 then return end
  local target = pick_target(tower)
  if target then
    target.life = target.life - tower.kind.harm
    tower.pause, tower.angle = tower.kind.pause, math.atan2(target.at_y - tower.y, target.at_x - tower.x)
    table.insert(game.shots, { tower = tower, x = target.at_x, y = target.at_y, left = 0.12 })
  end
end

function love.update(dt)
  if game.lives <= 0 then return end
  game.next_in = game.next_in - dt
  if game.to_come > 0 and game.next_in <= 0 then
    add_creep()
    game.to_come, game.next_in = game.to_come - 1, 0.5
  end
  move_creeps(dt)
  for _, tower in ipairs(game.towers) do shoot(tower, dt) end
  for i = #game.shots, 1, -1 do
    game.shots[i].left = game.shots[i].left - dt
    if game.shots[i].left <= 0 then table.remove(game.shots, i) end
  end
end

-- ---- the mouse ----

local view = astar.love.view(grid)
local TILES = { ["."] = "grass", ["#"] = "wall", ["~"] = "swamp", e = "road", g = "road" }
local ground = art.ground(grid, function(x, y) return TILES[grid:get(x, y)] end)
game.view = view

-- What a tower under the mouse would do, worked out when the mouse is over another cell or the game has changed:
-- whether it may stand there, what it would see, and where creeps would go. Nothing is built for that.
local function look_at(x, y)
  local kind = game.kind
  local rect = rect_at(kind, x, y)
  local looked = { x = x, y = y, kind = kind, rect = rect, why_not = why_not(kind, rect), paths = {} }
  if is_free(rect) then looked.sees = see(kind, rect[1], rect[2]) end
  for i, from in ipairs(ENTRANCES) do
    looked.paths[i] = finder:find_nearest(from[1], from[2], GATE,
      { suppose_blocked = not looked.why_not and { rect } or nil })
  end
  return looked
end

local function update_looked()
  local x, y = view:to_cell(love.mouse.getPosition())
  local looked = game.looked
  if not x then
    game.looked = nil
  elseif not looked or looked.x ~= x or looked.y ~= y or looked.kind ~= game.kind then
    game.looked = look_at(x, y)
  else
    looked.why_not = why_not(looked.kind, looked.rect) -- creeps move and gold comes in
  end
end

function love.mousepressed(px, py, button)
  local x, y = view:to_cell(px, py)
  if not x then return end
  local rect = rect_at(game.kind, x, y)
  if button == 1 and not why_not(game.kind, rect) then
    build(game.kind, rect)
  elseif button == 2 then
    sell_at(x, y)
  end
end

function love.keypressed(key)
  if key == "escape" then
    love.event.quit()
  elseif KINDS[tonumber(key)] then
    game.kind = KINDS[tonumber(key)]
  elseif key == "space" then
    call_wave()
  elseif key == "r" then
    start()
  elseif key == "f" or key == "c" then
    game.shows = game.shows ~= key and key or nil
  end
  look.key(key)
end

-- ---- what one sees ----

local RED, GREEN, CREEP = { 0.92, 0.3, 0.25 }, { 0.55, 0.95, 0.6 }, look.COLORS.monster
local legend = look.legend({
  { KINDS[1].color, "arrows: 20 gold" }, { KINDS[2].color, "cannon: 70 gold" }, { CREEP, "monster" },
  { GREEN, "may be built" }, { RED, "may not" }, { { 1, 1, 1 }, "their way, were it built" },
  { look.COLORS.wall, "wall" }, { look.COLORS.swamp, "swamp: slow" },
}, {
  { "left button", "build" }, { "right button", "sell" }, { "1 2", "which" }, { "Space", "next wave" },
  { "F", "where all go" }, { "C", "what is covered" }, { "R", "again" }, { "Escape", "leave" },
})

function love.resize()
  legend:fit(view, 6)
end

function love.load()
  love.resize()
  start()
end

local function draw_tower(tower)
  local kind = tower.kind
  local px, py = view:to_pixel(tower.x, tower.y)
  local radius = view.scale * kind.size * 0.42
  view:draw_cell(tower.rect[1], tower.rect[2], { 0.23, 0.22, 0.25 }, 0.04, kind.size)
  love.graphics.setColor(kind.color)
  love.graphics.circle("fill", px, py, radius)
  love.graphics.setColor(0.16, 0.14, 0.16)
  love.graphics.setLineWidth(radius * 0.4)
  love.graphics.line(px, py, px + math.cos(tower.angle) * radius, py + math.sin(tower.angle) * radius)
  love.graphics.setLineWidth(1)
end

-- A monster that looks where it goes, and its life above it.
local function draw_creep(creep)
  local px, py = view:to_pixel(creep.at_x, creep.at_y)
  local radius, dx, dy = view.scale * 0.3, creep.x - creep.from_x, creep.y - creep.from_y
  art.draw_person(view, creep.at_x, creep.at_y, "monster", 2 * (creep.at_x + creep.at_y),
    (dx ~= 0 or dy ~= 0) and math.atan2(dy, dx) or nil, nil, 0.8)
  love.graphics.setColor(RED)
  love.graphics.rectangle("fill", px - radius, py - radius * 1.9, 2 * radius, radius * 0.3)
  love.graphics.setColor(GREEN)
  love.graphics.rectangle("fill", px - radius, py - radius * 1.9, 2 * radius * math.max(0, creep.life / creep.most),
    radius * 0.3)
end

-- How many towers see each cell: what they see, added up.
local function draw_cover()
  local cover = astar.field(grid)
  for _, tower in ipairs(game.towers) do cover:add_field(tower.sees) end
  for x, y, count in cover:cells() do view:draw_cell(x, y, { 1, 0.75, 0.2, math.min(0.6, 0.15 * count) }) end
end

local function draw_looked(looked)
  for x, y in looked.sees and looked.sees:cells() or next, {} do view:draw_cell(x, y, { 1, 1, 0.6, 0.16 }) end
  for _, path in ipairs(looked.paths) do view:draw_path(path, { 1, 1, 1, 0.5 }) end
  local color = looked.why_not and RED or GREEN
  view:draw_cell(looked.rect[1], looked.rect[2], { color[1], color[2], color[3], 0.6 }, 0.05, looked.kind.size)
end

local function status()
  if game.lives <= 0 then return ("The gate fell in wave %d. Press R to begin again."):format(game.wave) end
  local text = ("Gold %d   Lives %d   Wave %d   Monsters %d"):format(game.gold, game.lives, game.wave,
    #game.creeps + game.to_come)
  return game.looked and game.looked.why_not and text .. "   Not here: " .. game.looked.why_not .. "." or text
end

function love.draw()
  update_looked()
  look.clear()
  ground:draw(view)
  if game.shows == "f" then view:draw_flow(flow) end
  look.relief(view, grid, function(x, y) return grid:get(x, y) == "#" end)
  view:draw_lines { 0, 0, 0, 0.08 }
  if game.shows == "c" then draw_cover() end
  for _, cell in ipairs(GATE) do look.goal(view, cell[1], cell[2], GREEN) end
  for _, tower in ipairs(game.towers) do draw_tower(tower) end
  for _, creep in ipairs(game.creeps) do draw_creep(creep) end
  love.graphics.setColor(1, 0.95, 0.6)
  for _, shot in ipairs(game.shots) do
    local x1, y1 = view:to_pixel(shot.tower.x, shot.tower.y)
    local x2, y2 = view:to_pixel(shot.x, shot.y)
    love.graphics.line(x1, y1, x2, y2)
  end
  if game.looked then draw_looked(game.looked) end
  legend:draw(status())
end

return game
