-- schedule_oracle.lua -- routes in time by Dijkstra over cells and ticks, from the rules alone: docs/schedules.md.
--
-- Time goes in ticks of a quarter of a second, of which all costs of a case are multiples. A unit waits a tick, or
-- steps, where all that it takes meanwhile is free in each tick. A train is the list of its cells.
--
-- Which steps a unit may make at all is asked of finder:raycast between neighbours, but where the grid goes round:
-- there are neither walls nor wide units. What they cost is worked out here.

local TICKS = 4

local oracle = { TICKS = TICKS }

local function key_of(x, y) return x .. "," .. y end

-- ---- one unit on one map ----

--- What a unit may do: `grid`, `finder` and `options` are astar's; `price(x, y)` is what the ground of a cell costs it
-- by the case, per unit of length, false where it cannot be, and what the blocks there do; `speed` in cost a
-- second. The unit's own start is lifted by who
-- calls.
function oracle.unit(grid, finder, options, price, speed)
  local x0, y0, x1, y1 = grid:bounds()
  local shape, wrap = grid:shape()
  local unit = {
    wrap = shape == "square" and wrap,
    grid = grid, finder = finder, options = options, size = options.size or 1, price = price, x0 = x0, y0 = y0,
    x1 = x1, y1 = y1, is_square = shape == "square", rule = options.diagonals or "only_when_no_obstacles",
    ticks = TICKS / (speed or 1), steps = {},
  }
  return unit
end

