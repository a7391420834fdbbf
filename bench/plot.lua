-- plot.lua -- draws the results that bench.lua wrote as CSV. The picture ratios.svg shows how many times as fast as
-- plain A* the queries on each map are. The picture growth.svg shows the microseconds per query, and of the first
-- query, on maps whose sides double.
--
--     make bench BENCH='maps growth csv=results.csv'
--     lua bench/plot.lua [-o folder] results.csv ...
--
-- Several files, for example of several Lua versions, are drawn side by side. This program needs only Lua.

local results = require "bench.results"

-- The width of a picture, which fits a phone, and the borders of the drawing, in pixels. Below the drawing come the
-- labels of the axis and the names of the curves.
local WIDTH, LEFT, RIGHT, TOP, BOTTOM = 420, 58, 410, 40, 340
local COLOURS = { "#1b6ca8", "#d1495b", "#2e8b57", "#e08e0b", "#6f4ca0", "#4d9de0", "#7a5c3e", "#555555" }

-- The columns of the section growth that are drawn: the name of the curve, and the factor from the column's unit to
-- microseconds.
local CURVES = { ["us/query"] = { "auto", 1 }, ["A* us"] = { "plain A*", 1 }, ["first ms"] = { "first query", 1e3 } }

local function give_up(message, code)
  io.stderr:write(message, "\n")
  os.exit(code)
end

-- ---- numbers ----

