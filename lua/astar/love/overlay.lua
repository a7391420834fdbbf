-- overlay.lua -- Draws searches and flow fields over a view's terrain, for love.lua.
--
-- The cells of a search, or the distances of a flow, are painted into a picture of one pixel per cell. The picture is
-- painted only if something has changed: another search or flow, or further steps. After an edit of the grid only the
-- cells with changed distances are painted. If cells are large enough, arrows are drawn in one batch, and numbers.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local hexagons = require(FOLDER .. ".hexagons")
local numbers = require(ABOVE .. ".numbers")

local M = {}

-- Size of a cell in pixels from which on numbers are drawn, and size from which on arrows are drawn.
local NUMBERS_FROM, ARROWS_FROM = 72, 12

-- Methods of a grid, as functions.
local a_grid = core.grid(1, 1)
local version, is_walkable, center = a_grid.version, a_grid.is_walkable, a_grid.center
local block_layers = a_grid.block_layers
local distances, differences = core.distances, core.differences
local atan2 = math.atan2 or math.atan -- math.atan takes two arguments since Lua 5.3

local function distance_to_segment(x, y, ax, ay, bx, by)
  local dx, dy = bx - ax, by - ay
  local t = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)
  t = math.max(0, math.min(1, t))
  local ex, ey = x - ax - t * dx, y - ay - t * dy
  return math.sqrt(ex * ex + ey * ey)
end

-- Returns an image of an arrow to the east, in a square of `side` pixels.
local function arrow_image(love, side)
  local pixels = love.image.newImageData(side, side)
  pixels:mapPixel(function(px, py)
    local x, y = px + 0.5 - side / 2, math.abs(py + 0.5 - side / 2)
    local distance = math.min(distance_to_segment(x, y, -0.32 * side, 0, 0.32 * side, 0),
      distance_to_segment(x, y, 0.32 * side, 0, 0.13 * side, 0.19 * side))
    return 1, 1, 1, math.max(0, math.min(1, 1.25 - distance))
  end)
  return love.graphics.newImage(pixels)
end

-- Returns an empty batch of arrows of the size of the view's cells.
local function new_arrows(view, love)
  local side = math.floor(view.scale)
  local arrows = view.arrows
  if not arrows or arrows.side ~= side then
    local image = arrow_image(love, side)
    arrows = { side = side, batch = love.graphics.newSpriteBatch(image, 256, "stream") }
    view.arrows = arrows
  end
  arrows.batch:clear()
  return arrows
end

-- Adds an arrow at the centre of a cell towards another cell, which need not be a neighbour.
local function add_arrow(view, arrows, x, y, nx, ny)
  if x ~= nx or y ~= ny then
    x, y = center(view.grid, x, y)
    nx, ny = center(view.grid, nx, ny)
    local px, py = view:to_pixel(x, y)
    local scale, middle = view.scale / arrows.side, arrows.side / 2
    arrows.batch:add(px, py, atan2(ny - y, nx - x), scale, scale, middle, middle)
  end
end

-- Returns a picture of one pixel per cell, which is scaled up when it is drawn.
function M.new_picture(view, love)
  if view.hexagons then
    return hexagons.new_picture(view, love)
  end
  local pixels = love.image.newImageData(view.x1 - view.x0 + 1, view.y1 - view.y0 + 1)
  local image = love.graphics.newImage(pixels)
  image:setFilter("nearest", "nearest")
  return { pixels = pixels, image = image, is_stale = false }
end

function M.show_picture(view, picture, love)
  if view.hexagons then
    return hexagons.show_picture(view, picture, love)
  end
  if picture.is_stale then
    picture.image:replacePixels(picture.pixels)
    picture.is_stale = false
  end
  love.graphics.setColor(1, 1, 1)
  love.graphics.draw(picture.image, view.x, view.y, 0, view.scale, view.scale)
end