local function covered(size, x, y)
  local list = {}
  for row = y, y + size - 1 do
    for column = x, x + size - 1 do list[#list + 1] = key_of(column, row) end
  end
  return list
end

-- Counted modulo where the grid goes round.
local function around(unit, x, y)
  if unit.wrap == "x" or unit.wrap == "both" then x = (x - unit.x0) % (unit.x1 - unit.x0 + 1) + unit.x0 end
  if unit.wrap == "y" or unit.wrap == "both" then y = (y - unit.y0) % (unit.y1 - unit.y0 + 1) + unit.y0 end
  return x, y
end

oracle.around = around

local function is_inside(unit, x, y) return x >= unit.x0 and y >= unit.y0 and x <= unit.x1 and y <= unit.y1 end

-- dx and dy of a step between neighbours, one of which may be beyond the seam.
local function stride(unit, x, y, to_x, to_y)
  for dy = -1, 1 do
    for dx = -1, 1 do
      local near_x, near_y = around(unit, x + dx, y + dy)
      if near_x == to_x and near_y == to_y then return dx, dy end
    end
  end
  return to_x - x, to_y - y
end

-- What a place costs: the dearest ground, the dearest block and the greatest danger that the unit covers;
-- nil where it cannot be there.
local function dearest(unit, x, y)
  local most, dearest_block, greatest_danger = 0, 0, 0
  for row = y, y + unit.size - 1 do
    for column = x, x + unit.size - 1 do
      if not is_inside(unit, column, row) then return nil end
      local ground, block, danger = unit.price(column, row)
      if not ground then return nil end
      most, dearest_block = math.max(most, ground), math.max(dearest_block, block)
      greatest_danger = math.max(greatest_danger, danger)
    end
  end
  return most + dearest_block + greatest_danger
end

local function may(unit, x, y, to_x, to_y)
  if unit.wrap then
    local dx, dy = stride(unit, x, y, to_x, to_y)
    if dx == 0 or dy == 0 or unit.rule == "always" or not dearest(unit, to_x, to_y) then
      return dearest(unit, to_x, to_y) ~= nil
    end
    local free = 0
    for _, side in ipairs { { x + dx, y }, { x, y + dy } } do
      if dearest(unit, around(unit, side[1], side[2])) then free = free + 1 end
    end
    return unit.rule ~= "never" and free >= (unit.rule == "only_when_no_obstacles" and 2 or 1)
  end
  return dearest(unit, to_x, to_y) ~= nil and unit.finder:raycast(x, y, to_x, to_y)
end

oracle.may = may

-- What a diagonal step takes beside its ends.
function oracle.sides(unit, x, y, to_x, to_y)
  local list, dx, dy = {}, stride(unit, x, y, to_x, to_y)
  if not unit.is_square or math.abs(dx) ~= 1 or math.abs(dy) ~= 1 then return list end
  if unit.rule == "always" then
    if unit.size == 1 then list[1] = "point " .. key_of(around(unit, x + math.max(dx, 0), y + math.max(dy, 0))) end
    return list
  end
  for _, side in ipairs { { to_x, y }, { x, to_y } } do
    if is_inside(unit, side[1], side[2]) and may(unit, x, y, side[1], side[2])
      and may(unit, side[1], side[2], to_x, to_y) then
      for _, key in ipairs(covered(unit.size, side[1], side[2])) do list[#list + 1] = key end
    end
  end
  return list
end

-- The steps from a cell: { x, y, ticks, sides }.
local function steps_from(unit, x, y)
  local known = unit.steps[key_of(x, y)]
  if known then return known end
  local list = {}
  for dy = -1, 1 do
    for dx = -1, 1 do
      local to_x, to_y = around(unit, x + dx, y + dy)
      local diagonal = unit.is_square and dx ~= 0 and dy ~= 0
      if is_inside(unit, to_x, to_y) and unit.grid:distance(x, y, to_x, to_y) == 1
        and not (diagonal and unit.rule == "never") and may(unit, x, y, to_x, to_y) then
        local length = diagonal and (unit.options.diagonal_cost or math.sqrt(2)) or 1
        list[#list + 1] = {
          to_x, to_y, dearest(unit, to_x, to_y) * length * unit.ticks, oracle.sides(unit, x, y, to_x, to_y),
        }
      end
    end
  end
  for _, link in ipairs(unit.grid:links()) do
    if link.x0 == x and link.y0 == y and dearest(unit, link.x1, link.y1) then
      list[#list + 1] = { link.x1, link.y1, link.cost * unit.ticks, {} }
    end
    if link.x1 == x and link.y1 == y and not link.one_way and dearest(unit, link.x0, link.y0) then
      list[#list + 1] = { link.x0, link.y0, link.cost * unit.ticks, {} }
    end
  end
  unit.steps[key_of(x, y)] = list
  return list
end

-- ---- what is taken ----

--- What is taken when: by key of a cell or point, by tick. Beyond `last` nothing changes any more.
function oracle.calendar() return { taken = {}, last = 0 } end

--- Takes a cell or point from one tick to another; to may be math.huge, from -math.huge.
function oracle.take(calendar, key, from, to)
  if to <= from then return end
  local list = calendar.taken[key] or {}
  calendar.taken[key] = list
  list[#list + 1] = { from, to }
  for _, tick in ipairs { from, to } do
    if tick < math.huge and tick > calendar.last then calendar.last = tick end
  end
end

local function is_free(calendar, keys, from, to)
  for _, key in ipairs(keys) do
    for _, span in ipairs(calendar.taken[key] or {}) do
      if span[1] < to and from < span[2] then return false end
    end
  end
  return true
end

oracle.is_free = is_free

--- What a path takes, in lists { keys, from, to }: `cells` {x, y} from a train's last car on, the first `offset` of
-- them behind the start; `arrivals` and `departures` in ticks of the cells from the start on; `stay` in ticks.
function oracle.taken_by(unit, cells, offset, arrivals, departures, span, stay)
  local list, count = {}, #cells
  local function arrival(i) return i > offset and arrivals[i - offset] or arrivals[1] end
  for i, cell in ipairs(cells) do
    local to = i + span <= count and arrival(i + span) or arrivals[#arrivals] + stay
    local from = i > offset + 1 and departures[i - 1 - offset] or arrivals[1]
    list[#list + 1] = { covered(unit.size, cell[1], cell[2]), from, to }
    if cells[i + 1] then
      local leaving = i > offset and departures[i - offset] or arrivals[1]
      list[#list + 1] = { oracle.sides(unit, cell[1], cell[2], cells[i + 1][1], cells[i + 1][2]), leaving, to }
    end
  end
  return list
end

-- ---- the search ----

-- All that a train takes while it stands: `cells` from its head on, each with the sides of the step to it.
local function keys_of(unit, cells, span)
  local keys = {}
  for i = 1, math.min(#cells, span) do
    for _, key in ipairs(covered(unit.size, cells[i][1], cells[i][2])) do keys[#keys + 1] = key end
    if i < span and cells[i + 1] then
      for _, key in ipairs(cells[i].sides) do keys[#keys + 1] = key end
    end
  end
  return keys
end

local function name_of(cells)
  local words = {}
  for _, cell in ipairs(cells) do words[#words + 1] = cell[1] .. "," .. cell[2] .. "+" .. #cell.sides end
  return table.concat(words, " ")
end

local function is_on(cells, x, y)
  for _, cell in ipairs(cells) do
    if cell[1] == x and cell[2] == y then return true end
  end
end

local function extend(cells, step, span)
  local more = { { step[1], step[2], sides = step[4] } }
  for i = 1, math.min(#cells, span - 1) do more[i + 1] = cells[i] end
  return more
end

--- The tick of the earliest arrival; nil where there is none. `cells`: of the unit at its start, a train's head
-- first, each with the sides of the step to it. `at` and `stay` in ticks.
function oracle.earliest(unit, calendar, cells, gx, gy, at, span, stay)
  local horizon = math.max(calendar.last, at) + 800 * TICKS
  local buckets, seen = { [at] = { cells } }, {}
  local pending, tick = 1, at
  if not is_free(calendar, keys_of(unit, cells, span), at, at + 1) then return nil end
  while pending > 0 and tick <= horizon do
    for _, state in ipairs(buckets[tick] or {}) do
      pending = pending - 1
      local name = math.min(tick, calendar.last) .. ":" .. name_of(state) -- once nothing changes, later is no better
      if not seen[name] then
        seen[name] = true
        local keys = keys_of(unit, state, span)
        if state[1][1] == gx and state[1][2] == gy and is_free(calendar, keys, tick, tick + stay) then return tick end
        local function add(when, next_state)
          buckets[when] = buckets[when] or {}
          table.insert(buckets[when], next_state)
          pending = pending + 1
        end
        if tick < calendar.last and is_free(calendar, keys, tick, tick + 1) then add(tick + 1, state) end
        for _, step in ipairs(steps_from(unit, state[1][1], state[1][2])) do
          local till = tick + step[3]
          if not is_on(state, step[1], step[2]) and is_free(calendar, keys, tick, till)
            and is_free(calendar, covered(unit.size, step[1], step[2]), tick, till)
            and is_free(calendar, step[4], tick, till) then
            add(till, extend(state, step, span))
          end
        end
      end
    end
    buckets[tick] = nil
    tick = tick + 1
  end
end

return oracle
