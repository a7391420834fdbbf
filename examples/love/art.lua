-- art.lua -- what the prototypes are drawn with: one palette, tiles of 16 x 16 pixels, people and animals.
--
-- All pictures are drawn by code, so no image files are needed. Every prototype has the same walls, the same ground and
-- the same people.

local art = {}

local SIDE = 16
art.SIDE = SIDE

local function rgb(text)
  local color = {}
  for i = 1, 3 do color[i] = ("0123456789abcdef"):find(text:sub(2 * i, 2 * i), 1, true) * 16 - 16
    + ("0123456789abcdef"):find(text:sub(2 * i + 1, 2 * i + 1), 1, true) - 1 end
  return { color[1] / 255, color[2] / 255, color[3] / 255 }
end

-- The colour of each kind of ground and of each kind of person, for maps too small for tiles, and for legends.
art.COLORS = {
  grass = rgb "#7aa857", road = rgb "#c9b07e", swamp = rgb "#5c6b45", water = rgb "#3f78b5",
  bridge = rgb "#8a6238", wall = rgb "#5b5f6b", floor = rgb "#b98f63", forest = rgb "#3c7443",
  rock = rgb "#83796d",
  door = rgb "#6b4021", ore = rgb "#f0bf33", route = rgb "#ffffff", goal = rgb "#ffd54a", night = rgb "#1c2430",
  player = rgb "#d94040", villager = rgb "#4066bf", guard = rgb "#2f59c9", knight = rgb "#2f59c9",
  bandit = rgb "#b3202a", raider = rgb "#b3202a", monster = rgb "#8a3f9e", prey = rgb "#f4f1e6", cart = rgb "#8c5c33",
  duck = rgb "#f2d94d", cat = rgb "#4d474d",
}

-- ---- tiles ----

local function set(tile, x, y, color)
  tile(x, y, color[1], color[2], color[3])
end

-- Fills a tile with a colour, and speckles it with another one; the same speckles every time.
local function speckle(tile, base, spots, density, seed)
  local random = love.math.newRandomGenerator(seed)
  base, spots = rgb(base), rgb(spots)
  for y = 0, SIDE - 1 do
    for x = 0, SIDE - 1 do
      set(tile, x, y, random:random() < density and spots or base)
    end
  end
end

local function rows(tile, from, to, color, step)
  color = rgb(color)
  for y = from, to, step or 1 do
    for x = 0, SIDE - 1 do set(tile, x, y, color) end
  end
end

local function box(tile, left, top, right, bottom, color)
  color = rgb(color)
  for y = top, bottom do
    for x = left, right do set(tile, x, y, color) end
  end
end

local function disc(tile, cx, cy, radius, color)
  color = rgb(color)
  for y = 0, SIDE - 1 do
    for x = 0, SIDE - 1 do
      if (x - cx) ^ 2 + (y - cy) ^ 2 <= radius * radius then set(tile, x, y, color) end
    end
  end
end

-- Stones in four courses, lit from above.
local function wall(tile)
  rows(tile, 0, 15, "#5b5f6b")
  rows(tile, 0, 15, "#6f7482", 4)
  rows(tile, 3, 15, "#41444e", 4)
  local joint = rgb "#41444e"
  for y = 0, 15 do set(tile, y % 8 < 4 and 4 or 12, y, joint) end
end

-- In the order of the tiles in the village's map.tmx; the rest is the other prototypes'.
local NAMES = {
  "grass", "flowers", "road", "swamp", "water", "bridge", "wall", "roof", "floor", "tree", "rock", "ore", "door",
  "open_door", "crate", "stairs", "shaft", "forest",
}

