-- chart.lua -- draws a chart of growth in plain text. Both axes are logarithmic, so a time that grows by the same
-- factor with each doubling of the side appears as a straight line.

local chart = {}

local HEIGHT, COLUMN = 16, 12 -- rows of the chart, and characters per width of a map

local function range(series)
  local least, most = math.huge, 0
  for _, each in ipairs(series) do
    for _, point in ipairs(each.points) do
      if point.y > 0 then least, most = math.min(least, point.y), math.max(most, point.y) end
    end
  end
  return least, most
end

local function sides_of(series)
  local known, sides = {}, {}
  for _, each in ipairs(series) do
    for _, point in ipairs(each.points) do
      if not known[point.x] then
        known[point.x] = true
        sides[#sides + 1] = point.x
      end
    end
  end
  table.sort(sides)
  for column, side in ipairs(sides) do known[side] = column end
  return sides, known
end

-- Returns the lines of a chart of a list of series. A series is { mark = one character, name =, points = { { x = side,
-- y = } ... } }. 'unit' is the unit of y.
function chart.lines(series, unit)
  local least, most = range(series)
  local sides, column_of = sides_of(series)
  if most == 0 then return {} end
  local step = math.max(math.log(most / least), 1e-9) / (HEIGHT - 1)
  local rows, lines = {}, {}
  for _, each in ipairs(series) do
    for _, point in ipairs(each.points) do
      if point.y > 0 then
        local y = math.floor(math.log(point.y / least) / step + 0.5)
        local x = (column_of[point.x] - 1) * COLUMN
        rows[y] = rows[y] or {}
        while rows[y][x] do x = x + 1 end -- places marks of equal points side by side
        rows[y][x] = each.mark
      end
    end
  end
  for y = HEIGHT - 1, 0, -1 do
    local line = {}
    for x = 1, #sides * COLUMN do line[x] = rows[y] and rows[y][x - 1] or " " end
    local value = (y % 5 == 0) and ("%9.4g"):format(least * math.exp(y * step)) or (" "):rep(9)
    lines[#lines + 1] = (value .. " |  " .. table.concat(line)):gsub("%s+$", "")
  end
  local axis = {}
  for i, side in ipairs(sides) do axis[i] = ("%-" .. COLUMN .. "d"):format(side) end
  lines[#lines + 1] = ("%9s +--"):format(unit) .. ("-"):rep(#sides * COLUMN)
  lines[#lines + 1] = (" "):rep(13) .. table.concat(axis):gsub("%s+$", "") .. " cells wide"
  for _, each in ipairs(series) do lines[#lines + 1] = (" "):rep(13) .. each.mark .. "  " .. each.name end
  return lines
end

return chart
