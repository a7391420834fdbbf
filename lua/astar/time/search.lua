-- search.lua -- Routes in time: safe interval path planning (Phillips and Likhachev, ICRA 2011).
--
-- A safe interval is a time in which a cell is free, between two reservations. A state is a cell in one of its safe
-- intervals. If two routes lead to a state, the route that arrives earlier is at least as good, because the unit may
-- wait in the cell. Therefore A* over states finds the earliest arrival. A step leads to each interval of the next
-- cell that the unit can reach in time.
--
-- A step occupies the cells at both ends, and a diagonal step also the cells beside it, for as long as it lasts.
-- Therefore the step must end before the intervals of all these cells end.
--
-- The cells of a train are occupied until its last car has left them, so the time for which the train may wait
-- depends on the cells over which it came. Therefore a train's state consists of all the cells that it is on, their
-- intervals, and the cells beside.
--
-- Sums of costs differ by rounding. Differences below a millionth of a second are ignored, so that equal arrivals
-- compare equal.

local floor, huge, min, max = math.floor, math.huge, math.min, math.max

local EPSILON = 1e-6
local TICKS = 2 ^ 20

-- Returns true if an entry comes before another one in the open list, a binary heap ordered by f and, for equal f, by
-- the estimate.
local function goes_before(heap, f, left, other)
  local other_f = heap.f[other]
  return f < other_f or f == other_f and left < heap.left[other]
end

local function push(heap, node, f, left)
  local i, fs, lefts, nodes = heap.count + 1, heap.f, heap.left, heap.node
  heap.count = i
  while i > 1 do
    local parent = floor(i / 2)
    if not goes_before(heap, f, left, parent) then break end
    fs[i], lefts[i], nodes[i] = fs[parent], lefts[parent], nodes[parent]
    i = parent
  end
  fs[i], lefts[i], nodes[i] = f, left, node
end

local function pop(heap)
  local fs, lefts, nodes, count = heap.f, heap.left, heap.node, heap.count
  local top, f, left, node = nodes[1], fs[count], lefts[count], nodes[count]
  count = count - 1
  heap.count = count
  local i = 1
  while 2 * i <= count do
    local child = 2 * i
    if child < count and goes_before(heap, fs[child + 1], lefts[child + 1], child) then child = child + 1 end
    if goes_before(heap, f, left, child) then break end
    fs[i], lefts[i], nodes[i] = fs[child], lefts[child], nodes[child]
    i = child
  end
  fs[i], lefts[i], nodes[i] = f, left, node
  return top
end

-- Adds a node: a state and the path to it. The node contains the time of arrival, the end of the cell's interval, and
-- the step from its parent as an index of the parent's list of steps. Nodes of trains also contain the end of the
-- intervals of the cells beside that step, and a string that identifies the state.
local function add_node(search, parent, step, cell, key, time, limit)
  local node = search.count + 1
  search.count = node
  search.parent[node], search.step[node], search.cell[node] = parent, step, cell
  search.key[node], search.time[node], search.limit[node] = key, time, limit
  return node
end

-- Opens a state, unless an earlier route has reached it at the same time or sooner. Returns its node, or nil.
local function open(search, parent, step, cell, key, time, limit)
  local left, known = search.estimate[cell], search.best[key]
  if not left or known and known <= time + EPSILON then return nil end
  search.best[key] = time
  local node = add_node(search, parent, step, cell, key, time, limit)
  local f = max(time + left * search.pace, search.bound) - search.at
  push(search.heap, node, floor(f * TICKS + 0.5), left)
  return node
end

