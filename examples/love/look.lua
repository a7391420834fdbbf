-- look.lua -- how the prototypes look: a legend below the map, routes, goals and tokens. Colours are art.lua's.

local art = require "art"

local look = { COLORS = art.COLORS, is_light = false }

local PADDING, LINE, GAP, SWATCH = 12, 24, 18, 14

local THEMES = {
  dark = {
    panel = { 0.12, 0.13, 0.16 }, back = { 0.08, 0.085, 0.105 }, dim = { 0.75, 0.78, 0.83 }, bright = { 1, 1, 1 },
    key = { 0.25, 0.27, 0.33 }, card = { 0.18, 0.20, 0.25 }, lit = { 0.27, 0.30, 0.37 }, accent = { 0.98, 0.78, 0.32 },
  },
  light = {
    panel = { 0.965, 0.955, 0.93 }, back = { 0.88, 0.87, 0.84 }, dim = { 0.27, 0.28, 0.31 },
    bright = { 0.08, 0.08, 0.10 }, key = { 0.86, 0.84, 0.79 }, card = { 0.965, 0.955, 0.93 }, lit = { 1, 1, 1 },
    accent = { 0.62, 0.38, 0.02 },
  },
}

local ANGLES = {}
for i, heading in ipairs {
  "east", "south_east", "south", "south_west", "west", "north_west", "north", "north_east",
} do
  ANGLES[heading] = (i - 1) * math.pi / 4
end
look.ANGLES = ANGLES

-- ---- light, dark, and letters ----

-- The colours of what is around the map.
function look.theme()
  return look.is_light and THEMES.light or THEMES.dark
end

-- Clears the window. Call it first in love.draw.
function look.clear()
  love.graphics.clear(look.theme().back)
end

-- Turns light to dark and back, by the key L. Returns true if the key was that.
function look.key(key)
  if key ~= "l" then return false end
  look.is_light = not look.is_light
  return true
end

local fonts = {}

-- LÖVE's own font at so many pixels. Letters are as sharp as they can be if they are not scaled after that.
function look.font(size)
  fonts[size] = fonts[size] or love.graphics.newFont(size)
  return fonts[size]
end

-- Writes text at whole pixels.
function look.write(text, x, y, size)
  love.graphics.setFont(look.font(size or 13))
  love.graphics.print(text, math.floor(x + 0.5), math.floor(y + 0.5))
end

-- ---- the legend ----

local Legend = {}
Legend.__index = Legend

