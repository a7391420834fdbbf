-- art.lua -- the village's tiles and people, drawn by code: no files needed.

local art = {}

local SIDE = 16

local function hex(text)
  return tonumber(text:sub(2, 3), 16) / 255, tonumber(text:sub(4, 5), 16) / 255, tonumber(text:sub(6, 7), 16) / 255
end

-- Fills a tile with a colour, speckled by another one; the same speckles every time.
local function speckle(tile, base, spots, density, seed)
  local random = love.math.newRandomGenerator(seed)
  for y = 0, SIDE - 1 do
    for x = 0, SIDE - 1 do
      tile(x, y, hex(random:random() < density and spots or base))
    end
  end
end

local function rows(tile, from, to, color, step)
  for y = from, to, step or 1 do
    for x = 0, SIDE - 1 do
      tile(x, y, hex(color))
    end
  end
end

local function disc(tile, cx, cy, radius, color)
  for y = 0, SIDE - 1 do
    for x = 0, SIDE - 1 do
      if (x - cx) ^ 2 + (y - cy) ^ 2 <= radius * radius then
        tile(x, y, hex(color))
      end
    end
  end
end

local TILES = {
  function(tile) speckle(tile, "#7aa857", "#6d9a4c", 0.2, 1) end, -- grass
  function(tile) -- flowers: on transparent ground
    for i, spot in ipairs { { 3, 4 }, { 10, 2 }, { 6, 10 }, { 12, 11 } } do
      disc(tile, spot[1], spot[2], 1.2, i % 2 == 0 and "#f0d050" or "#e8e8f0")
    end
  end,
  function(tile) speckle(tile, "#c9b07e", "#b89c6a", 0.15, 3) end, -- road
  function(tile) -- swamp
    speckle(tile, "#5c6b45", "#4a573a", 0.4, 4)
    disc(tile, 4, 5, 2, "#3f5a55")
    disc(tile, 11, 11, 3, "#3f5a55")
  end,
  function(tile) -- water
    speckle(tile, "#3f78b5", "#4784c2", 0.3, 5)
    rows(tile, 4, 4, "#6aa0d8")
    rows(tile, 11, 11, "#5890cc")
  end,
  function(tile) -- bridge
    rows(tile, 0, 15, "#8a6238")
    rows(tile, 3, 15, "#6d4c2a", 4)
  end,
  function(tile) -- wall
    rows(tile, 0, 15, "#8c8f99")
    rows(tile, 3, 15, "#6c6f78", 4)
    for y = 0, 15 do tile(y % 8 < 4 and 4 or 12, y, hex "#6c6f78") end
  end,
  function(tile) rows(tile, 0, 15, "#a0503c") end, -- roof
  function(tile) -- floor
    rows(tile, 0, 15, "#b98f63")
    rows(tile, 0, 15, "#a87f55", 5)
  end,
  function(tile) -- tree
    disc(tile, 8, 12, 2.2, "#5c4126")
    disc(tile, 8, 7, 6.5, "#2f6b3a")
    disc(tile, 6, 5, 3, "#3f8549")
  end,
}

-- All tiles beside each other, as map.tmx counts them.
function art.tiles()
  local pixels = love.image.newImageData(SIDE * #TILES, SIDE)
  for i, draw in ipairs(TILES) do
    draw(function(x, y, r, g, b)
      pixels:setPixel((i - 1) * SIDE + x, y, r, g, b, 1)
    end)
  end
  return pixels
end

-- One picture of every layer of tiles of the map, lowest first.
function art.map(map)
  local image = love.graphics.newImage(art.tiles())
  image:setFilter("nearest", "nearest")
  local batch = love.graphics.newSpriteBatch(image, map.width * map.height * 3)
  for _, layer in ipairs(map.layers) do
    for i, number in ipairs(layer.data or {}) do
      if number > 0 then
        local quad = love.graphics.newQuad((number - 1) * SIDE, 0, SIDE, SIDE, image:getDimensions())
        batch:add(quad, (i - 1) % map.width * SIDE, math.floor((i - 1) / map.width) * SIDE)
      end
    end
  end
  return batch
end

local COATS = {
  player = { 0.85, 0.25, 0.25 }, villager = { 0.25, 0.4, 0.75 }, cart = { 0.55, 0.36, 0.2 },
  duck = { 0.95, 0.85, 0.3 }, cat = { 0.3, 0.28, 0.3 },
}

local draw = {}

-- Head, coat and two feet that take turns.
function draw.player(step, coat)
  love.graphics.setColor(0.2, 0.15, 0.12)
  love.graphics.ellipse("fill", -3, 7 - math.max(0, step) * 2, 2.2, 1.6)
  love.graphics.ellipse("fill", 3, 7 - math.max(0, -step) * 2, 2.2, 1.6)
  love.graphics.setColor(coat)
  love.graphics.ellipse("fill", 0, 2, 5, 5.5)
  love.graphics.setColor(0.93, 0.78, 0.65)
  love.graphics.circle("fill", 0, -5, 3.6)
  love.graphics.setColor(0.3, 0.2, 0.12)
  love.graphics.arc("fill", 0, -5.4, 3.8, math.pi, 2 * math.pi)
end
draw.villager = draw.player

function draw.cart(step, coat)
  love.graphics.setColor(coat)
  love.graphics.rectangle("fill", -8, -5, 16, 9, 1)
  love.graphics.setColor(0.9, 0.85, 0.7)
  love.graphics.rectangle("fill", -6, -7, 12, 5, 2)
  for side = -1, 1, 2 do
    love.graphics.setColor(0.15, 0.12, 0.1)
    love.graphics.circle("line", side * 5, 5, 3)
    love.graphics.line(side * 5 - 3 * step, 5, side * 5 + 3 * step, 5)
  end
end

function draw.duck(step, coat)
  love.graphics.setColor(coat)
  love.graphics.ellipse("fill", 0, 2 + step * 0.6, 6, 4)
  love.graphics.circle("fill", 4, -3 + step * 0.6, 2.8)
  love.graphics.setColor(0.9, 0.45, 0.1)
  love.graphics.ellipse("fill", 7.4, -2.6 + step * 0.6, 2, 1)
end

function draw.cat(step, coat)
  love.graphics.setColor(coat)
  love.graphics.ellipse("fill", 0, 3, 6, 3.4)
  love.graphics.circle("fill", 5, -1, 3)
  love.graphics.polygon("fill", 3, -3, 4, -6, 5.4, -3)
  love.graphics.polygon("fill", 5, -3, 6.6, -6, 7.4, -2.6)
  love.graphics.setLineWidth(1.6)
  love.graphics.line(-5, 2, -8, -2 + step * 1.5)
end

-- One of the people around (0, 0), 16 units wide. `phase` counts steps.
function art.person(kind, phase)
  love.graphics.setColor(0, 0, 0, 0.25)
  love.graphics.ellipse("fill", 0, 8, 6, 2)
  draw[kind](math.sin(phase * math.pi), COATS[kind])
end

-- A door on its cell, whose corner is (0, 0).
function art.door(is_open)
  love.graphics.setColor(0.45, 0.27, 0.13)
  love.graphics.rectangle("fill", is_open and 0 or 1, 1, is_open and 3 or 14, 14)
  love.graphics.setColor(0.9, 0.75, 0.3)
  love.graphics.circle("fill", is_open and 2 or 12, 8, 1.2)
end

return art
