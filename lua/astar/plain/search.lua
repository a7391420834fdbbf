-- search.lua -- A* (Hart, Nilsson and Raphael, 1968), and Dijkstra's algorithm as A* without an estimate, in plain Lua.
--
-- The nodes of a search lie in lists as long as the map, which later searches use again. A mark per cell says which
-- search wrote its numbers, so the lists are never cleared. The open list is a binary heap in two lists, one of f and
-- one of cells. If a cheaper path to a cell is found, the cell is added again, and the stale entry is skipped later.
--
-- Steps that lead back are left out: the cell's parent reaches the cells behind it by paths that cost no more. With a
-- step_cost callback, or if any cell is restricted, all eight steps are followed.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local costs = require(FOLDER .. ".costs")
local jps = require(FOLDER .. ".jps")
local map = require(FOLDER .. ".map")
local object = require(FOLDER .. ".object")
local option_table = require(FOLDER:match "^(.+)[./][^./]+$" .. ".option_table")

local describe, fail = object.describe, object.fail
local floor, huge = math.floor, math.huge
local enter, is_barred, position, round = costs.enter, costs.is_barred, costs.position, map.round

local search = {}

local LENIENCE = 1 + 1e-9 -- factor of limits: sums of costs may exceed a limit slightly by rounding
local NOWHERE = -1 -- value used in place of a direction for the start

-- Adds a cell with a key to the open list. Returns the new number of entries.

local function push(keys, cells, count, key, cell)
  count = count + 1
  local at = count
  while at > 1 do
    local above = (at - at % 2) / 2
    if keys[above] < key then break end -- an entry that was added later precedes equal ones
    keys[at], cells[at] = keys[above], cells[above]
    at = above
  end
  keys[at], cells[at] = key, cell
  return count
end

-- Takes the entry with the least key off the open list. Returns its cell and the number of entries left.
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

-- Fills the lists of a workspace with an entry for each cell. Jump point search reaches few cells, so it starts with
-- empty lists; all other searches need them filled.
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
  work.number, work.count = work.number + 2, 0 -- the mark of open cells; closed cells have this number plus 1
  return work
end

--- Returns the workspace of a search to its grid.
function search.close(self)
  if self.work then
    table.insert(self.grid.workspaces, self.work)
    self.work = nil
  end
end

--- Returns the directions in which steps out of a cell are followed, as lists by the direction of the step that led to
-- the cell. Without diagonal steps the lists contain straight directions only.
function search.directions_of(unit)
  local lists = {}
  for from = NOWHERE, 7 do
    lists[from] = {}
    for d = 0, 7, unit.corners == 3 and 2 or 1 do
      local turn = (d - from) % 8
      local is_on = turn <= 2 or turn >= 6 or from == NOWHERE or unit.step_cost
      if is_on then table.insert(lists[from], d) end
    end
  end
  return lists
end

-- Returns the distance of a unit from a goal in columns and in rows. With a range, the nearest cell that the unit
-- covers counts.
local function apart(self, cell, goal)
  local grid = self.grid
  local x, y = position(grid, cell)
  local goal_x, goal_y = position(grid, goal)
  return math.max(x - goal_x, goal_x - x - self.wider, 0), math.max(y - goal_y, goal_y - y - self.higher, 0)
end

-- The names of all heuristics.
search.HEURISTICS = { "octile", "manhattan", "euclidean", "chebyshev", "zero" }

-- For each heuristic, a function of the least costs of a straight and a diagonal step. It returns two factors: `along`
-- for the larger of the distances in columns and rows, and `across` for the smaller one. The factors are reduced if
-- diagonal steps are so cheap that the heuristic would not be admissible.
local WORK_OUT = {
  octile = function(straight, diagonal) return straight, diagonal - straight end,
  manhattan = function(straight, diagonal, has_diagonals)
    local each = has_diagonals and diagonal < 2 * straight and diagonal / 2 or straight
    return each, each
  end,
  euclidean = function(straight, diagonal, has_diagonals)
    local is_less = has_diagonals and diagonal < math.sqrt(2) * straight
    return is_less and diagonal / math.sqrt(2) or straight, 0
  end,
  chebyshev = function(straight) return straight, 0 end,
  zero = function() return 0, 0 end,
}

-- Returns the distances in columns and rows that remain until the unit is in range, from a cell that lies dx columns
-- east and dy rows south of the goal.
local function beyond_range(self, dx, dy)
  local range = self.range
  dx = dx < 0 and -dx - self.wider - range or dx - range
  dy = dy < 0 and -dy - self.higher - range or dy - range
  return dx < 0 and 0 or dx, dy < 0 and 0 or dy
