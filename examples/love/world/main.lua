-- A world without end: a caravan crosses it, and its chunks are made as it comes, two a frame.
--
-- Left button: go there, as far as one likes. Right button: a landslide. Wheel: nearer, farther. Escape: leave.

local astar = require "astar"
local look = require "look"

local SPEED = 22        -- cells a second
local CHUNKS_A_FRAME = 2
local WAGONS, APART = 5, 3 -- cells
local COLORS = {
  ["."] = { 0.36, 0.47, 0.27 }, f = { 0.22, 0.36, 0.22 }, ["~"] = { 0.18, 0.30, 0.48 }, ["^"] = { 0.45, 0.42, 0.40 },
}

local WAGON, SLIDE, WAY = { 0.95, 0.85, 0.7 }, { 0.3, 0.22, 0.18 }, { 1, 0.9, 0.5 }

local legend = look.legend({
  { WAGON, "caravan" }, { WAY, "its way" }, { COLORS["."], "grass" }, { COLORS.f, "forest, cost 1.8" },
  { COLORS["~"], "water: no way" }, { COLORS["^"], "rock: no way" }, { SLIDE, "landslide" },
}, {
  { "left button", "go there" }, { "right button", "a landslide" }, { "wheel", "nearer, farther" },
  { "Escape", "leave" },
})

-- ---- the land ----

local function ground(x, y)
  local noise = love.math.noise
  local height = 0.6 * noise(x / 70 + 900, y / 70 + 900)
    + 0.3 * noise(x / 23 + 50, y / 23) + 0.1 * noise(x / 7, y / 7 + 70)
  return height < 0.34 and "~" or height > 0.7 and "^" or height > 0.56 and "f" or "."
end