-- Returns a string that identifies a train's state: the cells that it is on, and the intervals of these cells and of
-- the cells beside its steps.
local function key_of_train(search, parent, state)
  local words, node = { state }, parent
  for _ = 2, search.span do
    if node == 0 then break end
    words[#words + 1] = search.state[node]
    node = search.parent[node]
  end
  return table.concat(words, ",")
end

-- Returns the time until which the unit, or the whole train, may stay where it is at a node.
local function limit_of(search, node)
  local limit = search.limit[node]
  for _ = 2, search.span do
    limit = min(limit, search.side_limit[node])
    node = search.parent[node]
    if node == 0 then break end
    limit = min(limit, search.limit[node])
  end
  return limit
end

-- Returns true if a train whose first car is at a node covers a cell.
local function is_on(search, node, cell)
  for _ = 1, search.span do
    if search.cell[node] == cell then return true end
    node = search.parent[node]
    if node == 0 then return false end
  end
  return false
end

-- The intervals of a cell that is always free.
local ALWAYS = { -huge, huge }

-- Opens the state that a step leads to in one interval of its cell and of the cells beside it.
local function open_next(search, node, step, cell, time, interval, limit, side_limit, side_key)
  if search.span == 1 then
    open(search, node, step, cell, cell + interval * search.cells, time, limit)
    return
  end
  local state = cell .. ":" .. interval .. ":" .. side_key
  local next_node = open(search, node, step, cell, key_of_train(search, node, state), time, limit)
  if next_node then search.state[next_node], search.side_limit[next_node] = state, side_limit end
end

-- Opens the states that a step leads to: for each interval of its second cell, combined with each interval of the two
-- cells beside the step.
local function expand_among(search, node, cell, limit, list, step, intervals)
  local to, duration = cell + list[step], list[step + 1] * search.pace
  local beside = list[step + 2] ~= 0 and search.free(cell + list[step + 2]) or ALWAYS
  local beyond = list[step + 3] ~= 0 and search.free(cell + list[step + 3]) or ALWAYS
  local time = search.time[node]
  for i = 1, #intervals, 2 do
    local from, until_ = max(time, intervals[i]), min(limit, intervals[i + 1])
    for j = 1, from + duration <= until_ + EPSILON and #beside or 0, 2 do
      local later, sooner = max(from, beside[j]), min(until_, beside[j + 1])
      for k = 1, later + duration <= sooner + EPSILON and #beyond or 0, 2 do
        local start = max(later, beyond[k])
        if start + duration <= min(sooner, beyond[k + 1]) + EPSILON then
          open_next(search, node, step, to, start + duration, (i - 1) / 2, intervals[i + 1],
            min(beside[j + 1], beyond[k + 1]), j * 65536 + k)
        end
      end
    end
  end
end

-- Expands a node: follows all steps from it. Steps over cells that are always free, the most frequent case, are handled
-- here without a search for intervals.
local function expand(search, node)
  local cell = search.cell[node]
  local list, limit = search.steps:from(cell), limit_of(search, node)
  local taken, time, pace = search.taken, search.time[node], search.pace
  local is_unit = search.span == 1
  for i = 1, #list, 4 do
    local to, side, other = cell + list[i], list[i + 2], list[i + 3]
    local is_calm = not taken[to] and (side == 0 or not taken[cell + side]) and (other == 0 or not taken[cell + other])
    if is_unit and is_calm then
      local arrival = time + list[i + 1] * pace
      if arrival <= limit + EPSILON then open(search, node, i, to, to, arrival, huge) end
    elseif is_unit or not is_on(search, node, to) then
      expand_among(search, node, cell, limit, list, i, search.free(to) or ALWAYS)
    end
  end
end

local function new_search(steps, calendar, query, goal)
  return {
    steps = steps, free = calendar.free, taken = calendar.taken, estimate = steps:estimate(goal, query.start),
    pace = 1 / query.speed, span = query.length, cells = 2 * steps.count + 1, at = query.at, best = {},
    count = 0,
    heap = { count = 0, f = {}, left = {}, node = {} },
    parent = {}, step = {}, cell = {}, key = {}, time = {}, limit = {}, state = {}, side_limit = {},
  }
end

-- Returns the number and the end of the interval that contains a time, nil if the cell is reserved at that time.
local function interval_at(intervals, time)
  for i = 1, #intervals, 2 do
    if intervals[i] <= time + EPSILON and intervals[i + 1] > time + EPSILON then
      return (i - 1) / 2, intervals[i + 1]
    end
  end
end

-- Places the unit at its start; `cells` are the cells of a train from its last car to its first. Returns false if any
-- of these cells is reserved.
local function place_unit(search, cells, at)
  local node = 0
  for i, cell in ipairs(cells) do
    local interval, limit = interval_at(search.free(cell) or ALWAYS, at)
    if not interval then return false end
    local side_limit, side_key, step = huge, 0, 0
    if i > 1 then
      step = search.steps:index(cells[i - 1], cell)
      local list = search.steps:from(cells[i - 1])
      local side, other = list[step + 2], list[step + 3]
      local s, s_limit = interval_at(side ~= 0 and search.free(cells[i - 1] + side) or ALWAYS, at)
      local o, o_limit = interval_at(other ~= 0 and search.free(cells[i - 1] + other) or ALWAYS, at)
      if not (s and o) then return false end
      side_limit, side_key = min(s_limit, o_limit), s * 65536 + o
    end
    node = add_node(search, node, step, cell, 0, at, limit)
    search.state[node], search.side_limit[node] = cell .. ":" .. interval .. ":" .. side_key, side_limit
  end
  search.key[node] = "start"
  search.best["start"] = at
  push(search.heap, node, 0, 0)
  return true
end

-- Returns true if the goal is free at any time from `at` on for as long as the unit stays.
local function is_ever_free(intervals, at, stay)
  for i = 1, #intervals, 2 do
    if max(intervals[i], at) + stay <= intervals[i + 1] + EPSILON then return true end
  end
  return false
end

-- Returns the earliest time at which a unit that waits at `from`, from time `at` on, has stepped into the goal and
-- can stay there; huge if it never can.
local function earliest_into(search, from, list, i, goal, at, stay)
  local duration, earliest = list[i + 1] * search.pace, huge
  local before, within = search.free(from) or ALWAYS, search.free(goal) or ALWAYS
  for j = 1, #before, 2 do
    for k = 1, #within, 2 do
      local time = max(at, before[j], within[k]) + duration
      if time <= before[j + 1] + EPSILON and time + stay <= within[k + 1] + EPSILON then
        earliest = min(earliest, time)
      end
    end
  end
  return earliest
end

-- Returns a lower bound of the time of arrival, computed from the intervals of the goal and its neighbours; huge if the
-- unit can never arrive. Without the bound a search would expand all states that the unit can reach before the goal is
-- free.
local function bound_of(search, query, goal)
  local start, at, bound = query.start, query.at, huge
  local left = search.estimate[start]
  if start == goal then
    local _, limit = interval_at(search.free(goal) or ALWAYS, at)
    if at + query.stay <= limit + EPSILON then return at end
  end
  for _, from in ipairs(search.steps:before(goal)) do
    local list = search.steps:from(from)
    for i = 1, #list, 4 do
      if list[i] == goal - from then
        local sooner = from == start and at or at + (left - list[i + 1]) * search.pace
        bound = min(bound, earliest_into(search, from, list, i, goal, max(sooner, at), query.stay))
      end
    end
  end
  return bound
end

-- Returns the route from the start to a node. The first `standing` cells of a train's route are the cells that the
-- train covers when it sets out.
local function trace(search, node, standing)
  local nodes, route = {}, { cells = {}, times = {}, durations = {}, sides = {} }
  while node ~= 0 do
    nodes[#nodes + 1] = node
    node = search.parent[node]
  end
  for i = 1, #nodes do
    local each = nodes[#nodes + 1 - i]
    local step = search.step[each]
    route.cells[i], route.times[i], route.durations[i] = search.cell[each], search.time[each], 0
    if step > 0 then
      local from = search.cell[search.parent[each]]
      route.sides[i] = search.steps:sides(from, step)
      if i > standing then route.durations[i] = search.steps:from(from)[step + 1] * search.pace end
    end
  end
  return route
end

local function run(search, goal, stay, most)
  local heap, expanded, best, key, time = search.heap, 0, search.best, search.key, search.time
  while heap.count > 0 do
    local node = pop(heap)
    if best[key[node]] >= time[node] then -- otherwise the node is stale: its state was reached earlier
      if search.cell[node] == goal and limit_of(search, node) + EPSILON >= time[node] + stay then
        return node, expanded
      elseif expanded >= most then
        return nil, "max_expansions"
      end
      expanded = expanded + 1
      expand(search, node)
    end
  end
  return nil, "taken"
end

--- Finds the earliest route to the goal. Returns its cells, the time of arrival at each, the duration and the sides
-- of the step to each, and the number of states expanded; or nil and the reason. calendar.free(cell) returns the
-- intervals in which a cell is free, { from, to, ... }, nil if it is always free. calendar.taken[cell] is nil if the
-- cell is never reserved. `options` holds start, cells (from a train's last car to the start), at, speed, length,
-- stay in seconds, and `most`, the maximum number of expansions.
return function(steps, calendar, query, goal)
  local search = new_search(steps, calendar, query, goal)
  if not place_unit(search, query.cells, query.at) then
    return nil, "start taken"
  elseif not is_ever_free(calendar.free(goal) or ALWAYS, query.at, query.stay) then
    return nil, "goal taken"
  end
  search.bound = bound_of(search, query, goal)
  if search.bound == huge then return nil, "taken" end
  local node, expanded = run(search, goal, query.stay, query.most)
  if not node then return nil, expanded end
  local route = trace(search, node, #query.cells)
  route.expanded = expanded
  return route
end