end

-- Returns a lower bound of the cost from a cell that lies (dx, dy) from the goal until the unit is in range.
local function remaining(self, dx, dy)
  dx, dy = beyond_range(self, dx, dy)
  if self.is_straight then return self.along * math.sqrt(dx * dx + dy * dy) end
  return dx > dy and self.along * dx + self.across * dy or self.along * dy + self.across * dx
end

-- Returns a lower bound of the cost from a cell to the nearest of many goals. Searches with a limit use it.
local function remaining_to_any(self, cell)
  local x, y = position(self.grid, cell)
  local least = huge
  for _, goal in ipairs(self.within_reach) do
    local goal_x, goal_y = position(self.grid, goal)
    local each = remaining(self, x - goal_x, y - goal_y)
    if each < least then least = each end
  end
  return least
end

-- Returns the estimate h for a cell that lies (dx, dy) from the goal: 0 for Dijkstra's algorithm, the result of the
-- heuristic callback if there is one, otherwise that of the finder's heuristic.
local function estimate(self, dx, dy)
  local own = self.unit.estimate
  if self.is_blind then return 0 end
  if own and self.goal ~= 0 then
    dx, dy = beyond_range(self, dx, dy)
    local said, count = costs.ask(self.query, own, dx, dy)
    if type(said) ~= "number" or not (said >= 0 and said <= 1e300) then
      fail("heuristic callback returned %s for (%d, %d); expected a number >= 0",
        count > 0 and describe(said) or "nothing", dx, dy)
    end
    return said
  end
  return remaining(self, dx, dy)
end

search.estimate = estimate

-- Returns the cost of a step in a direction without callbacks and fields, huge if the step is not legal. In a search
-- from goals backward, a step costs what the opposite step costs.
local function step_by_data(self, cell, d)
  local cost, o, corners = self.query.cost, self.unit.offsets, self.unit.corners
  local step = cost[cell + o[d]]
  if step == 0 then
    return huge
  elseif self.is_backward then
    step = cost[cell]
  end
  if self.has_exits then
    local from, way = cell, d
    if self.is_backward then from, way = cell + o[d], (d + 4) % 8 end
    if is_barred(self.grid, from, way) then return huge end
  end
  if d % 2 == 0 then return step end
  local one, other = cost[cell + o[d - 1]], cost[cell + o[(d + 1) % 8]]
  if corners > 0 and one == 0 and (corners > 1 or other == 0) or corners > 1 and other == 0 then return huge end
  return round(self.query.map, step * self.unit.diagonal_cost)
end

-- Returns the cost of a step in a direction for any finder, also with callbacks and fields; huge if the step is not
-- legal.
local function step_by_asking(self, cell, d)
  if not self.is_backward then return costs.length(self.query, cell, d) end
  local from = cell + self.unit.offsets[d]
  return enter(self.query, from) < huge and costs.length(self.query, from, (d + 4) % 8) or huge
end

