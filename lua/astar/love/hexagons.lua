-- hexagons.lua -- Views of hexagonal grids, for love.lua and its other files.
--
-- Positions ("places" in the code) have the coordinates of grid:center, in which neighbours are 1 apart. `scale` is
-- this distance in pixels. A picture of hexagons is one batch of sprites; each sprite is a white hexagon that is
-- drawn in the colour of its cell. The picture has the same methods as a picture of one pixel per cell, so the code
-- that paints it works for both.

local ABOVE = (...):match "^(.+)[./][^./]+[./][^./]+$"
local core = require(ABOVE .. ".load_core")

local M = {}

local LINES = math.sqrt(3) / 2 -- distance between two lines of hexagons
local LONG = 1 / math.sqrt(3)  -- distance from the middle of a hexagon to a corner
local PIXELS = 128             -- distance between opposite sides of the sprite, in pixels

-- Methods of a grid, as functions.
local a_grid = core.grid(1, 1)
local center, cell_at, shape = a_grid.center, a_grid.cell_at, a_grid.shape

-- Sets view.hexagons if the view's grid is hexagonal.
function M.prepare(view)
  local kind, offset = shape(view.grid)
  if kind == "hex" then
    view.hexagons = { in_rows = offset:sub(-1) == "r" }
    view.hexagons.reach_x = view.hexagons.in_rows and 0.5 or LONG
    view.hexagons.reach_y = view.hexagons.in_rows and LONG or 0.5
  end
end

-- Returns the width and height of the grid, in the unit of positions.
function M.extent(view)
  local columns, rows = view.x1 - view.x0 + 1, view.y1 - view.y0 + 1
  if view.hexagons.in_rows then
    return columns + (rows > 1 and 0.5 or 0), (rows - 1) * LINES + 2 * LONG
  end
  return (columns - 1) * LINES + 2 * LONG, rows + (columns > 1 and 0.5 or 0)
end

-- Converts a pixel to a position. M.to_pixel converts a position to a pixel.
function M.to_place(view, px, py)
  return view.x0 + (px - view.x) / view.scale - view.hexagons.reach_x,
    view.y0 + (py - view.y) / view.scale - view.hexagons.reach_y
end

function M.to_pixel(view, x, y)
  return view.x + (x - view.x0 + view.hexagons.reach_x) * view.scale,
    view.y + (y - view.y0 + view.hexagons.reach_y) * view.scale
end

function M.to_cell(view, px, py)
  local x, y = M.to_place(view, px, py)
  if math.abs(x) < 2 ^ 30 and math.abs(y) < 2 ^ 30 then
    return cell_at(view.grid, x, y)
  end
end

-- Returns the pixel in the middle of a cell.
function M.cell_to_pixel(view, x, y)
  return M.to_pixel(view, center(view.grid, x, y))
end