local TILES = {
  grass = function(tile) speckle(tile, "#7aa857", "#6d9a4c", 0.2, 1) end,
  flowers = function(tile) -- on transparent ground
    for i, spot in ipairs { { 3, 4 }, { 10, 2 }, { 6, 10 }, { 12, 11 } } do
      disc(tile, spot[1], spot[2], 1.2, i % 2 == 0 and "#f0d050" or "#e8e8f0")
    end
  end,
  road = function(tile) speckle(tile, "#c9b07e", "#b89c6a", 0.15, 3) end,
  swamp = function(tile)
    speckle(tile, "#5c6b45", "#4a573a", 0.4, 4)
    disc(tile, 4, 5, 2, "#3f5a55")
    disc(tile, 11, 11, 3, "#3f5a55")
  end,
  water = function(tile)
    speckle(tile, "#3f78b5", "#4784c2", 0.3, 5)
    rows(tile, 4, 4, "#6aa0d8")
    rows(tile, 11, 11, "#5890cc")
  end,
  bridge = function(tile)
    rows(tile, 0, 15, "#8a6238")
    rows(tile, 3, 15, "#6d4c2a", 4)
  end,
  wall = wall,
  roof = function(tile) rows(tile, 0, 15, "#a0503c") end,
  floor = function(tile)
    rows(tile, 0, 15, "#b98f63")
    rows(tile, 0, 15, "#a87f55", 5)
  end,
  tree = function(tile) -- on transparent ground
    disc(tile, 8, 12, 2.2, "#5c4126")
    disc(tile, 8, 7, 6.5, "#2f6b3a")
    disc(tile, 6, 5, 3, "#3f8549")
  end,
  rock = function(tile)
    speckle(tile, "#83796d", "#766c61", 0.3, 11)
    disc(tile, 5, 5, 3, "#92887b")
    disc(tile, 12, 11, 2.5, "#92887b")
  end,
  ore = function(tile) -- on transparent ground
    for _, spot in ipairs { { 5, 6 }, { 10, 5 }, { 8, 10 }, { 12, 11 } } do
      disc(tile, spot[1], spot[2], 2, "#f0bf33")
    end
  end,
  door = function(tile)
    box(tile, 1, 1, 14, 14, "#6b4021")
    box(tile, 3, 1, 3, 14, "#573318")
    box(tile, 8, 1, 8, 14, "#573318")
    box(tile, 11, 7, 12, 8, "#e6bf4d")
  end,
  open_door = function(tile)
    box(tile, 0, 1, 2, 14, "#6b4021")
    box(tile, 1, 7, 2, 8, "#e6bf4d")
  end,
  crate = function(tile)
    box(tile, 1, 1, 14, 14, "#a5743f")
    box(tile, 1, 1, 14, 2, "#c28f54")
    box(tile, 1, 13, 14, 14, "#6d4a26")
    for i = 3, 12 do
      box(tile, i, i, i + 1, i, "#6d4a26")
    end
  end,
  stairs = function(tile)
    for i = 0, 3 do
      local shade = ({ "#e9d9a6", "#cfbd86", "#b3a06a", "#948250" })[i + 1]
      box(tile, 1, 1 + 3 * i + i % 1, 14, 3 + 3 * i, shade)
      box(tile, 1, 3 + 3 * i, 14, 3 + 3 * i, "#6b5c36")
    end
  end,
  shaft = function(tile)
    box(tile, 1, 1, 14, 14, "#3d4049")
    box(tile, 3, 3, 12, 12, "#17181d")
    box(tile, 3, 3, 12, 4, "#0d0e11")
  end,
  forest = function(tile)
    speckle(tile, "#3c7443", "#2f6337", 0.3, 18)
    disc(tile, 4, 4, 3, "#4b8a50")
    disc(tile, 12, 10, 3, "#4b8a50")
  end,
}

-- In the image each pixel of a tile is ENLARGED pixels wide, so that tiles look even at scales that are no whole
-- numbers. Each tile has a rim of its own pixels, so that no neighbour shines through.
local ENLARGED, RIM = 2, 2
local WIDE = SIDE * ENLARGED + 2 * RIM