-- Appends a point to the series of a name. A series is { name =, { x =, y =, label = }, ... }.
local function add_point(series, name, point)
  if not series[name] then
    series[name] = { name = name }
    series[#series + 1] = series[name]
  end
  table.insert(series[name], point)
end

local function read_numbers(names)
  local ratios, growth = {}, {}
  for _, name in ipairs(names) do
    local is_read = results.each(name, function(lua, section, row, measure, number)
      if section == "maps" and measure == "ratio" and not row:find "^all " then
        add_point(ratios, lua, { label = row, y = number })
      elseif section == "growth" and CURVES[measure] then
        local map, side = row:match "^(%S+) (%d+)"
        local curve = CURVES[measure]
        add_point(growth, ("%s, %s, %s"):format(map, curve[1], lua), { x = tonumber(side), y = number * curve[2] })
      end
    end)
    if not is_read then give_up("bench/plot.lua: cannot read " .. name, 1) end
  end
  return ratios, growth
end

-- ---- drawing ----

local function escaped(text) return (text:gsub("[<>&]", { ["<"] = "&lt;", [">"] = "&gt;", ["&"] = "&amp;" })) end

local function text(x, y, what, style)
  return ('<text x="%.1f" y="%.1f" %s>%s</text>'):format(x, y, style or "", escaped(what))
end

-- Returns a function that maps a value between 'least' and 'most' to a position on a logarithmic axis.
local function scale(least, most, from, to)
  local low, span = math.log(least), math.max(math.log(most) - math.log(least), 1e-9)
  return function(value) return from + (math.log(value) - low) / span * (to - from) end
end

local function range_of(series, axis)
  local least, most = math.huge, 0
  for _, each in ipairs(series) do
    for _, point in ipairs(each) do
      if point[axis] > 0 then least, most = math.min(least, point[axis]), math.max(most, point[axis]) end
    end
  end
  return least, most
end

-- Adds lines at powers of ten, with labels.
local function grid_lines(lines, least, most, at)
  for power = math.floor(math.log(least) / math.log(10)), math.ceil(math.log(most) / math.log(10)) do
    local value = 10 ^ power
    if value >= least * 0.999 and value <= most * 1.001 then
      local y = at(value)
      lines[#lines + 1] = ('<path d="M%d %.1fH%d" stroke="#888" stroke-opacity=".4"/>'):format(LEFT, y, RIGHT)
      lines[#lines + 1] = text(LEFT - 8, y + 4, ("%g"):format(value), 'text-anchor="end"')
    end
  end
end

local function colour(i) return COLOURS[(i - 1) % #COLOURS + 1] end

-- Adds the names of the curves below a height. Returns the height of the picture with these names.
local function add_names(lines, series, height)
  for i, each in ipairs(series) do
    local y = height + 18 * i
    lines[#lines + 1] = ('<rect x="%d" y="%d" width="12" height="12" fill="%s"/>'):format(LEFT, y - 10, colour(i))
    lines[#lines + 1] = text(LEFT + 18, y, each.name)
  end
  return height + 18 * #series + 12
end

local function write_svg(name, title, lines, height)
  local file = assert(io.open(name, "w"))
  file:write(([[
<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif"
 font-size="12">
<style>#back { fill: #fff }
@media (prefers-color-scheme: dark) { #back { fill: #16181d } text { fill: #d5d7dc } }</style>
<rect id="back" width="100%%" height="100%%"/>
%s
%s
</svg>
]]):format(WIDTH, height, WIDTH, height, text(10, 22, title, 'font-size="16"'), table.concat(lines, "\n")))
  file:close()
  print(name)
end

local function draw_growth(series, name)
  local lines = {}
  local x0, x1 = range_of(series, "x")
  local y0, y1 = range_of(series, "y")
  local across, up = scale(x0, x1, LEFT, RIGHT - 14), scale(y0, y1, BOTTOM, TOP)
  grid_lines(lines, y0, y1, up)
  for side = 0, 30 do
    if 2 ^ side >= x0 and 2 ^ side <= x1 then
      lines[#lines + 1] = text(across(2 ^ side), BOTTOM + 18, ("%d"):format(2 ^ side), 'text-anchor="middle"')
    end
  end
  lines[#lines + 1] = text((LEFT + RIGHT) / 2, BOTTOM + 36, "side of the map, in cells",
    'text-anchor="middle"')
  for i, each in ipairs(series) do
    local points = {}
    for _, point in ipairs(each) do
      if point.y > 0 then points[#points + 1] = ("%.1f,%.1f"):format(across(point.x), up(point.y)) end
    end
    lines[#lines + 1] = ('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>'):format(
      table.concat(points, " "), colour(i))
  end
  write_svg(name, "Microseconds per query as maps grow", lines, add_names(lines, series, BOTTOM + 46))
end

local function draw_ratios(series, name)
  local lines = {}
  local _, most = range_of(series, "y")
  local up = scale(0.5, math.max(most, 1), BOTTOM, TOP)
  grid_lines(lines, 0.5, math.max(most, 1), up)
  local slot = (RIGHT - LEFT) / math.max(#series[1], 1)
  for i, each in ipairs(series) do
    local bar = slot * 0.8 / #series
    for k, point in ipairs(each) do
      local x, y = LEFT + slot * (k - 1) + bar * (i - 1) + slot * 0.1, up(math.max(point.y, 0.5))
      lines[#lines + 1] = ('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>'):format(x, y, bar,
        BOTTOM - y, colour(i))
      if i == 1 then
        local at = ('transform="rotate(60 %.1f %d)"'):format(x, BOTTOM + 14)
        lines[#lines + 1] = text(x, BOTTOM + 14, point.label, at)
      end
    end
  end
  write_svg(name, "Times as fast as plain A*, same queries", lines, add_names(lines, series, BOTTOM + 120))
end

-- ---- the program ----

local function main(arguments)
  local folder, names = ".", {}
  local i = 1
  while arguments[i] do
    if arguments[i] == "-o" and arguments[i + 1] then
      folder, i = arguments[i + 1], i + 1
    else
      names[#names + 1] = arguments[i]
    end
    i = i + 1
  end
  if #names == 0 then give_up("usage: bench/plot.lua [-o folder] results.csv ...", 2) end
  local ratios, growth = read_numbers(names)
  if #ratios > 0 then draw_ratios(ratios, folder .. "/ratios.svg") end
  if #growth > 0 then draw_growth(growth, folder .. "/growth.svg") end
  if #ratios + #growth == 0 then
    give_up("bench/plot.lua: no results of the sections maps or growth in " .. table.concat(names, " "), 1)
  end
end

main(arg)
