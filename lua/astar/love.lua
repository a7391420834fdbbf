-- love.lua -- astar.love: draws grids, paths, searches and flow fields with LÖVE (love2d.org).
--
-- A view maps the cells of a grid to pixels. Each cell is `scale` pixels wide and high, and the north-west corner of
-- the grid is at the pixel (view.x, view.y). The terrain is drawn as one image of one pixel per cell, which is scaled
-- up. After edits of the grid, only the pixels of the edited cells are painted again. The colours are those of Okabe
-- and Ito (2008), which people with red-green blindness can distinguish. Code for hexagonal grids is in
-- love/hexagons.lua.
--
-- LÖVE is needed only for drawing, so a program without LÖVE, such as a server, may use a view to convert coordinates.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")
local plain_options = require(FOLDER .. ".plain_options")
local no_field = require(FOLDER .. ".no_field")
local no_more = require(FOLDER .. ".no_more")
local stray_entry = require(FOLDER .. ".stray_entry")
local graphs = require(FOLDER .. ".love.graph")
local hexagons = require(FOLDER .. ".love.hexagons")
local line_width = require(FOLDER .. ".love.line_width")
local links_and_walls = require(FOLDER .. ".love.links_and_walls")
local overlay = require(FOLDER .. ".love.overlay")
local walked_line = require(FOLDER .. ".walked_line")

local M = {}

local GROUND, DEAREST, IMPASSABLE = { 0.93, 0.92, 0.88 }, { 0.55, 0.42, 0.28 }, { 0.23, 0.25, 0.30 }

local THEME = {
  block = { 0.00, 0.45, 0.70 },        -- cells with a block
  wall = { 0.10, 0.10, 0.12 },         -- thin walls between two cells
  link = { 0.45, 0.20, 0.55 },         -- links between two cells
  path = { 0.84, 0.37, 0.00 },
  open = { 0.34, 0.71, 0.91, 0.85 },   -- open cells of a search
  closed = { 0.90, 0.62, 0.00, 0.85 }, -- closed cells of a search
  near = { 0.00, 0.62, 0.45, 0.75 },   -- cells of a flow field at its goals
  far = { 0.80, 0.47, 0.65, 0.75 },    -- cells of a flow field that are farthest from its goals
  ink = { 0.10, 0.10, 0.12 },          -- numbers and arrows
}

local COLORS = "block, wall, link, path, open, closed, near, far or ink"

local OPTIONS = { x = "number", y = "number", scale = "number", colors = "table", theme = "table" }
local OF_IMAGES = { colors = "table", terrain = "table", origin = "table" }

local SCALE_MIN, SCALE_MAX = 0.25, 256

-- Methods of a grid, which can be called without looking them up in the grid. If they are called with a value that is
-- no grid, they raise the error for this mistake.
local a_grid = core.grid(1, 1)
local bounds, version, get = a_grid.bounds, a_grid.version, a_grid.get
local is_walkable, block_layers, changes = a_grid.is_walkable, a_grid.block_layers, a_grid.changes

local function is_number(value)
  return type(value) == "number" and value == value and math.abs(value) < math.huge
end

local function host()
  local love = rawget(_G, "love")
  if not (love and love.graphics) then
    error("drawing needs LÖVE: love.graphics is missing", 3)
  end
  return love
end

-- Colours.

local function parse_hex(text)
  local r, g, b = text:match "^#(%x%x)(%x%x)(%x%x)$"
  if r then
    return { tonumber(r, 16) / 255, tonumber(g, 16) / 255, tonumber(b, 16) / 255 }
  end
end

local function is_part(value)
  return is_number(value) and value >= 0 and value <= 1
end

local function is_color(value)
  return type(value) == "table" and is_part(value[1]) and is_part(value[2]) and is_part(value[3])
    and (value[4] == nil or is_part(value[4])) and not stray_entry(value, 4)
end

local function check_color(value, what, level)
  local color = type(value) == "string" and parse_hex(value) or value
  if not is_color(color) then
    error(('%s must be a colour, "#rrggbb" or {r, g, b} from 0 to 1, got %s'):format(what, describe(value)),
      level and level + 1 or 0)
  end
  return color
end

-- Sets the colour of the following drawing calls: `color` if it is given, else `default`. An error is raised at the
-- stack level `level` of the caller.
local function set_color(love, color, default, level)
  love.graphics.setColor(color and check_color(color, "color", level + 1) or default)
end

local function check_colors(colors)
  local checked = {}
  for key, color in entries, colors or {} do
    checked[key] = check_color(color, "the colour of " .. describe(key))
  end
  return checked
