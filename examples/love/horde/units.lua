-- units.lua -- thousands of units, each a place on the map and the cell it goes to next.
--
-- Kept in arrays, not tables, one a unit: nothing is allocated in a frame.

local ffi = require "ffi"

local units = {}

-- `count` units of a size at random on cells where they fit.
function units.new(grid, finder, size, count, random)
  local x0, y0, x1, y1 = grid:bounds()
  local list = {
    count = count, x = ffi.new("float[?]", count), y = ffi.new("float[?]", count),
    to_x = ffi.new("int[?]", count), to_y = ffi.new("int[?]", count), speed = ffi.new("float[?]", count),
  }
  for i = 0, count - 1 do
    local x, y
    repeat
      x, y = random:random(x0, x1), random:random(y0, y1)
    until finder:clearance(x, y) >= size
    list.x[i], list.y[i], list.to_x[i], list.to_y[i] = x, y, x, y
    list.speed[i] = 6 + random:random() * 6
  end
  return list
end

-- Asks the flow where each unit goes on that has reached its cell; the flow's share of a frame.
function units.ask(list, flow)
  local x, y, to_x, to_y = list.x, list.y, list.to_x, list.to_y
  for i = 0, list.count - 1 do
    if x[i] == to_x[i] and y[i] == to_y[i] then
      local nx, ny = flow:next(to_x[i], to_y[i])
      if nx then
        to_x[i], to_y[i] = nx, ny
      end
    end
  end
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

-- Units bound for a cell where they do not fit any more stay on the nearest cell, where they do there.
function units.evict(list, finder, size)
  for i = 0, list.count - 1 do
    if finder:clearance(list.to_x[i], list.to_y[i]) < size then
      local x, y = math.floor(list.x[i] + 0.5), math.floor(list.y[i] + 0.5)
      if finder:clearance(x, y) >= size then
        list.to_x[i], list.to_y[i] = x, y
      end
    end
  end
end

return units
