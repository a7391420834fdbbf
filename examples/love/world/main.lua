-- A world without end: a caravan crosses it, and a thread makes its chunks, those first that its way needs most.
--
-- Left button: go there, as far as one likes. Right button: a landslide. Wheel: nearer, farther. Escape: leave.

local art = require "art"
local astar = require "astar"
local look = require "look"

-- In the gallery its files lie in a folder.
local FOLDER = love.filesystem.getInfo "land.lua" and "" or "world/"
local land = love.filesystem.load(FOLDER .. "land.lua")()

local SPEED = 22        -- cells a second
local ORDERED = 6       -- chunks at a time: what is ordered cannot be overtaken by what is more urgent
local WAGONS, LONGEST = 5, 200 -- wagons, and cells of the trail that they follow
local COLORS, ground = land.COLORS, land.ground

local SLIDE, WAY = look.COLORS.wall, look.COLORS.route
local PIXELS = 24 -- across a wagon, at any scale

local legend = look.legend({
  { look.COLORS.cart, "caravan" }, { WAY, "its way" }, { COLORS["."], "grass" }, { COLORS.f, "forest: slow" },
  { COLORS["~"], "water: no way" }, { COLORS["^"], "rock: no way" }, { SLIDE, "landslide" },
}, {
  { "left button", "go there" }, { "right button", "a landslide" }, { "wheel", "nearer, farther" },
  { "Escape", "leave" },
})

-- ---- chunks ----

-- What is asked for comes later: the world is told nil now, and the chunk once the thread has made it.
local world = astar.world {
  terrain = { ["."] = 1, f = 1.8, ["~"] = false, ["^"] = false },
  bytes = 4 * 2 ^ 20,
  load = function() return nil end,
}
local caravan = world:finder()
local game = { world = world, grid = world, scale = 2.5, trail = {}, status = "", ordered = 0 }

local thread = love.thread.newThread(FOLDER .. "chunks.lua")
local orders, made = love.thread.getChannel "chunks ordered", love.thread.getChannel "chunks made"
local is_ordered, pictures, blocks = {}, {}, {}
orders:clear() -- of a game before, in the gallery
made:clear()
thread:start(FOLDER)
game.thread = thread

local function order(cx, cy)
  local name = cx .. "," .. cy
  if is_ordered[name] or game.ordered >= ORDERED then return end
  is_ordered[name], game.ordered = true, game.ordered + 1
  orders:push { cx = cx, cy = cy }
end

local function put(chunk)
  local name = chunk.cx .. "," .. chunk.cy
  world:put_chunk(chunk.cx, chunk.cy, chunk.keys)
  local picture = love.graphics.newImage(chunk.image)
  picture:setFilter("nearest", "nearest")
  pictures[name] = { picture, 64 * chunk.cx, 64 * chunk.cy }
  is_ordered[name], game.ordered = nil, game.ordered - 1
end

-- Takes what has been made, and orders what the way needs, the most urgent first.
local function stream()
  local chunk = made:pop()
  while chunk do
    put(chunk)
    chunk = made:pop()
  end
  for _, at in ipairs(world:wanted(ORDERED)) do order(at.cx, at.cy) end
  assert(not thread:getError(), thread:getError())
end

-- ---- the caravan ----

local function dry(x, y)
  while ground(x - 1, y - 1) ~= "." do x = x + 1 end
  return x, y
end

game.x, game.y = dry(1, 1)
game.goal_x, game.goal_y = dry(900, -420)

-- The next stretch of the route, and the rest of it to be drawn.
local function go_on()
  local path, why = game.route:stretch()
  game.status, game.wait = why or "", not path and 0.3 or nil
  if path then
    if game.walker then game.walker:follow(path) else game.walker = astar.walker(path, { speed = SPEED }) end
    game.path, game.rest = path, game.route:path { legs = 12 }
  elseif not why then
    game.goal_x, game.goal_y = dry(game.x + love.math.random(300, 700), game.y + love.math.random(-400, 400))
    game.route = nil
  end
end

-- Sets off at once, as far as the chunks that are here allow: where more have come, route:stretch asks anew.
local function plan()
  local x, y = game.x, game.y
  if game.walker then x, y = game.walker:cell() end
  game.route, game.status = caravan:find_route(x, y, game.goal_x, game.goal_y)
  game.wait = not game.route and 0.3 or nil
  if game.route then go_on() end
end

local function walk(dt)
  local x, y, arrived = game.walker:update(dt)
  if x ~= game.x or y ~= game.y then
    game.x, game.y = x, y
    local last = game.trail[1]
    if not last or math.abs(x - last[1]) + math.abs(y - last[2]) >= 1 then table.insert(game.trail, 1, { x, y }) end
    game.trail[LONGEST] = nil
  end
  return arrived
end

