-- configurations.lua -- whether units can get to their goals at all: breadth-first search over all
-- configurations, a cell for each of them. The plainest way there is, for few units on few cells.
--
--     configurations.solve(grid, rule, starts, goals, exclusive) -> fewest beats, or nil
--
-- starts: list of {x, y}; goals: the same by number, false for who wants nothing. A step is legal by the map
-- alone; two units' steps go together where discs of radius 0.35 that take them never touch, of exclusive ones
-- whole squares, which enter only what is empty.

local configurations = {}

local NEAR = 1e-9
local LEAST_WAYS = { always = 0, if_at_most_one_obstacle = 1, only_when_no_obstacles = 2, never = 3 }

local function is_open(grid, x, y)
  local x0, y0, x1, y1 = grid:bounds()
  return x >= x0 and x <= x1 and y >= y0 and y <= y1 and grid:is_walkable(x, y)
end

local function steps_from(grid, rule, x, y)
  local steps = { { x, y } }
  for dy = -1, 1 do
    for dx = -1, 1 do
      local ways = (is_open(grid, x + dx, y) and 1 or 0) + (is_open(grid, x, y + dy) and 1 or 0)
      local is_straight = dx == 0 or dy == 0
      if (dx ~= 0 or dy ~= 0) and is_open(grid, x + dx, y + dy) and (is_straight or ways >= LEAST_WAYS[rule]) then
        steps[#steps + 1] = { x + dx, y + dy }
      end
    end
  end
  return steps
end

local function goes_together(a, to_a, b, to_b, exclusive)
  if to_a[1] == to_b[1] and to_a[2] == to_b[2] then return false end
  if exclusive then
    if (to_a[1] == b[1] and to_a[2] == b[2]) or (to_b[1] == a[1] and to_b[2] == a[2]) then return false end
  end
  local x, y = b[1] - a[1], b[2] - a[2]
  local dx, dy = (to_b[1] - b[1]) - (to_a[1] - a[1]), (to_b[2] - b[2]) - (to_a[2] - a[2])
  for moment = 0, 16 do
    local t = moment / 16
    local apart = math.max(math.abs(x + t * dx), math.abs(y + t * dy))
    if exclusive and apart < 1 - NEAR then return false end
  end
  local speed = dx * dx + dy * dy
  local t = speed > 0 and math.max(0, math.min(1, -(x * dx + y * dy) / speed)) or 0
  return (x + t * dx) ^ 2 + (y + t * dy) ^ 2 >= 0.7 ^ 2 - NEAR
end

-- The cells of a map by number, and where units may go from each.
local function chart(grid, rule)
  local cells, steps, number = {}, {}, {}
  local x0, y0, x1, y1 = grid:bounds()
  for y = y0, y1 do
    for x = x0, x1 do
      if is_open(grid, x, y) then
        cells[#cells + 1] = { x, y }
        number[y * 65536 + x] = #cells
      end
    end
  end
  for i, cell in ipairs(cells) do
    steps[i] = {}
    for j, to in ipairs(steps_from(grid, rule, cell[1], cell[2])) do
      steps[i][j] = number[to[2] * 65536 + to[1]]
    end
  end
  return { cells = cells, steps = steps, number = number, together = {} }
end

-- Whether two steps go together, asked once each.
local function may(map, exclusive, a, to_a, b, to_b)
  local key = ((a * 64 + to_a) * 64 + b) * 64 + to_b
  if map.together[key] == nil then
    map.together[key] = goes_together(map.cells[a], map.cells[to_a], map.cells[b], map.cells[to_b], exclusive)
  end
  return map.together[key]
end

-- Calls with each configuration that follows one.
local function each_next(map, exclusive, config, call)
  local next_one = {}
  local function choose(unit)
    if unit > #config then return call(next_one) end
    for _, to in ipairs(map.steps[config[unit]]) do
      local good = true
      for other = 1, unit - 1 do
        good = good and may(map, exclusive, config[other], next_one[other], config[unit], to)
      end
      if good then
        next_one[unit] = to
        if choose(unit + 1) then return true end
      end
    end
  end
  return choose(1)
end

local function key_of(config)
  local key = 0
  for _, cell in ipairs(config) do key = key * 64 + cell end
  return key
end

local function is_solved(config, goals)
  for unit, goal in ipairs(goals) do
    if goal and config[unit] ~= goal then return false end
  end
  return true
end

function configurations.solve(grid, rule, starts, goals, exclusive)
  local map, start, wanted = chart(grid, rule), {}, {}
  local function number_of(cell) return map.number[cell[2] * 65536 + cell[1]] end
  for i, cell in ipairs(starts) do
    start[i] = number_of(cell)
    wanted[i] = goals[i] and number_of(goals[i])
  end
  local seen, layer, beats = { [key_of(start)] = true }, { start }, 0
  if is_solved(start, wanted) then return 0 end
  while #layer > 0 do
    local coming = {}
    beats = beats + 1
    for _, config in ipairs(layer) do
      local found = each_next(map, exclusive, config, function(next_one)
        local key = key_of(next_one)
        if seen[key] then return false end
        seen[key] = true
        local copy = {}
        for i, cell in ipairs(next_one) do copy[i] = cell end
        coming[#coming + 1] = copy
        return is_solved(copy, wanted)
      end)
      if found then return beats end
    end
    layer = coming
  end
end

return configurations