end

local function mix(a, b, t)
  return { a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t, a[3] + (b[3] - a[3]) * t, a[4] }
end

-- Returns the colour of terrain that has no colour in the options. Terrain with a higher cost is darker: cost 1 has the
-- palest colour, cost 16 and above the darkest.
local function default_color(cost)
  if not cost then
    return IMPASSABLE
  end
  return mix(GROUND, DEAREST, math.max(0, math.min(1, math.log(cost) / math.log(16))))
end

-- The class of views. The field hexagons is false unless the grid is hexagonal.
local View = { hexagons = false }
no_field.of_class(View, "astar view", "x y scale",
  "grid x0 y0 x1 y1 colors theme shades hexagons ground painted overlay arrows links_and_walls graph_list")

local function check_view(view)
  if getmetatable(view) ~= View then
    error("astar view expected, got " .. describe(view), 3)
  end
end

-- Raises an error unless a value is an object of the type `kind`, such as "astar path", of the C module or its twin.
local function check_object(value, kind)
  if getmetatable(value) ~= "astar" or not tostring(value):find(kind, 1, true) then
    error(("%s expected, got %s%s"):format(kind, describe(value), core.meant(value, {}, kind)), 3)
  end
end

local function check_numbers(names, ...)
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if not is_number(value) then
      error(("%s must be a number, got %s"):format(names[i], describe(value)), 3)
    end
  end
end

--- Returns the cell at a pixel, or nil if the pixel is outside the grid.
function View:to_cell(px, py, ...)
  check_view(self)
  no_more("to_cell", 2, ...)
  check_numbers({ "px", "py" }, px, py)
  if self.hexagons then
    return hexagons.to_cell(self, px, py)
  end
  local x = self.x0 + math.floor((px - self.x) / self.scale)
  local y = self.y0 + math.floor((py - self.y) / self.scale)
  if x < self.x0 or x > self.x1 or y < self.y0 or y > self.y1 then
    return nil
  end
  return x, y
end

--- Returns the pixel at the centre of a cell. x and y may be fractions, for positions between cells, and may lie
-- outside the grid. On a hexagonal grid, x and y are a position like those of grid:center and of walkers, not a
-- cell.
function View:to_pixel(x, y, ...)
  check_view(self)
  no_more("to_pixel", 2, ...)
  check_numbers({ "x", "y" }, x, y)
  if self.hexagons then
    return hexagons.to_pixel(self, x, y)
  end
  return self.x + (x - self.x0 + 0.5) * self.scale, self.y + (y - self.y0 + 0.5) * self.scale
end

--- Multiplies the scale by `factor`, within the limits of the scale. The point of the grid at the pixel (px, py)
-- stays at that pixel.
function View:zoom(factor, px, py, ...)
  check_view(self)
  no_more("zoom", 3, ...)
  check_numbers({ "factor", "px", "py" }, factor, px, py)
  if factor <= 0 then
    error("factor must be a number > 0, got " .. describe(factor), 2)
  end
  local scale = math.max(SCALE_MIN, math.min(SCALE_MAX, self.scale * factor))
  self.x = px - (px - self.x) * scale / self.scale
  self.y = py - (py - self.y) * scale / self.scale
  self.scale = scale
end

--- Moves the view by (dx, dy) pixels.
function View:scroll(dx, dy, ...)
  check_view(self)
  no_more("scroll", 2, ...)
  check_numbers({ "dx", "dy" }, dx, dy)
  self.x, self.y = self.x + dx, self.y + dy
end

--- Sets the scale and position so that the whole grid fits into a rectangle of pixels and is centred in it.
function View:fit(px, py, width, height, ...)
  check_view(self)
  no_more("fit", 4, ...)
  check_numbers({ "px", "py", "width", "height" }, px, py, width, height)
  local columns, rows = self.x1 - self.x0 + 1, self.y1 - self.y0 + 1
  if self.hexagons then
    columns, rows = hexagons.extent(self)
  end
  self.scale = math.max(SCALE_MIN, math.min(SCALE_MAX, width / columns, height / rows))
  if self.scale > 1 then
    self.scale = math.floor(self.scale)
  end
  self.x = math.floor(px + (width - columns * self.scale) / 2)
  self.y = math.floor(py + (height - rows * self.scale) / 2)
end

-- The image of the terrain, with one pixel per cell.

