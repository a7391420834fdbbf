-- jps.lua -- Jump point search (Harabor and Grastien, 2011, 2014) on terrain of one cost, in plain Lua.
--
-- Of all routes of equal cost, the search follows one in which diagonal steps come first. The search therefore jumps
-- over cells at which this route cannot turn, by a scan of the list of cells. A jump ends at a jump point: at the
-- goal, or at a cell with a forced neighbour, where an obstacle beside the scan ends.

local floor = math.floor

local jps = {}

-- Makes a straight jump and returns its jump point, 0 if there is none. `a` and `b` are the offsets of the two cells
-- beside the scan. If corners may not be cut, the jump point is the first cell past an obstacle, with the forced
-- neighbour beside it; `lead` is 0. If corners may be cut, the jump point is the last cell beside the obstacle, with
-- the forced neighbour diagonally ahead; `lead` is `step`.
local function run_past(cost, cell, step, a, b, goal, lead)
  a, b = a + lead, b + lead
  local before_a, before_b = cost[cell + a], cost[cell + b]
  while true do
    cell = cell + step
    if cost[cell] == 0 then return 0 end
    if cell == goal then return cell end
    local now_a, now_b = cost[cell + a], cost[cell + b]
    if before_a == 0 and now_a ~= 0 or before_b == 0 and now_b ~= 0 then return cell end
    before_a, before_b = now_a, now_b
  end
end

-- Makes a diagonal jump and returns its jump point, 0 if there is none. A cell from which a straight jump finds a jump
-- point is a jump point, too.
local function slant(cost, cell, dx, dy, goal, corners)
  local lead_x, lead_y = corners < 2 and dx or 0, corners < 2 and dy or 0
  while true do
    local beside_x, beside_y = cost[cell + dx], cost[cell + dy]
    cell = cell + dx + dy
    if cost[cell] == 0 then return 0 end
    if corners == 2 then
      if beside_x == 0 or beside_y == 0 then return 0 end
    elseif corners == 1 and beside_x == 0 and beside_y == 0 then
      return 0
    end
    if cell == goal then return cell end
    if corners ~= 2 and (cost[cell - dx] == 0 and cost[cell - dx + dy] ~= 0
      or cost[cell - dy] == 0 and cost[cell - dy + dx] ~= 0) then
      return cell
    end
    if run_past(cost, cell, dx, dy, -dy, goal, lead_x) ~= 0 or run_past(cost, cell, dy, dx, -dx, goal, lead_y) ~= 0 then
      return cell
    end
  end
end

-- Fills a list with the directions that an optimal route may take out of a cell, after pruning. `from` is the direction
-- in which the cell was reached, and `o` are the offsets of the directions. Returns the number of directions.
local function directions_out(cost, cell, from, o, list)
  for d = 0, from < 0 and 7 or -1 do list[d + 1] = d end
  if from < 0 then return 8 end
  local behind, count = cell - o[from], 1
  list[1] = from
  for turn = -1, 1, 2 do
    local near, aside = (from + turn) % 8, (from + 2 * turn) % 8
    if from % 2 == 1 then
      count = count + 1
      list[count] = near
      if cost[cell - o[(from - turn) % 8]] == 0 then count, list[count + 1] = count + 1, aside end
    elseif cost[behind + o[aside]] == 0 or cost[cell + o[aside]] == 0 then
      list[count + 1], list[count + 2], count = aside, near, count + 2
    end
  end
  return count
end

local function jump(cost, cell, d, o, goal, corners)
  if d % 2 == 1 then
    local one, other = o[(d + 7) % 8], o[(d + 1) % 8]
    if d % 4 == 1 then one, other = other, one end -- `one` must lead east or west
    return slant(cost, cell, one, other, goal, corners)
  end
  local step, aside = o[d], o[(d + 2) % 8]
  return run_past(cost, cell, step, aside, -aside, goal, corners < 2 and step or 0)
end

--- Runs a search for at most `expansions` expansions, and returns its status.
function jps.run(search, expansions, push, pop)
  local work, unit, goal = search.work, search.unit, search.goal
  local cost, stride, o, corners = search.query.cost, search.grid.stride, unit.offsets, unit.corners
  local mark, gs, from, parents, keys, cells = work.mark, work.g, work.from, work.parents, work.keys, work.cells
  local open_mark = work.number
  local count, limit = work.count, search.limit / search.query.map.least
  local across, diagonal = unit.jump_across, unit.jump_diagonal
  local goal_x, goal_y = (goal - 1) % stride, floor((goal - 1) / stride)
  local most, list = search.max_expansions, search.list
  while expansions > 0 do
    if count == 0 then
      work.count = 0
      return search.failure
    end
    local cell
    cell, count = pop(keys, cells, count)
    if mark[cell] == open_mark then
      mark[cell] = open_mark + 1
      if cell == goal then
        work.count = count
        return "found"
      elseif search.expanded >= most then
        work.count = count
        return "max_expansions"
      end
      local g = gs[cell]
      for k = 1, directions_out(cost, cell, from[cell], o, list) do
        local d = list[k]
        local to = jump(cost, cell, d, o, goal, corners)
        if to ~= 0 and mark[to] ~= open_mark + 1 then
          local way = g + (to - cell) / o[d] * (d % 2 == 1 and diagonal or 1)
          if mark[to] ~= open_mark or way < gs[to] then
            local y = floor((to - 1) / stride)
            local dx, dy = to - 1 - y * stride - goal_x, y - goal_y
            if dx < 0 then dx = -dx end
            if dy < 0 then dy = -dy end
            local f = way + (dx > dy and dx + across * dy or dy + across * dx)
            if f > limit then
              search.failure = "max_cost"
            else
              mark[to], gs[to], from[to], parents[to] = open_mark, way, d, cell
              count = push(keys, cells, count, f, to)
            end
          end
        end
      end
      search.expanded = search.expanded + 1
      expansions = expansions - 1
    end
  end
  work.count = count
  return "running"
end

return jps
