-- look.lua -- how the small prototypes look: a legend below the map, tokens that face where they go, relief.

local look = {}

local PADDING, LINE, GAP, SWATCH = 12, 22, 18, 14
local DIM, BRIGHT, PANEL = { 0.72, 0.75, 0.80 }, { 1, 1, 1 }, { 0.12, 0.13, 0.16 }

local ANGLES = {}
for i, heading in ipairs {
  "east", "south_east", "south", "south_west", "west", "north_west", "north", "north_east",
} do
  ANGLES[heading] = (i - 1) * math.pi / 4
end

-- ---- the legend ----

local Legend = {}
Legend.__index = Legend

-- swatches: { { color, what it stands for } }; keys: { { "left button", "walk there" } }.
function look.legend(swatches, keys)
  return setmetatable({ swatches = swatches, keys = keys }, Legend)
end

-- Where each item of a row stands that goes on below where a line is full: calls f(item, x, y); the next free y.
local function flow(items, width_of, top, f)
  local x, y, right = PADDING, top, love.graphics.getWidth() - PADDING
  for _, item in ipairs(items) do
    local width = width_of(item)
    if x > PADDING and x + width > right then
      x, y = PADDING, y + LINE
    end
    f(item, x, y)
    x = x + width + GAP
  end
  return y + LINE
end

local function nothing() end

local function swatch_width(item)
  return SWATCH + 6 + love.graphics.getFont():getWidth(item[2])
end

local function key_width(item)
  return love.graphics.getFont():getWidth(item[1]) + 18 + love.graphics.getFont():getWidth(item[2])
end

local function draw_swatch(item, x, y)
  love.graphics.setColor(item[1])
  love.graphics.rectangle("fill", x, y, SWATCH, SWATCH, 3)
  love.graphics.setColor(DIM)
  love.graphics.print(item[2], x + SWATCH + 6, y - 1)
end

local function draw_key(item, x, y)
  local width = love.graphics.getFont():getWidth(item[1])
  love.graphics.setColor(0.24, 0.26, 0.31)
  love.graphics.rectangle("fill", x, y - 2, width + 10, LINE - 4, 4)
  love.graphics.setColor(BRIGHT)
  love.graphics.print(item[1], x + 5, y - 1)
  love.graphics.setColor(DIM)
  love.graphics.print(item[2], x + width + 18, y - 1)
end

-- How many pixels it takes below the map, at the window's width.
function Legend:height()
  local y = flow(self.swatches, swatch_width, PADDING + LINE, nothing)
  return flow(self.keys, key_width, y, nothing) + PADDING - 4
end

-- Draws it at the bottom of the window, under what there is to say now.
function Legend:draw(text)
  local width, height = love.graphics.getDimensions()
  local top = height - self:height()
  love.graphics.setColor(PANEL)
  love.graphics.rectangle("fill", 0, top, width, height - top)
  love.graphics.setColor(BRIGHT)
  love.graphics.print(text, PADDING, top + PADDING - 3)
  flow(self.keys, key_width, flow(self.swatches, swatch_width, top + PADDING + LINE, draw_swatch), draw_key)
end

-- Makes a view's map as large as fits above it.
function Legend:fit(view, margin)
  local width, height = love.graphics.getDimensions()
  view:fit(margin, margin, width - 2 * margin, height - self:height() - 2 * margin)
end

-- ---- on the map ----

-- Somebody at a place of the map: a disc with a nose to where it goes.
function look.token(view, x, y, color, heading)
  local px, py = view:to_pixel(x, y)
  local radius = view.scale * 0.36
  love.graphics.setColor(0, 0, 0, 0.35)
  love.graphics.ellipse("fill", px, py + radius * 0.55, radius, radius * 0.75)
  love.graphics.setColor(color)
  love.graphics.circle("fill", px, py, radius)
  local angle = ANGLES[heading]
  if angle then
    local function at(turn, far) return px + math.cos(angle + turn) * far, py + math.sin(angle + turn) * far end
    local x1, y1 = at(0, radius * 1.6)
    local x2, y2 = at(0.7, radius * 0.95)
    local x3, y3 = at(-0.7, radius * 0.95)
    love.graphics.polygon("fill", x1, y1, x2, y2, x3, y3)
  end
  love.graphics.setColor(1, 1, 1, 0.8)
  love.graphics.circle("line", px, py, radius)
end

-- A place to go to: a disc within rings.
function look.goal(view, x, y, color)
  local px, py = view:to_pixel(x, y)
  love.graphics.setColor(color)
  love.graphics.circle("fill", px, py, view.scale * 0.2)
  love.graphics.setLineWidth(math.max(1, view.scale * 0.07))
  love.graphics.circle("line", px, py, view.scale * 0.36)
  love.graphics.setLineWidth(1)
end

-- Light from the north upon what stands there, shade below it: for cells of which is_high(x, y) holds.
function look.relief(view, grid, is_high)
  local x0, y0, x1, y1 = grid:bounds()
  local scale, edge = view.scale, math.max(2, view.scale * 0.12)
  for y = y0, y1 do
    for x = x0, x1 do
      if is_high(x, y) then
        local px, py = view:to_pixel(x, y)
        local left, top = px - scale / 2, py - scale / 2
        if y == y0 or not is_high(x, y - 1) then
          love.graphics.setColor(1, 1, 1, 0.25)
          love.graphics.rectangle("fill", left, top, scale, edge)
        end
        if y < y1 and not is_high(x, y + 1) then
          love.graphics.setColor(0, 0, 0, 0.35)
          love.graphics.rectangle("fill", left, top + scale - edge, scale, edge * 2.2)
        end
      end
    end
  end
end

-- Tufts, stones and the like: a few strokes a cell, the same each time, away from its middle.
function look.tufts(view, grid, is_bare, color)
  local x0, y0, x1, y1 = grid:bounds()
  love.graphics.setColor(color)
  for y = y0, y1 do
    for x = x0, x1 do
      local seed = (x * 7919 + y * 104729) % 97
      if seed % 3 == 0 and is_bare(x, y) then
        local px, py = view:to_pixel(grid:center(x, y))
        px = px + view.scale * (0.18 + seed / 97 * 0.16) * (seed % 2 == 0 and 1 or -1)
        py = py + view.scale * (0.15 + seed % 13 / 13 * 0.15) * (seed % 5 < 3 and 1 or -1)
        local size = view.scale * 0.07
        love.graphics.line(px - size, py - size, px, py + size, px + size, py - size)
      end
    end
  end
end

return look