local function color_of(self, x, y)
  if not is_walkable(self.grid, x, y) and #block_layers(self.grid, x, y) > 0 then
    return self.theme.block
  end
  local key = get(self.grid, x, y)
  local cost = self.grid:terrain(key)
  local color = self.colors[key]
  if not color then
    color = self.shades[cost or 0] or default_color(cost)
    self.shades[cost or 0] = color
  end
  return color
end

local function paint(self, x, y, width, height)
  local pixels = self.ground.pixels
  for cy = y, y + height - 1 do
    for cx = x, x + width - 1 do
      local color = color_of(self, cx, cy)
      pixels:setPixel(cx - self.x0, cy - self.y0, color[1], color[2], color[3], color[4] or 1)
    end
  end
  self.ground.is_stale = true
end

-- Paints the cells that were edited since the last call. Paints all cells if the grid no longer knows the edits, or if
-- the edits cover as many cells as the grid has.
local function paint_changes(self)
  local width, height = self.x1 - self.x0 + 1, self.y1 - self.y0 + 1
  local edits, count = self.painted and changes(self.grid, self.painted), 0
  for i = 1, edits and #edits or 0, 4 do
    count = count + edits[i + 2] * edits[i + 3]
  end
  if not edits or count >= width * height then
    edits = { self.x0, self.y0, width, height }
  end
  for i = 1, #edits, 4 do
    paint(self, edits[i], edits[i + 1], edits[i + 2], edits[i + 3])
  end
  self.painted = version(self.grid)
end

--- Declares that only this rectangle of cells has changed since the grid was last drawn. Only these cells are painted
-- again, even if there were more edits than the grid keeps a record of.
function View:touch(x, y, width, height, ...)
  check_view(self)
  no_more("touch", 4, ...)
  if not self.ground then
    return
  end
  width, height = width or 1, height or 1
  get(self.grid, x, y)
  get(self.grid, x + width - 1, y + height - 1)
  paint(self, x, y, width, height)
  self.painted = version(self.grid)
end

--- Draws the terrain and the blocks. Draws thin walls and links too, if the cells are large enough on the screen.
function View:draw(...)
  check_view(self)
  no_more("draw", 0, ...)
  local love = host()
  if not self.ground then
    self.ground = overlay.new_picture(self, love)
  end
  if self.painted ~= version(self.grid) then
    paint_changes(self)
  end
  overlay.show_picture(self, self.ground, love)
  links_and_walls.draw(self, love)
end

--- Draws thin lines between the cells. The lines are translucent black unless a colour is given.
function View:draw_lines(color, ...)
  check_view(self)
  no_more("draw_lines", 1, ...)
  local love = host()
  local right, bottom = self.x + (self.x1 - self.x0 + 1) * self.scale, self.y + (self.y1 - self.y0 + 1) * self.scale
  set_color(love, color, { 0, 0, 0, 0.12 }, 2)
  local width = line_width.set(love, 1)
  if self.hexagons then
    hexagons.draw_lines(self, love)
  else
    for x = 0, self.x1 - self.x0 + 1 do
      love.graphics.line(self.x + x * self.scale, self.y, self.x + x * self.scale, bottom)
    end
    for y = 0, self.y1 - self.y0 + 1 do
      love.graphics.line(self.x, self.y + y * self.scale, right, self.y + y * self.scale)
    end
  end
  line_width.restore(love, width)
end

--- Fills a cell, or the square of `size` x `size` cells that a unit covers, with a colour. `margin` is the free space
-- on each side as a fraction of a cell, 0 by default.
function View:draw_cell(x, y, color, margin, size, ...)
  check_view(self)
  no_more("draw_cell", 5, ...)
  check_numbers({ "x", "y" }, x, y)
  local love = host()
  local side, gap = self.scale * (size or 1), self.scale * (margin or 0)
  set_color(love, color, self.theme.path, 2)
  if self.hexagons then
    local px, py = hexagons.cell_to_pixel(self, x, y)
    love.graphics.polygon("fill", hexagons.corners(self, px, py, 1 - 2 * (margin or 0)))
    return
  end
  love.graphics.rectangle("fill", self.x + (x - self.x0) * self.scale + gap,
    self.y + (y - self.y0) * self.scale + gap, side - 2 * gap, side - 2 * gap)
end

-- Returns true if a line turns back at its point with the list index i, nearly in the direction from which it came.
-- This happens at links.
local function turns_back(points, i)
  local ax, ay = points[i] - points[i - 2], points[i + 1] - points[i - 1]
  local bx, by = points[i + 2] - points[i], points[i + 3] - points[i + 1]
  return ax * bx + ay * by < -0.9 * math.sqrt((ax * ax + ay * ay) * (bx * bx + by * by))