-- Expands a cell: relaxes the steps out of it.
local function expand(self, cell)
  local work, unit, stride, limit, weight = self.work, self.unit, self.grid.stride, self.limit, self.weight
  local mark, gs, from, keys, cells, open_mark = work.mark, work.g, work.from, work.keys, work.cells, work.number
  local o, columns, rows, find_step, reopens = unit.offsets, costs.DX, costs.DY, self.find_step, self.reopens
  local g, list = gs[cell], unit.directions[self.has_exits and NOWHERE or from[cell]]
  local by_way = self.tracks or unit.estimate and self.goal ~= 0
  local row = floor((cell - 1) / stride)
  local x, y = cell - 1 - row * stride - self.goal_x, row - self.goal_y
  for k = 1, #list do
    local d = list[k]
    local step = find_step(self, cell, d)
    if step < huge then
      local to = cell + o[d]
      local way, state = g + step, mark[to] or 0
      if state < open_mark or way < gs[to] and (state == open_mark or reopens) then
        local h = estimate(self, x + columns[d], y + rows[d])
        local least = way + h -- the least cost of a route over the cell
        if by_way then
          least = way
        elseif limit < huge and self.within_reach then
          least = way + remaining_to_any(self, to)
        end
        if least > limit then
          local cut = self.cut
          cut[#cut + 1] = to
        else
          mark[to], gs[to], from[to] = open_mark, way, d
          work.count = push(keys, cells, work.count, way + weight * h, to)
        end
      end
    end
  end
end

-- Returns true if a unit at a cell is in range of a goal.
local function is_within(self, cell, goal)
  local dx, dy = apart(self, cell, goal)
  return dx <= self.range and dy <= self.range
end

-- Compares a cell with the cell nearest to a goal so far, and keeps the nearer one. Of equally near cells it keeps the
-- cheaper one. If cost and distance are equal, it keeps the one whose goal lies farther north, then farther west.
local function track(self, cell)
  local distance, unit, aims, index = huge, self.unit, self.aims, nil
  for i, goal in ipairs(aims) do
    local dx, dy = apart(self, cell, goal)
    local each = math.max(dx, dy) + unit.near_across * math.min(dx, dy)
    if each < distance or each == distance and goal < aims[index] then distance, index = each, i end
  end
  local g, near, near_distance = self.work.g[cell], self.near, self.near_distance
  if near and distance == near_distance then
    local least = self.work.g[near]
    if g > least or g == least and aims[index] > aims[self.near_index] then return end
    if g == least and aims[index] == aims[self.near_index] and cell > near then return end
  end
  if not near or distance <= near_distance then
    self.near, self.near_distance, self.near_index = cell, distance, index
  end
end

-- Returns true if a cell that was closed is a goal.
local function is_goal(self, cell)
  if self.test then
    local grid = self.grid
    local x, y = position(grid, cell)
    return (costs.ask(self.query, self.test, x, y, grid.keys[grid.ground[cell]]))
  elseif self.marks then
    return self.marks[cell] ~= nil
  end
  return is_within(self, cell, self.goal)
end

-- Returns the cell whose goal comes first, row by row, among all goal cells that are as cheap to reach as `cell`.
local function first_of_tied_goals(self, cell, key)
  local work, marks, goals = self.work, self.marks, self.goals
  local best = cell
  while marks and work.count > 0 and work.keys[1] <= key do
    local other
    other, work.count = pop(work.keys, work.cells, work.count)
    if work.mark[other] == work.number then
      work.mark[other] = work.number + 1
      if marks[other] and goals[marks[other]] < goals[marks[best]] then best = other end
    end
  end
  return best
end

--- Returns true if some cell to which a path was rejected for its cost was not reached by a cheaper path.
function search.is_cut(self)
  local mark, number = self.work.mark, self.work.number
  for _, cell in ipairs(self.cut) do
    if (mark[cell] or 0) < number then return true end
  end
  return false
end

local function give_up(self, why)
  if self.near then
    self.found = self.near
    return "found"
  end
  return why
end

-- Runs a search by A* or Dijkstra's algorithm for at most `expansions` expansions, and returns its status.
local function run(self, expansions)
  local work, goal, is_single = self.work, self.goal, self.is_single
  local mark, keys, cells = work.mark, work.keys, work.cells
  while expansions > 0 do
    local cell = self.current
    if not cell then
      cell = self.judged -- a cell whose goal test raised an error is tested again
      if not cell then
        if work.count == 0 then return give_up(self, search.is_cut(self) and "max_cost" or "unreachable") end
        cell, work.count = pop(keys, cells, work.count)
      end
      if mark[cell] == work.number or self.judged then
        self.judged, mark[cell] = cell, work.number + 1
        if cell == goal or not is_single and is_goal(self, cell) then
          self.found = first_of_tied_goals(self, cell, work.g[cell])
          return "found"
        end
        if self.tracks then track(self, cell) end
        if self.expanded >= self.max_expansions then return give_up(self, "max_expansions") end
        self.current, self.judged = cell, nil -- if a callback raises an error, the cell is expanded again
      end
    end
    if self.current then
      expand(self, cell)
      if self.current == cell then self.current = nil end -- it differs if a callback has stepped this search
      self.expanded, expansions = self.expanded + 1, expansions - 1
    end
  end
  return "running"
end

local function run_by_jumps(self, expansions) return jps.run(self, expansions, push, pop) end

-- Returns the labels of all cells, the set of labels of the components that the unit can step into from its start,
-- and the set of the cells through which it can step into these components.
local function reachable_labels(self)
  local query = self.query
  map.apply_patch(query.map, nil)
  local labels = map.components(query.map, self.unit.diagonals)
  map.apply_patch(query.map, query.patch)
  local reached, passed, stack = {}, { [self.start] = true }, { self.start }
  while #stack > 0 do
    local cell = table.remove(stack)
    if labels[cell] then
      reached[labels[cell]] = true
    else -- a cell without a label is blocked, here by the unit's own blocks
      for _, step in ipairs(labels.steps) do
        local to = cell + step
        if query.cost[to] ~= 0 and not passed[to] then
          passed[to] = true
          stack[#stack + 1] = to
        end
      end
    end
  end
  return labels, reached, passed
end

--- Returns true if, by connected components, a goal or a cell in range of it may be reachable.
function search.may_reach(self, goal)
  local labels, reached, passed = reachable_labels(self)
  local may = false
  map.each_within(self.grid, goal, self.range, self.wider, self.higher, function(cell)
    may = may or passed[cell] or labels[cell] ~= nil and reached[labels[cell]] == true
  end)
  return may
end

-- Prepares a search: computes the factors of its heuristic and takes a workspace. No cell is open yet.
local function prepare(self, is_sparse)
  local unit, query, work = self.unit, self.query, take_workspace(self.grid, is_sparse)
  local straight = round(query.map, unit.least())
  local diagonal = math.min(round(query.map, unit.least() * unit.diagonal_cost), 2 * straight)
  self.along, self.across = WORK_OUT[unit.heuristic](straight, diagonal, unit.corners < 3)
  self.is_straight = unit.heuristic == "euclidean"
  self.is_blind = self.algorithm == "dijkstra"
  self.find_step = (unit.cost or unit.step_cost or unit.avoided) and step_by_asking or step_by_data
  self.work, self.failure, self.cut, self.expanded = work, "unreachable", {}, 0
  self.has_exits = self.grid.exit_count > 0
end

-- Opens a cell from which the search starts, at a given cost.
local function open(self, cell, value)
  local work = self.work
  work.mark[cell], work.g[cell], work.from[cell] = work.number, value, NOWHERE
  work.count = push(work.keys, work.cells, work.count, value, cell)
end

local MANY_GOALS = 16 -- number of goals from which on no estimate is made

-- Returns the list of goals that may be reached, for a search with a limit and few goals, otherwise nil.
local function goals_within_reach(self)
  if not self.goals or self.tracks or self.unit.algorithm == "dijkstra" then return nil end
  local list = {}
  for _, goal in ipairs(self.goals) do
    if is_within(self, self.start, goal) or search.may_reach(self, goal) then table.insert(list, goal) end
  end
  return #list > 0 and #list < MANY_GOALS and list or nil
end

-- Options of a query that jump point search cannot honour, by the table of options.
local NOT_FOR_JUMPS = {}
for _, row in ipairs(option_table) do
  if row.jps and row.of_query then NOT_FOR_JUMPS[#NOT_FOR_JUMPS + 1] = row end
end

--- Returns the name of an option of a query that jump point search cannot honour, or nil.
function search.refused_by_jumps(options)
  for _, row in ipairs(NOT_FOR_JUMPS) do
    if options[row.name] ~= row.otherwise then return row.name end
  end
end

-- Chooses the algorithm of a search and starts it.
local function begin_run(self)
  local unit, own = self.unit, self.query.map
  if unit.algorithm == "jps" and not own.is_uniform then
    fail 'algorithm "jps" cannot honour ground of several costs'
  elseif unit.algorithm == "jps" and self.grid.exit_count > 0 then
    fail 'algorithm "jps" cannot honour links and walls'
  end
  self.is_single = self.goal ~= 0 and self.range == 0 and not self.tracks
  local is_blind = self.goal == 0 or unit.algorithm == "dijkstra"
  local jumps = self.is_single and own.is_uniform and unit.may_jump and not unit.asks
    and self.grid.exit_count == 0 and not search.refused_by_jumps(self.options)
  if jumps then self.weight = 1 end -- an optimal route satisfies any weight
  self.algorithm = is_blind and "dijkstra" or jumps and "jps" or "astar"
  self.run, self.list = jumps and run_by_jumps or run, {}
  self.reopens = self.weight == 1 or unit.estimate ~= nil
  if self.limit < huge then self.within_reach = goals_within_reach(self) end
  prepare(self, jumps)
  open(self, self.start, 0)
  return "running"
end

--- Starts Dijkstra's algorithm over a map, from a start or from goals backward. `seeds` maps each cell from which the
-- search starts to its initial cost.
function search.flood(unit, seeds, start, max_cost)
  local query = costs.begin(unit, start or 0)
  local self = {
    unit = unit, grid = unit.grid, query = query, start = start, goal = 0, goal_x = 0, goal_y = 0, range = 0,
    wider = 0, higher = 0,
    weight = 1, limit = max_cost * LENIENCE, max_expansions = huge, algorithm = "dijkstra", is_single = true,
    is_backward = start == nil,
  }
  prepare(self, true)
  for cell, value in entries, seeds do
    local free = start and map.price(query.map, cell) or not start and enter(query, cell)
    if free < huge then
      if value <= self.limit then
        open(self, cell, value)
      else
        self.cut[#self.cut + 1] = cell
      end
    end
  end
  return self
end

-- LuaJIT 2.1.0-beta3 on x86-64 sometimes compiles the loop over the seeds wrongly: each seed is then rejected as
-- beyond the limit, even if the limit is infinite. Whether this happens depends on memory addresses. It does not
-- happen if LuaJIT's optimisation "fuse" is off, or if the loop is interpreted. Therefore the function is never
-- compiled.
local jit = rawget(_G, "jit")
if jit then jit.off(search.flood) end

--- Continues a search that search.flood has started. Returns true if it has not ended.
function search.spread(self, expansions) return run(self, expansions) == "running" end

--- Returns true if a cell was expanded.
function search.is_closed(self, cell) return self.work.mark[cell] == self.work.number + 1 end

-- Answers a query by terrain and connected components if possible; otherwise starts the search and returns "running".
local function pose(self)
  local unit, query, goal = self.unit, self.query, self.goal
  local own = query.map
  local has_budget = self.limit < huge or self.max_expansions < huge
  self.tracks = self.partial and (has_budget or unit.asks)
  if map.price(own, self.start) == huge then
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

--- Starts a query from a cell. `aim` is { goal = cell }, { goals = cells, marks = marks } or { test = function }.
function search.begin(unit, start, aim, options)
  local grid, goal = unit.grid, aim.goal or 0
  local self = {
    unit = unit, grid = grid, start = start, goal = goal, goals = aim.goals, marks = aim.marks, test = aim.test,
    aims = aim.goals or { aim.goal }, weight = options.weight, range = aim.test and 0 or options.range,
    partial = options.partial and not aim.test and not (aim.goals and #aim.goals == 0),
    limit = options.max_cost * LENIENCE, max_expansions = options.max_expansions, options = options, expanded = 0,
  }
  self.wider, self.higher = map.more_within(unit.map, self.range)
  self.goal_y = floor((goal - 1) / grid.stride)
  self.goal_x = goal - 1 - self.goal_y * grid.stride
  self.query = costs.begin(unit, start)
  self.status = pose(self)
  return self
end

-- Returns the reason why a query has found no route, or "running" if it continues as a search for the cell nearest to
-- the goal.
local function explain(self, status)
  local own = self.query.map
  if status == "unreachable" and self.partial and not self.tracks then
    search.close(self)
    self.tracks = true
    return begin_run(self)
  elseif status == "unreachable" and own.failed_at == own.edition then
    map.apply_patch(own, nil)
    map.components(own, self.unit.diagonals) -- they will answer the next query without a route
  elseif status == "unreachable" then
    own.failed_at = own.edition
  elseif not self.test then
    local may = false
    for _, goal in ipairs(self.aims) do may = may or search.may_reach(self, goal) end
    return may and status or "unreachable"
  end
  return status
end

--- Continues a search for at most `expansions` expansions. Returns "running", "found" or the reason why there is no
-- path.
function search.step(self, expansions)
  if self.status ~= "running" then return self.status end
  local own = self.query.map
  if own.patch ~= self.query.patch then map.apply_patch(own, self.query.patch) end
  local status
  if self.asks_goal and enter(self.query, self.goal) == huge then
    status = search.may_reach(self, self.goal) and "goal blocked" or "unreachable"
  end
  self.asks_goal = false
  status = status or self.run(self, expansions)
  if status ~= "running" and status ~= "found" then
    status = explain(self, status)
    if status == "running" then status = self.run(self, expansions) end -- restarted for the nearest cell
  end
  self.status = status
  return status
end

--- Returns true if no edit since the last step can change the result of a search.
function search.is_current(self)
  local own = self.query.map
  map.update(own) -- another query of a finder that shares the map may have updated it before
  if self.query.field_edits ~= costs.count_field_edits(self.unit) then return false end
  if own.edition ~= self.query.edition or own.cost[self.start] == 0 and map.count_edits(own) ~= self.query.edits then
    return false
  end
  self.query.edits = map.count_edits(own)
  return true
end

--- Returns the list of the cells of the route found, from start to goal, and their number.
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

--- Returns the cost of a route, computed from costs that are not rounded.
function search.sum(self, cells, count)
  local unit, query = self.unit, self.query
  local stride, diagonals = self.grid.stride, 0
  if unit.asks or not query.map.is_uniform then return costs.walk(unit, cells, count, 1, query) end
  for i = 2, count do
    local step = math.abs(cells[i] - cells[i - 1])
    if step ~= 1 and step ~= stride then diagonals = diagonals + 1 end
  end
  return (count - 1 - diagonals + diagonals * unit.diagonal_cost) * query.map.least * 1.0
end

return search