-- swatches: { { color, what it stands for } }; keys: { { "left button", "walk there" } }.
function look.legend(swatches, keys)
  local all = {}
  for i, key in ipairs(keys) do all[i] = key end
  table.insert(all, #all, { "L", "light or dark" }) -- before the last one, Escape
  return setmetatable({ swatches = swatches, keys = all }, Legend)
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

local function width_of(text) return look.font(13):getWidth(text) end

local function swatch_width(item) return SWATCH + 6 + width_of(item[2]) end

local function key_width(item) return width_of(item[1]) + 18 + width_of(item[2]) end

local function draw_swatch(item, x, y)
  local theme = look.theme()
  love.graphics.setColor(theme.dim)
  love.graphics.rectangle("fill", x, y, SWATCH, SWATCH)
  love.graphics.setColor(item[1])
  love.graphics.rectangle("fill", x + 1, y + 1, SWATCH - 2, SWATCH - 2)
  love.graphics.setColor(theme.dim)
  look.write(item[2], x + SWATCH + 6, y - 1)
end

local function draw_key(item, x, y)
  local theme, width = look.theme(), width_of(item[1])
  love.graphics.setColor(theme.key)
  love.graphics.rectangle("fill", x, y - 3, width + 10, LINE - 4, 3)
  love.graphics.setColor(theme.bright)
  look.write(item[1], x + 5, y - 1)
  love.graphics.setColor(theme.dim)
  look.write(item[2], x + width + 18, y - 1)
end

-- How many pixels it takes below the map, at the window's width.
function Legend:height()
  if look.is_bare then return 0 end
  local y = flow(self.swatches, swatch_width, PADDING + LINE, nothing)
  return flow(self.keys, key_width, y, nothing) + PADDING - 4
end

-- Draws it at the bottom of the window, under what there is to say now.
function Legend:draw(text)
  if look.is_bare then return end -- a picture without words
  local theme, width, height = look.theme(), love.graphics.getDimensions()
  local top = height - self:height()
  love.graphics.setColor(theme.panel)
  love.graphics.rectangle("fill", 0, top, width, height - top)
  love.graphics.setColor(theme.bright)
  look.write(text, PADDING, top + PADDING - 3, 14)
  flow(self.keys, key_width, flow(self.swatches, swatch_width, top + PADDING + LINE, draw_swatch), draw_key)
end

-- Makes a view's map as large as fits above it.
function Legend:fit(view, margin)
  local width, height = love.graphics.getDimensions()
  view:fit(margin, margin, width - 2 * margin, height - self:height() - 2 * margin)
end

-- ---- on the map ----

-- Returns true if a route leaves its i-th cell by a link that leads farther than to a neighbour, as stairs do.
local function is_jump(path, i)
  if not path:link(i) then return false end
  local x, y = path:cell(i)
  local nx, ny = path:cell(i + 1)
  return math.max(math.abs(nx - x), math.abs(ny - y)) > 1
end

-- Draws a route as the line that a walker follows. Where the route takes a link to somewhere else, as stairs are, the
-- line ends, and begins again there: nothing is drawn across what lies between. Returns the parts in that case.
function look.route(view, path, color)
  local parts, points = {}, {}
  for i = 1, #path do
    points[#points + 1], points[#points + 2] = view:to_pixel(path:cell(i))
    if i == #path or is_jump(path, i) then
      parts[#parts + 1], points = points, {}
    end
  end
  color = color or art.COLORS.route
  if #parts == 1 then return view:draw_path(path, color) end
  local width, join = love.graphics.getLineWidth(), love.graphics.getLineJoin()
  local thick = math.max(2, view.scale / 6)
  love.graphics.setLineJoin "bevel"
  love.graphics.setLineWidth(thick)
  love.graphics.setColor(color)
  for _, part in ipairs(parts) do
    if #part > 2 then love.graphics.line(part) end
    love.graphics.circle("fill", part[1], part[2], thick * 0.75)
    love.graphics.circle("fill", part[#part - 1], part[#part], thick * 0.75)
  end
  love.graphics.setLineWidth(width)
  love.graphics.setLineJoin(join)
  return parts
end

-- Somebody at a place of the map who is too small to be a picture: a disc with a nose to where it goes.
function look.token(view, x, y, color, heading)
  local px, py = view:to_pixel(x, y)
  local radius = view.scale * 0.36
  love.graphics.setColor(0, 0, 0, 0.35)
  love.graphics.ellipse("fill", px, py + radius * 0.55, radius, radius * 0.75)
  love.graphics.setColor(color)
  love.graphics.circle("fill", px, py, radius)
  local angle = ANGLES[heading] or heading
  if angle then
    local function at(turn, far) return px + math.cos(angle + turn) * far, py + math.sin(angle + turn) * far end
    local x1, y1 = at(0, radius * 1.6)
    local x2, y2 = at(0.7, radius * 0.95)
    local x3, y3 = at(-0.7, radius * 0.95)
    love.graphics.polygon("fill", x1, y1, x2, y2, x3, y3)
  end
end

-- A place to go to: a flag in a ring on the ground.
function look.goal(view, x, y, color)
  local px, py = view:to_pixel(x, y)
  local s, width = view.scale, love.graphics.getLineWidth()
  love.graphics.setLineWidth(math.max(1, s * 0.08))
  love.graphics.setColor(0, 0, 0, 0.35)
  love.graphics.circle("line", px, py + 1, s * 0.36)
  love.graphics.setColor(color or art.COLORS.goal)
  love.graphics.circle("line", px, py, s * 0.36)
  love.graphics.circle("fill", px, py, s * 0.14)
  love.graphics.setLineWidth(width)
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
          love.graphics.rectangle("fill", left, top + scale, scale, edge)
        end
      end
    end
  end
end

return look
