-- search.lua -- A* (Hart, Nilsson and Raphael, 1968), and Dijkstra's algorithm as A* without an estimate.
--
-- What is known of cells lies in lists as long as the map, which searches take over from each other: a mark says in
-- which search a number was written, so that nothing is ever cleared. The open list is a binary heap in two lists, of f
-- and of cells; where a better way to a cell is found it is in there twice, and the worse entry is passed over.
--
-- A step leads on, aside or slantwise, never back: to the three cells behind the one that a cell was reached from leads
-- a way as short. With step_cost all eight are followed.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local costs = require(FOLDER .. ".costs")
local jps = require(FOLDER .. ".jps")
local map = require(FOLDER .. ".map")
local object = require(FOLDER .. ".object")

local describe, fail = object.describe, object.fail
local floor, huge, sqrt = math.floor, math.huge, math.sqrt
local enter, round = costs.enter, map.round

local search = {}

local LENIENCE = 1 + 1e-9 -- of limits: sums may be a little more by rounding
local NOWHERE = -1 -- from where the start was reached

-- ---- the open list ----

local function push(keys, cells, count, key, cell)
  count = count + 1
  local at = count
  while at > 1 do
    local above = (at - at % 2) / 2
    if keys[above] < key then break end -- of equals the last one goes first
    keys[at], cells[at] = keys[above], cells[above]
    at = above
  end
  keys[at], cells[at] = key, cell
  return count
end

-- Takes the least off: the cell, how many are left.
local function pop(keys, cells, count)
  local best, key, cell = cells[1], keys[count], cells[count]
  count = count - 1
  local at, below = 1, 2
  while below <= count do
    local least = keys[below]
    if below < count and keys[below + 1] < least then
      below = below + 1
      least = keys[below]
    end
    if least >= key then break end
    keys[at], cells[at] = least, cells[below]
    at, below = below, below + below
  end
  keys[at], cells[at] = key, cell
  return best, count
end

search.push, search.pop = push, pop

-- ---- workspaces ----

-- Jumps reach few cells, so their lists begin empty. Other searches have them filled first, as long as the map.
local function fill(work, last)
  local mark, g, from = {}, {}, {}
  for cell = 1, last do mark[cell], g[cell], from[cell] = 0, 0, 0 end
  work.mark, work.g, work.from, work.is_filled = mark, g, from, true
end

local function take_workspace(grid, jumps)
  local work = table.remove(grid.workspaces)
  if not work then
    work = { mark = {}, g = {}, from = {}, parents = {}, keys = {}, cells = {}, number = 0, is_filled = false }
  end
  if not jumps and not work.is_filled then fill(work, grid.last) end
  work.number, work.count = work.number + 2, 0 -- an odd mark: closed
  return work
end

--- Gives back what a search works in.
function search.close(self)
  if self.work then
    table.insert(self.grid.workspaces, self.work)
    self.work = nil
  end
end

-- ---- steps ----