local function clear(view, overlay)
  if view.hexagons then
    overlay.pixels:clear()
  else
    overlay.pixels:paste(overlay.blank, 0, 0, 0, 0, overlay.blank:getDimensions())
  end
  overlay.distances = nil
end

-- Returns an empty overlay for a search or flow in its present state. Returns nil if the overlay already shows this
-- state.
local function begin(view, love, source, stamp)
  local overlay = view.overlay
  if overlay and overlay.source == source and overlay.stamp == stamp then
    return nil
  elseif overlay then
    clear(view, overlay)
  else
    overlay = M.new_picture(view, love)
    overlay.blank = not view.hexagons and overlay.pixels:clone()
    view.overlay = overlay
  end
  overlay.is_stale, overlay.source, overlay.stamp = true, source, stamp
  return overlay
end

-- Returns the first and last column and row that can be seen.
local function visible_cells(view, love)
  local left, top, width, height = love.graphics.getScissor()
  if not left then
    left, top, width, height = 0, 0, love.graphics.getDimensions()
  end
  if view.hexagons then
    return hexagons.visible_cells(view, left, top, width, height)
  end
  return view.x0 + math.floor((left - view.x) / view.scale), view.y0 + math.floor((top - view.y) / view.scale),
    view.x0 + math.floor((left + width - view.x) / view.scale),
    view.y0 + math.floor((top + height - view.y) / view.scale)
end

local FIELDS = 8 -- entries of the list per cell: x, y, is_open, g, h, f, the parent's x and y or false

local function list_search(list, search)
  local count, open = 0, 0
  for x, y, state, g, h, f, px, py in search:cells() do
    local is_open = state == "open"
    list[count + 1], list[count + 2], list[count + 3], list[count + 4] = x, y, is_open, g
    list[count + 5], list[count + 6], list[count + 7], list[count + 8] = h, f, px or false, py or false
    count, open = count + FIELDS, is_open and open + 1 or open
  end
  return count, open
end

-- Paints the cells of a search. LuaJIT can compile this loop because it is separate from the loop that reads the
-- search.
local function paint_search(pixels, list, count, x0, y0, theme)
  local open, closed = theme.open, theme.closed
  for i = 1, count, FIELDS do
    local color = list[i + 2] and open or closed
    pixels:setPixel(list[i] - x0, list[i + 1] - y0, color[1], color[2], color[3], color[4] or 1)
  end
end

local function draw_numbers(view, love, x, y, g, h, f)
  local px, py = view:to_pixel(center(view.grid, x, y))
  local left, top = px - view.scale / 2 + 3, py - view.scale / 2 + 2
  local width, line = view.scale - 6, love.graphics.getFont():getHeight()
  love.graphics.print(numbers.write(f, "%.1f"), left, top)
  love.graphics.print(numbers.write(g, "%.1f"), left, top + view.scale - line - 4)
  love.graphics.printf(numbers.write(h, "%.1f"), left, top + view.scale - line - 4, width, "right")
end

local function draw_details(view, love, list, count)
  local x0, y0, x1, y1 = visible_cells(view, love)
  local arrows, has_numbers = new_arrows(view, love), view.scale >= NUMBERS_FROM
  love.graphics.setColor(view.theme.ink)
  for i = 1, count, FIELDS do
    local x, y = list[i], list[i + 1]
    if x >= x0 and x <= x1 and y >= y0 and y <= y1 then
      if list[i + 6] then
        add_arrow(view, arrows, x, y, list[i + 6], list[i + 7])
      end
      if has_numbers then
        draw_numbers(view, love, x, y, list[i + 3], list[i + 4], list[i + 5])
      end
    end
  end
  love.graphics.draw(arrows.batch)
end

