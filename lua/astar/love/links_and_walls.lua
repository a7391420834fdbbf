-- links_and_walls.lua -- Draws thin walls and links over a view's terrain, for love.lua.
--
-- A wall is drawn as a bar on the line between two cells. A one-way wall is drawn on the side of the line from which
-- it bars steps. A link is a line between two rings, with an arrow head if it is one-way.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local hexagons = require(FOLDER .. ".hexagons")
local line_width = require(FOLDER .. ".line_width")

local M = {}

local SHOWN_FROM = 4 -- size of a cell in pixels from which on links and walls are drawn

-- The data for each side of a cell: where the side begins, in fractions of the cell; whether it is horizontal; and
-- the offset, in widths of the bar, of a bar that is drawn inside the cell.
local SIDES = {
  north = { x = 0, y = 0, is_level = true, inside = 0 },
  south = { x = 0, y = 1, is_level = true, inside = -1 },
  west = { x = 0, y = 0, is_level = false, inside = 0 },
  east = { x = 1, y = 0, is_level = false, inside = -1 },
}

-- Methods of a grid, as functions.
local a_grid = core.grid(1, 1)
local walls, links, version, center = a_grid.walls, a_grid.links, a_grid.version, a_grid.center

local function draw_wall(view, love, wall)
  if view.hexagons then
    return hexagons.draw_wall(view, love, wall)
  end
  local side, scale, thick = SIDES[wall.direction], view.scale, math.max(1, view.scale / 10)
  local x = view.x + (wall.x - view.x0 + side.x) * scale
  local y = view.y + (wall.y - view.y0 + side.y) * scale
  local offset = wall.one_way and side.inside * thick or -thick
  local width = wall.one_way and thick or 2 * thick
  if side.is_level then
    love.graphics.rectangle("fill", x, y + offset, scale, width)
  else
    love.graphics.rectangle("fill", x + offset, y, width, scale)
  end
end

--- Draws a line from pixel a to pixel b, between the rings or discs around them, with an arrow head if it is one-way.
function M.draw_arrow(view, love, ax, ay, bx, by, one_way)
  local radius, length = view.scale / 4, math.sqrt((bx - ax) ^ 2 + (by - ay) ^ 2)
  if length <= 2 * radius then
    return
  end
  local ux, uy = (bx - ax) / length, (by - ay) / length
  local tip_x, tip_y = bx - ux * radius, by - uy * radius
  love.graphics.line(ax + ux * radius, ay + uy * radius, tip_x, tip_y)
  if one_way then
    local foot_x, foot_y, half = tip_x - ux * radius, tip_y - uy * radius, radius / 2
    love.graphics.polygon("fill", tip_x, tip_y, foot_x - uy * half, foot_y + ux * half,
      foot_x + uy * half, foot_y - ux * half)
  end
end

local function draw_link(view, love, link)
  local ax, ay = view:to_pixel(center(view.grid, link.x0, link.y0))
  local bx, by = view:to_pixel(center(view.grid, link.x1, link.y1))
  love.graphics.circle("line", ax, ay, view.scale / 4)
  love.graphics.circle("line", bx, by, view.scale / 4)
  M.draw_arrow(view, love, ax, ay, bx, by, link.one_way)
end

-- Returns the lists of links and walls. The lists are made again after an edit.
local function list_links_and_walls(view)
  local now = version(view.grid)
  if not view.links_and_walls or view.links_and_walls.version ~= now then
    view.links_and_walls = { version = now, walls = walls(view.grid), links = links(view.grid) }
  end
  return view.links_and_walls
end

-- Draws all links and walls, if cells are large enough.
function M.draw(view, love)
  if view.scale < SHOWN_FROM then
    return
  end
  local both, width = list_links_and_walls(view), line_width.set(love, math.max(1, view.scale / 12))
  love.graphics.setColor(view.theme.wall)
  for _, wall in ipairs(both.walls) do
    draw_wall(view, love, wall)
  end
  love.graphics.setColor(view.theme.link)
  for _, link in ipairs(both.links) do
    draw_link(view, love, link)
  end
  line_width.restore(love, width)
end

return M