-- All tiles beside each other.
function art.tiles()
  local pixels = love.image.newImageData(WIDE * #NAMES, WIDE)
  for i, name in ipairs(NAMES) do
    local rows_of = {}
    for y = 0, SIDE - 1 do rows_of[y] = {} end
    TILES[name](function(x, y, r, g, b) rows_of[y][x] = { r, g, b } end)
    for y = 0, WIDE - 1 do
      for x = 0, WIDE - 1 do
        local from_x = math.max(0, math.min(SIDE - 1, math.floor((x - RIM) / ENLARGED)))
        local from_y = math.max(0, math.min(SIDE - 1, math.floor((y - RIM) / ENLARGED)))
        local color = rows_of[from_y][from_x]
        if color then pixels:setPixel((i - 1) * WIDE + x, y, color[1], color[2], color[3], 1) end
      end
    end
  end
  return pixels
end

local atlas, quads -- an image of all tiles, and where in it each is, by name and by number

local function load_atlas()
  if atlas then return end
  atlas, quads = love.graphics.newImage(art.tiles()), {}
  local side = SIDE * ENLARGED
  for i, name in ipairs(NAMES) do
    quads[name] = love.graphics.newQuad((i - 1) * WIDE + RIM, RIM, side, side, atlas:getDimensions())
    quads[i] = quads[name]
  end
end

local Ground = {}
Ground.__index = Ground

-- The tiles of a grid's cells. list_tiles(x, y) returns the names of the tiles of a cell, the lowest first. After an
-- edit of the grid the tiles are listed again.
function art.ground(grid, list_tiles)
  load_atlas()
  local width, height = grid:size()
  local batch = love.graphics.newSpriteBatch(atlas, 3 * width * height)
  return setmetatable({ grid = grid, list_tiles = list_tiles, batch = batch }, Ground)
end

local IS_SPECKLED = { grass = true, swamp = true, rock = true, forest = true, road = true }
for i, name in ipairs(NAMES) do IS_SPECKLED[i] = IS_SPECKLED[name] end

-- Speckled tiles are mirrored on some cells, so that the eye finds no pattern.
local function add_tiles(ground, x, y, left, top, ...)
  for i = 1, select("#", ...) do
    local name = select(i, ...)
    if name then
      local dice = IS_SPECKLED[name] and (x * 7919 + y * 104729 + x * y * 31) % 7 or 0
      local is_flipped, is_turned = dice % 2 == 1, dice % 4 >= 2
      ground.batch:add(quads[name], left + (is_flipped and SIDE or 0), top + (is_turned and SIDE or 0), 0,
        (is_flipped and -1 or 1) / ENLARGED, (is_turned and -1 or 1) / ENLARGED)
    end
  end
end

function Ground:draw(view)
  local grid = self.grid
  if self.version ~= grid:version() then
    self.version = grid:version()
    self.batch:clear()
    local x0, y0, x1, y1 = grid:bounds()
    for y = y0, y1 do
      for x = x0, x1 do
        add_tiles(self, x, y, (x - x0) * SIDE, (y - y0) * SIDE, self.list_tiles(x, y))
      end
    end
  end
  love.graphics.setColor(1, 1, 1)
  love.graphics.draw(self.batch, view.x, view.y, 0, view.scale / SIDE)
end

-- The tiles of a map made with Tiled whose tileset is this one.
function art.map(grid, map)
  local x0, y0 = grid:bounds()
  return art.ground(grid, function(x, y)
    local at, tiles = (y - y0) * map.width + x - x0 + 1, {}
    for _, layer in ipairs(map.layers) do
      local number = layer.data and layer.data[at] or 0
      if number > 0 then tiles[#tiles + 1] = number end
    end
    return unpack(tiles)
  end)
end

-- One tile on the cell (x, y) of a view.
function art.tile(view, x, y, name)
  load_atlas()
  local px, py = view:to_pixel(x, y)
  love.graphics.setColor(1, 1, 1)
  local left, top = math.floor(px - view.scale / 2 + 0.5), math.floor(py - view.scale / 2 + 0.5)
  love.graphics.draw(atlas, quads[name], left, top, 0, view.scale / SIDE / ENLARGED)
end

-- ---- people ----

-- Which way a picture is turned: "down" is forward, towards who looks on.
local SIDES = {
  north = "up", south = "down", east = "right", west = "left", north_east = "right", south_east = "right",
  north_west = "left", south_west = "left",
}

-- The side that somebody shows who goes at an angle, in radians clockwise from the east.
local function side_of(heading)
  if type(heading) ~= "number" then return SIDES[heading] or "down" end
  local turn = math.floor((heading / (math.pi / 2)) % 4 + 0.5) % 4
  return ({ [0] = "right", "down", "left", "up" })[turn]
end

local SKIN, HAIR, STEEL = { 0.93, 0.78, 0.65 }, { 0.3, 0.2, 0.12 }, { 0.78, 0.81, 0.86 }

local function feet(step, side)
  love.graphics.setColor(0.2, 0.15, 0.12)
  if side == "left" or side == "right" then
    love.graphics.ellipse("fill", step * 3, 7, 2.4, 1.6)
    love.graphics.ellipse("fill", -step * 3, 7, 2.4, 1.6)
  else
    love.graphics.ellipse("fill", -3, 7 - math.max(0, step) * 2, 2.2, 1.6)
    love.graphics.ellipse("fill", 3, 7 - math.max(0, -step) * 2, 2.2, 1.6)
  end
end

-- A head of so much hair or helmet, and eyes where the face is.
local function head(side, cover)
  love.graphics.setColor(SKIN)
  love.graphics.circle("fill", 0, -5, 3.6)
  love.graphics.setColor(cover)
  if side == "up" then
    love.graphics.circle("fill", 0, -5.2, 3.8)
    return
  end
  love.graphics.arc("fill", 0, -5.4, 3.8, math.pi, 2 * math.pi)
  if side == "down" then
    love.graphics.setColor(0.1, 0.08, 0.08)
    love.graphics.rectangle("fill", -2, -4.9, 1, 1.6)
    love.graphics.rectangle("fill", 1, -4.9, 1, 1.6)
  else
    love.graphics.rectangle("fill", -3.8, -5.6, 2.8, 4)
    love.graphics.setColor(0.1, 0.08, 0.08)
    love.graphics.rectangle("fill", 1.6, -4.9, 1, 1.6)
  end
end

local draw = {}

-- Head, coat, an arm, and two feet that take turns.
function draw.player(step, coat, side)
  feet(step, side)
  love.graphics.setColor(coat)
  love.graphics.ellipse("fill", 0, 2, side == "right" and 4.2 or 5, 5.5)
  love.graphics.setColor(coat[1] * 0.7, coat[2] * 0.7, coat[3] * 0.7)
  if side == "right" then
    love.graphics.ellipse("fill", step * 1.6, 2.4, 1.4, 3)
  else
    love.graphics.ellipse("fill", -4.6, 2 + step, 1.2, 2.6)
    love.graphics.ellipse("fill", 4.6, 2 - step, 1.2, 2.6)
  end
  head(side, HAIR)
end
draw.villager, draw.prey = draw.player, draw.player

-- A helmet, and a shield.
function draw.knight(step, coat, side)
  draw.player(step, coat, side)
  head(side, STEEL)
  love.graphics.setColor(STEEL)
  if side ~= "up" then love.graphics.rectangle("fill", side == "right" and 1.5 or -6.4, 0, 4, 5, 1) end
end
draw.guard = draw.knight

-- A hood, and a blade.
function draw.bandit(step, coat, side)
  draw.player(step, coat, side)
  head(side, { 0.16, 0.13, 0.15 })
  love.graphics.setColor(STEEL)
  if side ~= "up" then love.graphics.polygon("fill", 4.6, 3.4, 6.2, -3.4, 7.2, -3, 5.8, 3.8) end
end
draw.raider = draw.bandit

-- A round body with horns; eyes where it goes.
function draw.monster(step, coat, side)
  love.graphics.setColor(coat[1] * 0.6, coat[2] * 0.6, coat[3] * 0.6)
  love.graphics.ellipse("fill", -3, 6.6 - math.max(0, step) * 1.6, 2.4, 1.6)
  love.graphics.ellipse("fill", 3, 6.6 - math.max(0, -step) * 1.6, 2.4, 1.6)
  love.graphics.setColor(0.9, 0.88, 0.8)
  love.graphics.polygon("fill", -5, -2, -5.6, -7, -2, -4)
  love.graphics.polygon("fill", 5, -2, 5.6, -7, 2, -4)
  love.graphics.setColor(coat)
  love.graphics.ellipse("fill", 0, 1, 6, 6)
  if side == "up" then return end
  local shift = side == "right" and 2.2 or 0
  love.graphics.setColor(1, 1, 1)
  love.graphics.circle("fill", shift - 2, -0.5, 1.7)
  love.graphics.circle("fill", shift + 2, -0.5, 1.7)
  love.graphics.setColor(0.1, 0.08, 0.1)
  love.graphics.circle("fill", shift - 1.7 + shift * 0.2, -0.2, 0.9)
  love.graphics.circle("fill", shift + 2 + shift * 0.2, -0.2, 0.9)
end

function draw.cart(step, coat, side)
  local is_lengthwise = side == "right"
  love.graphics.setColor(coat)
  love.graphics.rectangle("fill", is_lengthwise and -7.5 or -6, -5, is_lengthwise and 15 or 12, 9, 1)
  love.graphics.setColor(0.9, 0.85, 0.7)
  local cover = is_lengthwise and 11 or 10
  love.graphics.rectangle("fill", is_lengthwise and -6 or -5, -7, cover, side == "up" and 7 or 5, 2)
  for at = -1, 1, 2 do
    love.graphics.setColor(0.15, 0.12, 0.1)
    if is_lengthwise then
      love.graphics.setLineWidth(1)
      love.graphics.circle("line", at * 4.6, 5, 2.6)
      love.graphics.line(at * 4.6 - 2.6 * step, 5, at * 4.6 + 2.6 * step, 5)
    else
      love.graphics.rectangle("fill", at * 6 - 1, 1, 2, 7, 1)
    end
  end
end

function draw.duck(step, coat, side)
  local bob = step * 0.6
  love.graphics.setColor(coat)
  love.graphics.ellipse("fill", 0, 2 + bob, side == "right" and 6 or 4.6, 4)
  local x = side == "right" and 4 or 0
  love.graphics.circle("fill", x, -3 + bob, 2.8)
  if side == "up" then return end
  love.graphics.setColor(0.9, 0.45, 0.1)
  love.graphics.ellipse("fill", side == "right" and 7 or 0, -2.2 + bob, 1.8, 1)
  love.graphics.setColor(0.1, 0.08, 0.1)
  love.graphics.circle("fill", x + (side == "right" and 0.8 or -1.2), -4 + bob, 0.6)
  if side == "down" then love.graphics.circle("fill", 1.2, -4 + bob, 0.6) end
end

function draw.cat(step, coat, side)
  local is_lengthwise = side == "right"
  love.graphics.setLineWidth(1.6)
  love.graphics.setColor(coat)
  love.graphics.line(is_lengthwise and -5 or 0, 2, is_lengthwise and -7.5 or 4 * step, -2 + step * 1.5)
  love.graphics.ellipse("fill", 0, 3, is_lengthwise and 6 or 4, 3.4)
  local x = is_lengthwise and 4.4 or 0
  love.graphics.circle("fill", x, -1, 3)
  love.graphics.polygon("fill", x - 2.6, -2, x - 2, -5.4, x - 0.2, -3.2)
  love.graphics.polygon("fill", x + 2.6, -2, x + 2, -5.4, x + 0.2, -3.2)
  if side == "up" then return end
  love.graphics.setColor(0.75, 0.9, 0.35)
  love.graphics.circle("fill", x + (is_lengthwise and 1.2 or -1.1), -1.2, 0.7)
  if side == "down" then love.graphics.circle("fill", 1.1, -1.2, 0.7) end
  love.graphics.setLineWidth(1)
end

-- Draws somebody around (0, 0), 16 units wide. `phase` counts steps. `heading` is the name of a direction, an angle in
-- radians, or nil for somebody at rest, who faces forward. `coat` is another colour than the kind's own.
function art.person(kind, phase, heading, coat)
  local side, step = side_of(heading), heading and math.sin(phase * math.pi) or 0
  local width = love.graphics.getLineWidth()
  love.graphics.setColor(0, 0, 0, 0.25)
  love.graphics.ellipse("fill", 0, 7.6, 6, 2)
  coat = coat or art.COLORS[kind]
  if side == "left" then -- a mirror image
    love.graphics.push()
    love.graphics.scale(-1, 1)
    draw[kind](step, coat, "right")
    love.graphics.pop()
  else
    draw[kind](step, coat, side)
  end
  love.graphics.setLineWidth(width)
end

-- Draws somebody at a place of a view, as large as a unit of `size` cells.
function art.draw_person(view, x, y, kind, phase, heading, coat, size)
  local px, py = view:to_pixel(x, y)
  love.graphics.push()
  love.graphics.translate(math.floor(px + 0.5), math.floor(py + 0.5))
  love.graphics.scale((size or 1) * view.scale / SIDE)
  art.person(kind, phase, heading, coat)
  love.graphics.pop()
end

return art