end

-- Draws a line, and begins a new line at each point where it turns back. LÖVE would draw a single line as thin as a
-- hair after such a point.
local function draw_line(love, points)
  local part = {}
  for i = 1, #points, 2 do
    part[#part + 1], part[#part + 2] = points[i], points[i + 1]
    if i > 1 and i < #points - 1 and turns_back(points, i) then
      love.graphics.line(part)
      part = { points[i], points[i + 1] }
    end
  end
  love.graphics.line(part)
end

-- Draws thick lines, each a list of pixels { x1, y1, x2, y2, ... }, with a disc at the beginning of the first line and
-- at the end of the last one.
local function draw_way(self, love, lines, color)
  set_color(love, color, self.theme.path, 3)
  local graphics = love.graphics
  local width, join = line_width.set(love, math.max(2, self.scale / 6)), graphics.getLineJoin and graphics.getLineJoin()
  graphics.setLineJoin "bevel"
  for _, points in ipairs(lines) do
    if #points > 2 then
      draw_line(love, points)
    end
  end
  local radius, first, last = math.max(2, self.scale / 5), lines[1], lines[#lines]
  love.graphics.circle("fill", first[1], first[2], radius)
  love.graphics.circle("fill", last[#last - 1], last[#last], radius)
  line_width.restore(love, width)
  if join then graphics.setLineJoin(join) end
end

--- Draws a path as the line that a walker moves along: straight lines with curves at the turning points. `corner` is
-- the option of astar.walker, 0.4 by default.
function View:draw_path(path, color, corner, ...)
  check_view(self)
  no_more("draw_path", 3, ...)
  check_object(path, "astar path")
  if corner ~= nil and not (type(corner) == "number" and corner >= 0 and corner <= 0.5) then
    error("corner must be a number from 0 to 0.5, got " .. describe(corner), 2)
  end
  local love = host()
  local lines = walked_line(path, corner or 0.4, self.grid)
  for _, points in ipairs(lines) do
    for i = 1, #points, 2 do
      points[i], points[i + 1] = self:to_pixel(points[i], points[i + 1])
    end
  end
  draw_way(self, love, lines, color)
end

--- Draws a navigation graph whose nodes have positions on the grid. One-way edges have an arrow head. `route` is nil
-- or a path of this graph, or of the graph joined to the grid; this path is drawn too.
function View:draw_graph(graph, route, ...)
  check_view(self)
  no_more("draw_graph", 2, ...)
  local problem = graphs.problem_of(graph)
  if problem then
    error(problem, 2)
  end
  if route ~= nil then
    check_object(route, "astar graph path")
  end
  local love = host()
  graphs.draw(self, graph, love)
  local points = route and graphs.pixels_of(self, graph, route) or {}
  if #points > 0 then
    draw_way(self, love, { points })
  end
end

--- Draws the open and closed cells of a search in two colours. If the cells are large enough on the screen, each cell
-- also shows an arrow to its parent, f above, and g and h below. Returns the numbers of open and closed cells.
function View:draw_search(search, ...)
  check_view(self)
  no_more("draw_search", 1, ...)
  check_object(search, "astar search")
  local love = host()
  local open, closed = overlay.draw_search(self, search, love)
  links_and_walls.draw(self, love)
  return open, closed
end

--- Draws a flow field: the colour of a cell shows its distance. If the cells are large enough on the screen, an arrow
-- shows the next step. The call computes the whole field first, and paints only the cells whose distance has changed.
function View:draw_flow(flow, ...)
  check_view(self)
  no_more("draw_flow", 1, ...)
  check_object(flow, "astar flow")
  local love = host()
  overlay.draw_flow(self, flow, love)
  links_and_walls.draw(self, love)
end

-- Arguments and public functions.

local function names_of(known)
  local names = {}
  for name in entries, known do names[#names + 1] = name end
  return names
end

local function complete_theme(theme)
  local complete = {}
  for name, color in entries, THEME do
    complete[name] = color
  end
  for name, color in entries, plain_options(theme or {}, names_of(THEME)) do
    if not THEME[name] then
      error(("unknown colour %s in theme, expected %s"):format(describe(name), COLORS), 0)
    end
    complete[name] = check_color(color, name)
  end
  return complete
end

-- Returns the checked options in a table without a metatable. `known` has the required type of each option, `list` the
-- names for the error about an unknown one.
local function check_options(options, known, list)
  if options ~= nil and type(options) ~= "table" then
    error("options must be a table, got " .. describe(options), 0)
  end
  local checked = {}
  for name, value in entries, plain_options(options or {}, names_of(known)) do
    local kind = known[name]
    if not kind then
      error(("unknown option %s, expected one of %s"):format(describe(name), list), 0)
    elseif type(value) ~= kind or kind == "number" and not is_number(value) then
      error(("%s must be a %s, got %s"):format(name, kind, describe(value)), 0)
    end
    checked[name] = value
  end
  return checked
end

local function new_view(grid, options)
  local is_grid, x0, y0, x1, y1 = pcall(bounds, grid)
  if not is_grid then
    -- The hint about a colon is removed, because this file called the method and not the script.
    error((x0:gsub(": a method is called with a colon.*", "")), 0)
  end
  options = check_options(options, OPTIONS, "x, y, scale, colors and theme")
  local scale = options.scale or 16
  if scale < SCALE_MIN or scale > SCALE_MAX then
    error(("scale must be a number from %s to %s, got %s"):format(describe(SCALE_MIN), describe(SCALE_MAX),
      describe(scale)), 0)
  end
  local view = setmetatable({
    grid = grid, x0 = x0, y0 = y0, x1 = x1, y1 = y1,
    x = options.x or 0, y = options.y or 0, scale = scale,
    colors = check_colors(options.colors), theme = complete_theme(options.theme), shades = {},
  }, View)
  hexagons.prepare(view)
  return view
end

-- Calls 'f' and returns its result. An error in 'f' is raised again at the line of the script that called the public
-- function, which is two levels up.
local function at_caller(f, ...)
  local ok, result = pcall(f, ...)
  if not ok then
    error(result, 3)
  end
  return result
end

--- Returns a view of a grid. Options: x and y, the pixel of the grid's north-west corner, 0 by default; scale, the
-- pixels per cell, 16 by default; colors, { [key] = colour } for terrain (by default, terrain with a higher cost is
-- darker); theme, other colours for block, wall, link, path, open, closed, near, far and ink. A colour is "#rrggbb" or
-- {r, g, b} from 0 to 1.
function M.view(grid, options, ...)
  no_more("view", 2, ...)
  local view = at_caller(new_view, grid, options)
  return view
end

local function byte_of(part)
  return math.floor(part * 255 + 0.5)
end

local function hex_of(r, g, b)
  return ("#%02x%02x%02x"):format(byte_of(r), byte_of(g), byte_of(b))
end

local function read_image(image, options)
  options = check_options(options, OF_IMAGES, "colors, terrain and origin")
  local by_color, known = {}, {}
  for key, color in entries, check_colors(options.colors) do
    local hex = hex_of(color[1], color[2], color[3])
    if by_color[hex] ~= nil then
      local a, b = describe(key), describe(by_color[hex])
      error(("%s is the colour of two keys, %s and %s"):format(hex, a < b and a or b, a < b and b or a), 0)
    end
    by_color[hex] = key
    known[#known + 1] = hex
  end
  table.sort(known)
  local rows = {}
  for y = 1, image:getHeight() do
    rows[y] = {}
    for x = 1, image:getWidth() do
      local hex = hex_of(image:getPixel(x - 1, y - 1))
      rows[y][x] = by_color[hex]
      if rows[y][x] == nil then
        error(("pixel (%d, %d) has the colour %s, expected one of %s"):format(x - 1, y - 1, hex,
          table.concat(known, ", ")), 0)
      end
    end
  end
  local ok, grid = pcall(core.grid, rows, { terrain = options.terrain, origin = options.origin })
  if not ok then
    error(grid, 0)
  end
  return grid
end

--- Returns a grid with one cell for each pixel of an image (LÖVE's ImageData). Options: colors, { [key] = colour },
-- with at least one entry; terrain and origin, as for astar.grid. The alpha of a pixel is ignored.
function M.grid(image, options, ...)
  no_more("grid", 2, ...)
  local has_pixels = (type(image) == "userdata" or type(image) == "table")
    and pcall(function() return image:getPixel(0, 0) end)
  if not has_pixels then
    error("image must be LÖVE's ImageData, got " .. describe(image), 2)
  end
  options = plain_options(options, names_of(OF_IMAGES))
  if type(options) ~= "table" or options.colors == nil then
    error("a grid made from an image needs the option colors: { [key] = colour }", 2)
  end
  local grid = at_caller(read_image, image, options)
  return grid
end

return no_field.of_module(M, "astar.love")