-- The keys of a chunk, and a picture of it.
local function make_chunk(cx, cy)
  local keys, image = {}, love.image.newImageData(64, 64)
  for y = 0, 63 do
    for x = 0, 63 do
      local key = ground(64 * cx + x, 64 * cy + y)
      keys[#keys + 1] = key
      local color, shade = COLORS[key], 0.94 + 0.06 * ((x + y) % 2)
      image:setPixel(x, y, color[1] * shade, color[2] * shade, color[3] * shade, 1)
    end
  end
  local picture = love.graphics.newImage(image)
  picture:setFilter("nearest", "nearest")
  return keys, picture
end

local wanted, is_wanted, pictures, blocks = {}, {}, {}, {}

local function want(cx, cy)
  local name = cx .. "," .. cy
  if not is_wanted[name] then
    is_wanted[name] = true
    wanted[#wanted + 1] = { cx, cy }
  end
end

-- What is asked for comes later: the world is told nil now, and the chunk once it is made.
local world = astar.world {
  terrain = { ["."] = 1, f = 1.8, ["~"] = false, ["^"] = false },
  bytes = 4 * 2 ^ 20,
  load = function(cx, cy)
    want(cx, cy)
    return nil
  end,
}
local caravan = world:finder()
local game = { world = world, grid = world, scale = 2.5, trail = {}, status = "" }

local function stream()
  for _ = 1, math.min(CHUNKS_A_FRAME, #wanted) do
    local at = table.remove(wanted, 1)
    local keys, picture = make_chunk(at[1], at[2])
    world:put_chunk(at[1], at[2], keys)
    pictures[at[1] .. "," .. at[2]] = { picture, 64 * at[1], 64 * at[2] }
    is_wanted[at[1] .. "," .. at[2]] = nil
  end
end

-- ---- the caravan ----

local function dry(x, y)
  while ground(x - 1, y - 1) ~= "." do x = x + 1 end
  return x, y
end

game.x, game.y = dry(1, 1)
game.goal_x, game.goal_y = dry(900, -420)

-- Begins a search from where the caravan is; it is stepped a little each frame.
local function plan()
  local x, y = game.x, game.y
  if game.walker then x, y = game.walker:cell() end
  game.search = caravan:search(x, y, game.goal_x, game.goal_y)
end

local function take(route, why)
  game.route, game.status = route, why or ""
  game.path = route and route:next()
  if not game.path then
    game.wait = 0.3
  elseif game.walker then
    game.walker:follow(game.path)
  else
    game.walker = astar.walker(game.path, { speed = SPEED })
  end
end

-- At the end of a stretch: the next one; at the end of what was loaded: ask again.
local function go_on()
  local at_goal = game.x == game.goal_x and game.y == game.goal_y
  local path = game.route and game.route:next()
  if path then
    game.path = path
    game.walker:follow(path)
  elseif at_goal then
    game.goal_x, game.goal_y = dry(game.x + love.math.random(300, 700), game.y + love.math.random(-400, 400))
    plan()
  else
    plan()
  end
end

local function step_search()
  local status = game.search:step { ms = 2 }
  if status ~= "running" then
    local search = game.search
    game.search = nil
    take(search:route())
    search:close()
  end
end

function love.update(dt)
  stream()
  game.wait = game.wait and game.wait > dt and game.wait - dt or nil
  if game.search then
    step_search()
  elseif game.walker then
    local x, y, arrived = game.walker:update(dt)
    if x ~= game.x or y ~= game.y then
      game.x, game.y = x, y
      local last = game.trail[1]
      if not last or math.abs(x - last[1]) + math.abs(y - last[2]) >= 1 then table.insert(game.trail, 1, { x, y }) end
      game.trail[WAGONS * APART] = nil
    end
    if arrived and not game.wait then
      go_on()
    end
  elseif not game.wait then
    plan()
  end
end

-- ---- what one sees ----

local function to_pixel(x, y)
  local width, height = love.graphics.getDimensions()
  return width / 2 + (x - game.x) * game.scale, height / 2 + (y - game.y) * game.scale
end

local function to_cell(px, py)
  local width, height = love.graphics.getDimensions()
  return math.floor((px - width / 2) / game.scale + game.x + 0.5),
    math.floor((py - height / 2) / game.scale + game.y + 0.5)
end

local function draw_chunks()
  local width, height = love.graphics.getDimensions()
  for name, chunk in pairs(pictures) do
    local px, py = to_pixel(chunk[2] + 0.5, chunk[3] + 0.5)
    local side = 64 * game.scale
    if px > -4 * side and py > -4 * side and px < width + 4 * side and py < height + 4 * side then
      love.graphics.setColor(1, 1, 1)
      love.graphics.draw(chunk[1], px, py, 0, game.scale)
      love.graphics.setColor(0, 0, 0, 0.15)
      love.graphics.rectangle("line", px, py, side, side)
    else
      pictures[name] = nil -- drawn again once it is near
    end
  end
end

-- What is on the screen and was not made yet, or has been let go.
local function want_visible()
  local x0, y0 = to_cell(0, 0)
  local x1, y1 = to_cell(love.graphics.getDimensions())
  for cy = math.floor((y0 - 1) / 64), math.floor((y1 - 1) / 64) do
    for cx = math.floor((x0 - 1) / 64), math.floor((x1 - 1) / 64) do
      if not pictures[cx .. "," .. cy] then want(cx, cy) end
    end
  end
end

local function draw_path()
  if not game.route then return end
  love.graphics.setLineWidth(2)
  local ahead = game.path and game.path:waypoints() or {}
  local points = {}
  for _, at in ipairs(ahead) do
    local px, py = to_pixel(at.x, at.y)
    points[#points + 1], points[#points + 2] = px, py
  end
  love.graphics.setColor(WAY)
  if #points >= 4 then love.graphics.line(points) end
  local px, py = to_pixel(game.goal_x, game.goal_y)
  love.graphics.circle("line", px, py, 6)
end

local function draw_wagons()
  for i = WAGONS - 1, 0, -1 do
    local at = i > 0 and game.trail[i * APART] or { game.x, game.y }
    local px, py = to_pixel(at[1], at[2])
    love.graphics.setColor(0.25, 0.13, 0.05)
    love.graphics.circle("fill", px, py, 5)
    love.graphics.setColor(i == 0 and { 0.95, 0.4, 0.2 } or WAGON)
    love.graphics.circle("fill", px, py, 3.5)
  end
end

function love.draw()
  love.graphics.clear(0.05, 0.05, 0.06)
  want_visible()
  draw_chunks()
  love.graphics.setColor(SLIDE)
  for _, at in ipairs(blocks) do
    local px, py = to_pixel(at[1] - 0.5, at[2] - 0.5)
    love.graphics.rectangle("fill", px, py, 9 * game.scale, 9 * game.scale)
  end
  draw_path()
  draw_wagons()
  local stats = world:stats()
  legend:draw(("at (%d, %d), to (%d, %d)   %s   %d chunks here, %d let go, %d KiB   %d to come"):format(game.x,
    game.y, game.goal_x, game.goal_y, game.search and "searching" or game.status, stats.chunks, stats.let_go,
    math.floor(stats.bytes / 1024), #wanted))
end

function love.mousepressed(px, py, button)
  if py > love.graphics.getHeight() - legend:height() then return end
  local x, y = to_cell(px, py)
  if button == 1 then
    game.goal_x, game.goal_y = dry(x, y)
  else
    world:block(x - 4, y - 4, 9, 9)
    blocks[#blocks + 1] = { x - 4, y - 4 }
    if not game.route or game.route:is_valid() then return end
  end
  plan()
end

function love.wheelmoved(_, dy)
  game.scale = math.max(0.8, math.min(8, game.scale * 1.2 ^ dy))
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
end

return game