local DIRECTIONS = { [NOWHERE] = { 0, 1, 2, 3, 4, 5, 6, 7 } }
for from = 0, 7 do
  local list = {}
  for d = 0, 7 do
    local turn = (d - from + 8) % 8
    if turn <= 2 or turn >= 6 then list[#list + 1] = d end
  end
  DIRECTIONS[from] = list
end

--- Directions that lead out of a cell, by the one that led there; by four directions straight ones alone.
local function directions_of(unit)
  local lists = {}
  for from = NOWHERE, 7 do
    lists[from] = {}
    for _, d in ipairs(unit.step_cost and DIRECTIONS[NOWHERE] or DIRECTIONS[from]) do
      if unit.corners < 3 or d % 2 == 0 then lists[from][#lists[from] + 1] = d end
    end
  end
  return lists
end

search.directions_of = directions_of

-- The estimate of a unit: of the larger distance, of the smaller one, whether by the straight line.
local function estimate_of(unit, name, straight, diagonal)
  diagonal = math.min(diagonal, 2 * straight)
  local has_diagonals = unit.corners < 3
  if name == "octile" then
    return straight, diagonal - straight, false
  elseif name == "manhattan" then
    local each = has_diagonals and diagonal < 2 * straight and diagonal / 2 or straight
    return each, each, false
  elseif name == "euclidean" then
    return has_diagonals and diagonal < sqrt(2) * straight and diagonal / sqrt(2) or straight, 0, true
  end
  return name == "zero" and 0 or straight, 0, false
end

-- How far apart cells are, for what is nearest.
local function distance_between(self, cell, x, y)
  local row = floor((cell - 1) / self.grid.stride)
  local dx, dy = math.abs(cell - 1 - row * self.grid.stride - x), math.abs(row - y)
  local along, across = self.unit.near_along, self.unit.near_across
  return along * math.max(dx, dy) + across * math.min(dx, dy)
end

-- What is left of the way at a cell, at least.
local function estimate(self, cell)
  if self.goal == 0 or self.blind then return 0 end
  local row = floor((cell - 1) / self.grid.stride)
  local dx = math.abs(cell - 1 - row * self.grid.stride - self.goal_x) - self.range
  local dy = math.abs(row - self.goal_y) - self.range
  dx, dy = floor(dx > 0 and dx or 0), floor(dy > 0 and dy or 0)
  local own = self.unit.estimate
  if own then
    local said = costs.ask(self.query, own, dx, dy)
    if type(said) ~= "number" or not (said >= 0 and said <= 1e300) then
      fail("heuristic callback returned %s for (%d, %d); expected a number >= 0", describe(said), dx, dy)
    end
    return said
  elseif self.is_euclidean then
    return self.along * sqrt(dx * dx + dy * dy)
  elseif dx > dy then
    return self.along * dx + self.across * dy
  end
  return self.along * dy + self.across * dx
end

search.estimate = estimate

-- Expands a cell whatever its costs are told by.
local function expand(self, cell, g)
  local unit, query, work = self.unit, self.query, self.work
  local cost, o, own, said = query.cost, unit.offsets, query.map, query.said
  local mark, open_mark = work.mark, work.number
  for _, d in ipairs(unit.directions[work.from[cell]]) do
    local to = cell + o[d]
    local step, length = cost[to], 1
    if step ~= 0 and d % 2 == 1 then
      local one, other = cell + o[d - 1], cell + o[(d + 1) % 8]
      local free = (cost[one] ~= 0 and (not said or enter(query, one) < huge) and 1 or 0)
        + (cost[other] ~= 0 and (not said or enter(query, other) < huge) and 1 or 0)
      if free < unit.corners then step = 0 end
      length = unit.diagonal_cost
    end
    if step ~= 0 then
      if said or unit.step_cost then step = enter(query, to) end
      step = step * length
      if unit.step_cost then
        step = costs.ask_step(query, cell, to, d, step)
      elseif step < huge then
        step = round(own, step)
      end
      local way = g + step
      local state = mark[to]
      if step < huge and (state < open_mark or way < work.g[to] and (state == open_mark or self.reopens)) then
        local h = estimate(self, to)
        if (self.tracks and way or way + h) > self.limit then
          self.failure = "max_cost"
        else
          mark[to], work.g[to], work.from[to] = open_mark, way, d
          if self.steps then self.steps[to] = step end
          work.count = push(work.keys, work.cells, work.count, way + self.weight * h, to)
        end
      end
    end
  end
end

-- ---- goals ----

-- Keeps the nearest cell to the goal, of equally near ones the cheapest.
local function track(self, cell)
  local distance, goals = huge, self.goals
  if goals then
    for i = 1, #goals do
      local row = floor((goals[i] - 1) / self.grid.stride)
      local each = distance_between(self, cell, goals[i] - 1 - row * self.grid.stride, row)
      if each < distance then distance, self.near_index = each, self.near_index end
      if each == distance and (not self.near or each < self.near_distance) then self.near_index = i end
    end
  else
    distance = distance_between(self, cell, self.goal_x, self.goal_y)
  end
  local g, near = self.work.g[cell], self.near
  local least = near and self.work.g[near]
  if not near or distance < self.near_distance
    or distance == self.near_distance and (g < least or g == least and cell < near) then
    self.near, self.near_distance = cell, distance
  end
end

-- Judges a cell that was closed: whether it is a goal.
local function is_goal(self, cell)
  if self.test then
    local grid = self.grid
    local x, y = costs.position(grid, cell)
    return costs.ask(self.query, self.test, x, y, grid.keys[grid.ground[cell]])
  elseif self.marks then
    return self.marks[cell] ~= nil
  elseif self.range > 0 then
    local row = floor((cell - 1) / self.grid.stride)
    local dx = math.abs(cell - 1 - row * self.grid.stride - self.goal_x)
    return dx <= self.range and math.abs(row - self.goal_y) <= self.range
  end
  return cell == self.goal
end

-- Of many goals as cheap the first by rows.
local function settle_ties(self, cell, key)
  local work = self.work
  local best = cell
  while self.marks and work.count > 0 and work.keys[1] <= key do
    local other
    other, work.count = pop(work.keys, work.cells, work.count)
    if work.mark[other] == work.number then
      work.mark[other] = work.number + 1
      if self.marks[other] and other < best then best = other end
    end
  end
  return best
end

local function give_up(self, why)
  if self.near then
    self.found = self.near
    return "found"
  end
  return why
end

-- Makes expansions whatever the question is.
local function run_any(self, expansions)
  local work = self.work
  while expansions > 0 do
    if not self.current then
      local cell = self.judged -- should a function raise that judges it, it is judged again
      if not cell then
        if work.count == 0 then return give_up(self, self.failure) end
        cell, work.count = pop(work.keys, work.cells, work.count)
        if work.mark[cell] ~= work.number then cell = nil end
      end
      if cell then
        self.judged, work.mark[cell] = cell, work.number + 1
        if is_goal(self, cell) then
          self.found = settle_ties(self, cell, work.g[cell])
          return "found"
        end
        if self.tracks then track(self, cell) end
        if self.expanded >= self.max_expansions then return give_up(self, "max_expansions") end
        self.current, self.judged = cell, nil -- should a function raise, it is expanded again
      end
    end
    if self.current then
      expand(self, self.current, work.g[self.current])
      self.current = nil
      self.expanded, expansions = self.expanded + 1, expansions - 1
    end
  end
  return "running"
end

-- The same to one cell by the data alone: what most questions are.
local function run_plainly(self, expansions)
  local work, unit, goal = self.work, self.unit, self.goal
  local cost, stride, o, corners = self.query.cost, self.grid.stride, unit.offsets, unit.corners
  local mark, gs, from, keys, cells = work.mark, work.g, work.from, work.keys, work.cells
  local lists, open_mark, count, limit = unit.directions, work.number, work.count, self.limit
  local along, across, weight, most = self.along, self.across, self.weight, self.max_expansions
  local goal_x, goal_y, expanded = self.goal_x, self.goal_y, self.expanded
  local columns, rows, diagonals, own, length = costs.DX, costs.DY, self.diagonals, self.query.map, unit.diagonal_cost
  local status = "running"
  while expansions > 0 do
    if count == 0 then
      status = self.failure
      break
    end
    local cell
    cell, count = pop(keys, cells, count)
    if mark[cell] == open_mark then
      mark[cell] = open_mark + 1
      if cell == goal then
        status = "found"
        break
      elseif expanded >= most then
        status = "max_expansions"
        break
      end
      local g, list = gs[cell], lists[from[cell]]
      local row = floor((cell - 1) / stride)
      local x, y = cell - 1 - row * stride - goal_x, row - goal_y
      for k = 1, #list do
        local d = list[k]
        local to = cell + o[d]
        local step = cost[to]
        if step ~= 0 and d % 2 == 1 then
          if corners == 2 then
            if cost[cell + o[d - 1]] == 0 or cost[cell + o[(d + 1) % 8]] == 0 then step = 0 end
          elseif corners == 1 then
            if cost[cell + o[d - 1]] == 0 and cost[cell + o[(d + 1) % 8]] == 0 then step = 0 end
          end
          if step ~= 0 then
            local slanted = diagonals[step]
            if not slanted then
              slanted = round(own, step * length)
              diagonals[step] = slanted
            end
            step = slanted
          end
        end
        if step ~= 0 then
          local state, way = mark[to], g + step
          if state < open_mark or state == open_mark and way < gs[to] then
            local dx, dy = x + columns[d], y + rows[d]
            if dx < 0 then dx = -dx end
            if dy < 0 then dy = -dy end
            local h = dx > dy and along * dx + across * dy or along * dy + across * dx
            if way + h > limit then
              self.failure = "max_cost"
            else
              mark[to], gs[to], from[to] = open_mark, way, d
              count = push(keys, cells, count, way + weight * h, to)
            end
          end
        end
      end
      expanded, expansions = expanded + 1, expansions - 1
    end
  end
  work.count, self.expanded = count, expanded
  return status
end

local function run_by_jumps(self, expansions) return jps.run(self, expansions, push, pop) end

-- ---- what components tell ----

-- The labels of what the unit can step into from its start, and the cells of its own blocks that it passes.
local function reachable_labels(self)
  local query, unit = self.query, self.unit
  local cost = query.cost
  map.settle(query.map, nil)
  local labels = map.components(query.map, unit.diagonals)
  map.settle(query.map, query.patch)
  local reached, patch = {}, query.patch or {}
  if not query.patch and cost[self.start] ~= 0 then
    reached[labels[self.start]] = true
    return labels, reached, {}
  end
  local own, stack = { [self.start] = true }, { self.start }
  while #stack > 0 do
    local cell = table.remove(stack)
    for _, d in ipairs(unit.directions[NOWHERE]) do
      local to = cell + unit.offsets[d]
      local free = 2
      if d % 2 == 1 then
        local one, other = cell + unit.offsets[d - 1], cell + unit.offsets[(d + 1) % 8]
        free = (cost[one] ~= 0 and 1 or 0) + (cost[other] ~= 0 and 1 or 0)
      end
      if cost[to] ~= 0 and free >= math.min(unit.corners, 2) then
        if not patch[to] then
          reached[labels[to]] = true
        elseif not own[to] then
          own[to] = true
          stack[#stack + 1] = to
        end
      end
    end
  end
  return labels, reached, own
end

--- Whether a way may lead to a goal, or to one within range of it, by components.
function search.may_reach(self, goal)
  local labels, reached, own = reachable_labels(self)
  local grid, range = self.grid, self.range
  if range == 0 then return own[goal] or labels[goal] ~= nil and reached[labels[goal]] == true end
  local row = floor((goal - 1) / grid.stride)
  local x = goal - 1 - row * grid.stride
  for y = math.max(row - range, 1), math.min(row + range, grid.height) do
    local first = y * grid.stride + 1
    for cell = first + math.max(x - range, 1), first + math.min(x + range, grid.width) do
      if own[cell] or labels[cell] and reached[labels[cell]] then return true end
    end
  end
  return false
end

local function may_reach_any(self)
  for _, goal in ipairs(self.goals or { self.goal }) do
    if goal ~= 0 and search.may_reach(self, goal) then return true end
  end
  return false
end

-- ---- a question ----

local function needs_asking(unit) return unit.cost or unit.step_cost or unit.estimate end

-- Says by which algorithm, and begins it.
local function begin_run(self)
  local unit, own = self.unit, self.query.map
  local straight = round(own, unit.least())
  local name = unit.algorithm == "dijkstra" and "zero" or unit.heuristic
  local diagonal = round(own, unit.least() * unit.diagonal_cost)
  self.along, self.across, self.is_euclidean = estimate_of(unit, name, straight, diagonal)
  if unit.unit ~= own.unit then unit.unit, unit.diagonals_of = own.unit, {} end
  self.diagonals = unit.diagonals_of
  if unit.algorithm == "jps" and not own.is_uniform then
    fail 'algorithm "jps" cannot honour ground of several costs'
  end
  local is_single = self.goal ~= 0 and self.range == 0 and not self.tracks
  local is_plain = is_single and not needs_asking(unit) and not self.is_euclidean
  local jumps = is_plain and own.is_uniform and self.weight == 1 and unit.may_jump
  self.algorithm = unit.algorithm == "dijkstra" and "dijkstra" or jumps and "jps" or "astar"
  if self.goal == 0 then self.algorithm = "dijkstra" end
  self.run = jumps and run_by_jumps or is_plain and run_plainly or run_any
  self.blind = unit.algorithm == "dijkstra"
  self.reopens = self.weight == 1 or unit.estimate ~= nil
  self.steps = unit.step_cost and {} or nil
  self.list, self.failure = {}, "unreachable"
  local work = take_workspace(self.grid, jumps)
  self.work = work
  work.mark[self.start], work.g[self.start], work.from[self.start] = work.number, 0, NOWHERE
  work.count = push(work.keys, work.cells, 0, 0, self.start)
  return "running"
end

local function is_within(self, cell, goal)
  local stride = self.grid.stride
  local row, other = floor((cell - 1) / stride), floor((goal - 1) / stride)
  return math.abs(row - other) <= self.range and math.abs((cell - row * stride) - (goal - other * stride)) <= self.range
end

-- What the ground and the components tell at once; "running" where a search has to.
local function pose(self)
  local unit, query, goal = self.unit, self.query, self.goal
  local own = query.map
  local has_budget = self.limit < huge or self.max_expansions < huge
  self.tracks = self.partial and (has_budget or needs_asking(unit) ~= nil)
  if not map.can_stand(own, self.start) then
    return "start blocked"
  elseif self.test or self.goals then
    return begin_run(self)
  elseif not is_within(self, self.start, goal) then
    if query.cost[goal] == 0 and self.range == 0 and not self.partial then return "goal blocked" end
    local labels = own.labels[unit.diagonals == "always"]
    if not self.partial and labels and labels.edition == own.edition and not search.may_reach(self, goal) then
      return "unreachable"
    end
  end
  self.asks_goal = unit.cost and self.range == 0 and goal ~= self.start and not self.partial
  return begin_run(self)
end

--- Begins a question from a cell to a goal, or to many: `aim` has goal, goals with marks, or test.
function search.begin(unit, start, aim, question, copy)
  local grid = unit.grid
  local self = {
    unit = unit, grid = grid, start = start, goal = aim.goal or 0, goals = aim.goals, marks = aim.marks,
    test = aim.test,
    weight = question.weight, range = aim.test and 0 or question.range,
    partial = question.partial and not aim.test and not (aim.goals and #aim.goals == 0),
    limit = question.max_cost * LENIENCE, max_expansions = question.max_expansions, question = question, aim = aim,
    expanded = 0, copy = copy,
  }
  self.goal_y = floor((self.goal - 1) / grid.stride)
  self.goal_x = self.goal - 1 - self.goal_y * grid.stride
  self.query = costs.begin(unit, start, copy)
  self.status = pose(self)
  return self
end

-- Where no way was found: why, or the nearest cell instead.
local function explain(self, status)
  local own = self.query.map
  if status == "unreachable" and self.partial and not self.tracks then
    search.close(self)
    self.tracks, self.expanded = true, 0
    return begin_run(self)
  elseif status == "unreachable" and own.failed_at == own.edition then
    map.settle(own, nil)
    map.components(own, self.unit.diagonals) -- the next such question is answered by them
  elseif status == "unreachable" then
    own.failed_at = own.edition
  elseif (status == "max_cost" or status == "max_expansions") and not self.test and not may_reach_any(self) then
    return "unreachable"
  end
  return status
end

--- Makes at most so many expansions: "running", "found" or why there is no path.
function search.step(self, expansions)
  if self.status ~= "running" then return self.status end
  local own = self.query.map
  if own.patch ~= self.query.patch then map.settle(own, self.query.patch) end
  local status
  if self.asks_goal and enter(self.query, self.goal) == huge then
    status = search.may_reach(self, self.goal) and "goal blocked" or "unreachable"
  end
  self.asks_goal = false
  status = status or self.run(self, expansions)
  if status ~= "running" and status ~= "found" then
    status = explain(self, status)
    if status == "running" then status = self.run(self, expansions) end -- begun again, for the nearest cell
  end
  self.status = status
  return status
end

--- Whether nothing was edited since the last step that its unit would notice.
function search.is_current(self)
  local own = self.query.map
  local before = own.edition
  map.update(own)
  if own.is_frozen then
    return true
  elseif own.edition ~= before or own.cost[self.start] == 0 and map.count_edits(own) ~= self.query.edits then
    return false
  end
  self.query.edits = map.count_edits(own)
  return true
end

--- The cells of the way that was found, from the start on, and their number.
function search.trace(self)
  local work, o = self.work, self.unit.offsets
  local cell = self.found or self.goal
  local back, count = { cell }, 1
  while work.from[cell] ~= NOWHERE do
    local d = work.from[cell]
    local parent = self.run == run_by_jumps and work.parents[cell] or cell - o[d]
    while cell ~= parent do
      cell = cell - o[d]
      count = count + 1
      back[count] = cell
    end
  end
  for i = 1, (count - count % 2) / 2 do back[i], back[count + 1 - i] = back[count + 1 - i], back[i] end
  return back, count
end

--- What a way costs, as given: a sum of straight and one of diagonal steps, so that like terms round but once.
function search.sum(self, cells, count)
  local unit, query = self.unit, self.query
  local stride, straight, diagonal = self.grid.stride, 0, 0
  local is_uniform = query.map.is_uniform and not query.said
  for i = 2, count do
    local cell = cells[i]
    local step = cell - cells[i - 1]
    local cost = self.steps and self.steps[cell] or is_uniform and 1 or enter(query, cell)
    if self.steps or step == 1 or step == -1 or step == stride or step == -stride then
      straight = straight + cost
    else
      diagonal = diagonal + cost
    end
  end
  return (straight + diagonal * unit.diagonal_cost) * (is_uniform and not self.steps and query.map.least or 1) * 1.0
end

return search
