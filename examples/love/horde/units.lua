-- units.lua -- thousands of units, each a place on the map and the cell it goes to next.
--
-- Kept in arrays, not tables, one a unit: nothing is allocated in a frame.

local ffi = require "ffi"

local units = {}

local CROWD = 14 -- cells around the goal in which the units come to rest

-- `count` units of a size at random on cells where they fit.
function units.new(grid, finder, size, count, random)
  local x0, y0, x1, y1 = grid:bounds()
  local list = {
    count = count, points = {}, x = ffi.new("float[?]", count), y = ffi.new("float[?]", count),
    to_x = ffi.new("int[?]", count), to_y = ffi.new("int[?]", count), speed = ffi.new("float[?]", count),
    rest = ffi.new("float[?]", count), -- at this distance it does not press on
    dx = ffi.new("float[?]", count), dy = ffi.new("float[?]", count), -- where in its cells it walks
  }
  for i = 0, count - 1 do
    local x, y
    repeat
      x, y = random:random(x0, x1), random:random(y0, y1)
    until finder:clearance(x, y) >= size
    list.x[i], list.y[i], list.to_x[i], list.to_y[i] = x, y, x, y
    list.speed[i] = 6 + random:random() * 6
    list.rest[i] = CROWD * math.sqrt(random:random())
    list.dx[i], list.dy[i] = random:random() * 0.8 - 0.4, random:random() * 0.8 - 0.4
  end
  return list
end

-- Asks the flow where each unit goes on that has reached its cell, unless it may stay: its share of a frame.
local function ask(list, flow, stays)
  local at_x, at_y, to_x, to_y = list.x, list.y, list.to_x, list.to_y
  for i = 0, list.count - 1 do
    local x, y = to_x[i], to_y[i]
    if at_x[i] == x and at_y[i] == y and not stays(i, x, y) then
      local nx, ny = flow:next(x, y)
      if nx then
        to_x[i], to_y[i] = nx, ny
      end
    end
  end
end

-- To the goal, or as near as each wants to come.
function units.chase(list, flow, goal_x, goal_y)
  local rest = list.rest
  ask(list, flow, function(i, x, y)
    return math.abs(x - goal_x) < CROWD and math.abs(y - goal_y) < CROWD
      and (flow:distance(x, y) or math.huge) < rest[i]
  end)
end

-- Away from what is nearer than `fear` cells.
function units.flee(list, flow, from_x, from_y, fear)
  ask(list, flow, function(_, x, y)
    return math.abs(x - from_x) > fear or math.abs(y - from_y) > fear
  end)
end

-- Moves each unit straight towards its cell.
function units.move(list, dt)
  local x, y, to_x, to_y, speed = list.x, list.y, list.to_x, list.to_y, list.speed
  for i = 0, list.count - 1 do
    local dx, dy = to_x[i] - x[i], to_y[i] - y[i]
    if dx ~= 0 or dy ~= 0 then
      local distance, step = math.sqrt(dx * dx + dy * dy), speed[i] * dt
      if step >= distance then
        x[i], y[i] = to_x[i], to_y[i]
      else
        x[i], y[i] = x[i] + dx / distance * step, y[i] + dy / distance * step
      end
    end
  end
end

-- Units bound for a rectangle of cells where a wall has come up turn to the cell they are on, or out of
-- the wall around them: nearest_free(x, y) is where.
function units.evict(list, size, wall_x, wall_y, width, height, nearest_free)
  for i = 0, list.count - 1 do
    local x, y = list.to_x[i], list.to_y[i]
    if x + size > wall_x and x < wall_x + width and y + size > wall_y and y < wall_y + height then
      list.to_x[i], list.to_y[i] = nearest_free(math.floor(list.x[i] + 0.5), math.floor(list.y[i] + 0.5))
    end
  end
end

function units.draw(list, view, size)
  local points, half, scale = list.points, size / 2, view.scale
  for i = 0, list.count - 1 do
    points[2 * i + 1] = view.x + (list.x[i] + list.dx[i] - 1 + half) * scale
    points[2 * i + 2] = view.y + (list.y[i] + list.dy[i] - 1 + half) * scale
  end
  love.graphics.setPointSize(math.max(2, scale * 0.7 * size))
  love.graphics.points(points)
end

return units