-- Draws the cells that a search has reached. Returns the numbers of open and of closed cells.
function M.draw_search(view, search, love)
  local overlay = begin(view, love, search, search.status .. search.expanded)
  if overlay then
    overlay.list = overlay.list or {}
    overlay.count, overlay.open = list_search(overlay.list, search)
    paint_search(overlay.pixels, overlay.list, overlay.count, view.x0, view.y0, view.theme)
  end
  overlay = view.overlay
  M.show_picture(view, overlay, love)
  if view.scale >= ARROWS_FROM then
    draw_details(view, love, overlay.list, overlay.count)
  end
  return overlay.open, overlay.count / FIELDS - overlay.open
end

-- Returns the distance for the first colour, and the span of distances up to the last colour. Both are rounded to
-- coarse steps, to a little less than the least and more than the greatest distance. Therefore an edit seldom changes
-- all colours.
local function range_of(least, most)
  if most > least then
    local span = 2 ^ (math.ceil(4 * math.log(most - least) / math.log(2) - 1e-9) / 4)
    return math.floor(8 * least / span) * span / 8, span
  end
  return least == least and least or 0, 1 -- one distance, or none
end

-- Paints the cells of a list in which numbers of cells, counted from 0, and distances alternate.
local function paint_flow(view, overlay, list)
  local near, far, alpha = view.theme.near, view.theme.far, view.theme.near[4] or 1
  local pixels, width, least, span = overlay.pixels, view.x1 - view.x0 + 1, overlay.least, overlay.span
  for i = 1, #list, 2 do
    local x = list[i] % width
    local y = (list[i] - x) / width
    if list[i + 1] then
      local t = math.min(1, (list[i + 1] - least) / span)
      pixels:setPixel(x, y, near[1] + (far[1] - near[1]) * t, near[2] + (far[2] - near[2]) * t,
        near[3] + (far[3] - near[3]) * t, alpha)
    else
      pixels:setPixel(x, y, 0, 0, 0, 0)
    end
  end
  overlay.is_stale = true
end

-- Paints the cells whose distance has changed since they were painted, or all cells if the range of colours has
-- changed.
local function paint_changes(view, overlay, flow)
  local now, least, most = distances(flow)
  if #now ~= 4 * (view.x1 - view.x0 + 1) * (view.y1 - view.y0 + 1) then
    error("flow is over a grid of another size than the view's", 4)
  end
  local from, span = range_of(least, most)
  local before = overlay.distances
  if from ~= overlay.least or span ~= overlay.span then
    before = nil
    clear(view, overlay)
  end
  overlay.distances, overlay.least, overlay.span = now, from, span
  paint_flow(view, overlay, differences(now, before))
end

local function draw_ways(view, love, flow)
  local x0, y0, x1, y1 = visible_cells(view, love)
  local arrows = new_arrows(view, love)
  for y = math.max(y0, view.y0), math.min(y1, view.y1) do
    for x = math.max(x0, view.x0), math.min(x1, view.x1) do
      local nx, ny = flow:next(x, y)
      if nx and ny and (is_walkable(view.grid, x, y) or #block_layers(view.grid, x, y) == 0) then
        add_arrow(view, arrows, x, y, nx, ny)
      end
    end
  end
  love.graphics.setColor(view.theme.ink)
  love.graphics.draw(arrows.batch)
end

-- Draws the distances of a flow field and an arrow for the next step from each cell. tostring(flow) contains the
-- number of expanded cells, which grows after an edit of the grid or of an avoided field. Therefore it shows whether
-- the flow has changed.
function M.draw_flow(view, flow, love)
  flow:complete()
  local stamp, overlay = version(view.grid) .. tostring(flow), view.overlay
  if not overlay or overlay.source ~= flow then
    overlay = begin(view, love, flow, stamp)
    paint_changes(view, overlay, flow)
  elseif overlay.stamp ~= stamp then
    overlay.stamp = stamp
    paint_changes(view, overlay, flow)
  end
  M.show_picture(view, overlay, love)
  if view.scale >= ARROWS_FROM then
    draw_ways(view, love, flow)
  end
end

return M