-- Returns a flat list of the corners of a hexagon around a pixel. `size` is a factor: 1 is the size of a cell.
function M.corners(view, px, py, size)
  local points, first = {}, view.hexagons.in_rows and 30 or 0
  for i = 0, 5 do
    local angle = math.rad(first + 60 * i)
    points[#points + 1] = px + math.cos(angle) * LONG * view.scale * size
    points[#points + 1] = py + math.sin(angle) * LONG * view.scale * size
  end
  return points
end

-- Returns the first and last column and row of the grid's cells that a rectangle of pixels may show.
function M.visible_cells(view, left, top, width, height)
  local x0, y0 = M.to_place(view, left, top)
  local x1, y1 = M.to_place(view, left + width, top + height)
  local column = view.hexagons.in_rows and 1 or LINES
  local row = view.hexagons.in_rows and LINES or 1
  local function within(number, least, most)
    return math.max(least, math.min(most, number))
  end
  return within(view.x0 + math.floor((x0 - view.x0) / column) - 1, view.x0, view.x1),
    within(view.y0 + math.floor((y0 - view.y0) / row) - 1, view.y0, view.y1),
    within(view.x0 + math.ceil((x1 - view.x0) / column) + 1, view.x0, view.x1),
    within(view.y0 + math.ceil((y1 - view.y0) / row) + 1, view.y0, view.y1)
end

-- Returns the image of a white hexagon with smooth edges.
local function hexagon_image(view, love)
  local in_rows = view.hexagons.in_rows
  local long = math.ceil(PIXELS * 2 * LONG)
  local pixels = love.image.newImageData(in_rows and PIXELS or long, in_rows and long or PIXELS)
  local width, height = pixels:getDimensions()
  pixels:mapPixel(function(px, py)
    local x, y = math.abs(px + 0.5 - width / 2), math.abs(py + 0.5 - height / 2)
    local aside, along = in_rows and x or y, in_rows and y or x
    local beyond = math.max(aside, aside / 2 + along * LINES) - PIXELS / 2 -- distance outside the hexagon, in pixels
    return 1, 1, 1, math.max(0, math.min(1, 0.5 - beyond))
  end)
  return love.graphics.newImage(pixels)
end

-- The class of the colours of a picture's cells. They are set like the pixels of an image. The object records which
-- colours were set since the picture was last drawn.
local Colors = {}
Colors.__index = Colors

function Colors:setPixel(x, y, r, g, b, a)
  local place = y * self.width + x
  local color = self.cells[place]
  if not color then
    color = {}
    self.cells[place] = color
  end
  color[1], color[2], color[3], color[4] = r, g, b, a
  self.changed[#self.changed + 1] = place
end

function Colors:clear()
  self.cells, self.changed, self.is_cleared = {}, {}, true
end

function M.new_picture(view, love)
  view.hexagons.image = view.hexagons.image or hexagon_image(view, love)
  local width, height = view.x1 - view.x0 + 1, view.y1 - view.y0 + 1
  return {
    pixels = setmetatable({ width = width, height = height, cells = {}, changed = {} }, Colors),
    batch = love.graphics.newSpriteBatch(view.hexagons.image, math.min(width * height, 16384), "dynamic"),
    sprites = {}, -- the sprite of each cell, by its number
    is_stale = false,
  }
end

-- Sets the colours of the sprites. A cell gets a sprite when its first colour is set.
local function fill_batch(view, picture)
  local image, batch, pixels, sprites = view.hexagons.image, picture.batch, picture.pixels, picture.sprites
  local ox, oy, width = image:getWidth() / 2, image:getHeight() / 2, pixels.width
  if pixels.is_cleared then
    batch:clear()
    pixels.is_cleared, sprites = false, {}
    picture.sprites = sprites
  end
  for _, place in ipairs(pixels.changed) do
    local color, sprite = pixels.cells[place], sprites[place]
    if sprite or color[4] > 0 then
      local x, y = center(view.grid, view.x0 + place % width, view.y0 + math.floor(place / width))
      x, y = x - view.x0 + view.hexagons.reach_x, y - view.y0 + view.hexagons.reach_y
      batch:setColor(color[1], color[2], color[3], color[4])
      if sprite then
        batch:set(sprite, x, y, 0, 1 / PIXELS, 1 / PIXELS, ox, oy)
      else
        sprites[place] = batch:add(x, y, 0, 1 / PIXELS, 1 / PIXELS, ox, oy)
      end
    end
  end
  pixels.changed = {}
end

function M.show_picture(view, picture, love)
  if picture.is_stale then
    fill_batch(view, picture)
    picture.is_stale = false
  end
  love.graphics.setColor(1, 1, 1)
  love.graphics.draw(picture.batch, view.x, view.y, 0, view.scale, view.scale)
end

-- Draws the outlines of the cells that can be seen.
function M.draw_lines(view, love)
  local left, top, width, height = love.graphics.getScissor()
  if not left then
    left, top, width, height = 0, 0, love.graphics.getDimensions()
  end
  local x0, y0, x1, y1 = M.visible_cells(view, left, top, width, height)
  for y = y0, y1 do
    for x = x0, x1 do
      local px, py = M.cell_to_pixel(view, x, y)
      love.graphics.polygon("line", M.corners(view, px, py, 1))
    end
  end
end

local ANGLES = {
  north = -90, north_east = { -60, -30 }, east = 0, south_east = { 60, 30 }, south = 90, south_west = { 120, 150 },
  west = 180, north_west = { -120, -150 },
}

-- Draws a wall as a thick line along a side. A one-way wall is drawn inside the cell.
function M.draw_wall(view, love, wall)
  local px, py = M.cell_to_pixel(view, wall.x, wall.y)
  local angle, thick = ANGLES[wall.direction], math.max(1, view.scale / 10)
  angle = math.rad(type(angle) == "table" and angle[view.hexagons.in_rows and 1 or 2] or angle)
  local dx, dy = math.cos(angle), math.sin(angle)
  local apart = view.scale / 2 - (wall.one_way and thick / 2 or 0)
  local half = view.scale * LONG / 2
  love.graphics.setLineWidth(wall.one_way and thick or 2 * thick)
  love.graphics.line(px + dx * apart - dy * half, py + dy * apart + dx * half, px + dx * apart + dy * half,
    py + dy * apart - dx * half)
end

return M