function love.update(dt)
  stream()
  game.wait = game.wait and game.wait > dt and game.wait - dt or nil
  local is_there = not game.walker or walk(dt)
  if game.route then game.route:step { ms = 1 } end -- a better one, while it is walked
  if is_there and not game.wait then
    if game.route then go_on() else plan() end
  end
end

function love.quit()
  orders:clear()
  orders:push(false)
  thread:wait()
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
      love.graphics.setColor(0, 0, 0, 0.08)
      love.graphics.rectangle("line", px, py, side, side)
    else
      pictures[name] = nil -- drawn again once it is near
    end
  end
end

-- What is on the screen and was not made yet, or has been let go: after what the way needs.
local function order_visible()
  local x0, y0 = to_cell(0, 0)
  local x1, y1 = to_cell(love.graphics.getDimensions())
  for cy = math.floor((y0 - 1) / 64), math.floor((y1 - 1) / 64) do
    for cx = math.floor((x0 - 1) / 64), math.floor((x1 - 1) / 64) do
      if not pictures[cx .. "," .. cy] then order(cx, cy) end
    end
  end
end

local function draw_line(path)
  local points = {}
  for _, at in ipairs(path and path:waypoints() or {}) do
    points[#points + 1], points[#points + 2] = to_pixel(at.x, at.y)
  end
  if #points >= 4 then love.graphics.line(points) end
end

-- The stretch that is walked, the rest of the route, and dots from there to the goal as the crow flies.
local function draw_path()
  local px, py = to_pixel(game.goal_x, game.goal_y)
  love.graphics.setColor(WAY)
  love.graphics.setLineWidth(3)
  love.graphics.circle("line", px, py, 7)
  love.graphics.setLineWidth(2)
  if not game.route or not game.path then return end
  draw_line(game.path)
  love.graphics.setColor(WAY[1], WAY[2], WAY[3], 0.45)
  draw_line(game.rest)
  local from = game.rest or game.path
  local x, y = to_pixel(from:cell(#from))
  local dots = math.min(200, math.floor(math.sqrt((px - x) ^ 2 + (py - y) ^ 2) / 12))
  for i = 1, dots do love.graphics.circle("fill", x + (px - x) * i / dots, y + (py - y) * i / dots, 1.5) end
end

-- Each wagon faces where it came to from the place behind it; at rest all face forward.
local function draw_wagons()
  local step = game.walker and not game.walker.arrived and game.x + game.y or nil
  local apart = math.ceil(1.1 * PIXELS / game.scale) -- cells, so that no wagon is drawn over another
  for i = WAGONS - 1, 0, -1 do
    local at, behind = i > 0 and game.trail[i * apart] or { game.x, game.y }, game.trail[i * apart + 2]
    if i == 0 then behind = game.trail[2] end
    if at then
      local px, py = to_pixel(at[1], at[2])
      local dx, dy = at[1] - (behind or at)[1], at[2] - (behind or at)[2]
      love.graphics.push()
      love.graphics.translate(math.floor(px + 0.5), math.floor(py + 0.5))
      love.graphics.scale(PIXELS / art.SIDE)
      art.person("cart", step or 0, step and (dx ~= 0 or dy ~= 0) and math.atan2(dy, dx) or nil)
      love.graphics.pop()
    end
  end
end

-- What happens, in the words of who plays.
local function describe()
  local dx, dy = game.goal_x - game.x, game.goal_y - game.y
  local state = game.status == "unreachable" and "There is no way there."
    or not game.path and "The caravan looks for a way."
    or game.wait and "The caravan waits for the land ahead." or "The caravan is on its way."
  return ("%s   %d cells to go.   %d pieces of land are loaded."):format(state, math.sqrt(dx * dx + dy * dy),
    world:stats().chunks)
end

function love.draw()
  look.clear()
  order_visible()
  draw_chunks()
  love.graphics.setColor(SLIDE)
  for _, at in ipairs(blocks) do
    local px, py = to_pixel(at[1] - 0.5, at[2] - 0.5)
    love.graphics.rectangle("fill", px, py, 9 * game.scale, 9 * game.scale)
  end
  draw_path()
  love.graphics.setLineWidth(1)
  draw_wagons()
  legend:draw(describe())
end

function love.mousepressed(px, py, button)
  if py > love.graphics.getHeight() - legend:height() then return end
  local x, y = to_cell(px, py)
  if button == 1 then
    game.goal_x, game.goal_y = dry(x, y)
  else
    if world:block(x - 4, y - 4, 9, 9) then blocks[#blocks + 1] = { x - 4, y - 4 } end
    if not game.route or game.route:is_valid() then return end
  end
  plan()
end

function love.wheelmoved(_, dy)
  game.scale = math.max(0.8, math.min(8, game.scale * 1.2 ^ dy))
end

function love.keypressed(key)
  if key == "escape" then love.event.quit() end
  look.key(key)
end

return game
