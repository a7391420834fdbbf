-- tours.lua -- the best order to call at places, given what it costs between them.
--
-- rows[i][j]: from i to j; first[i]: from the beginning to i; last[i]: from i to the end. Infinite: there is no way.

local entries = next -- for loops, see entries_spec
local huge, min, max, floor = math.huge, math.min, math.max, math.floor

-- Up to so many places each order counts.
local MOST_EXACT = 12

-- A way that there is not costs this much in the search for an order: more than all others together.
local NONE = 1e15

-- How often a good order is kicked, at least, and how many places' worth of it there are in all.
local KICKS, KICKED_PLACES = 60, 20000

-- Steps of the subgradient ascent towards the best bound.
local ASCENTS = 120

local tours = {}

local function cost_of(tour, rows, first, last)
  local cost = first[tour[1]]
  for i = 2, #tour do cost = cost + rows[tour[i - 1]][tour[i]] end
  return cost + last[tour[#tour]]
end

-- ---- exactly ----

-- best[set][i]: the least cost to have called at a set of places and stand at i of it; came[set][i]: the place before.
local function grow_sets(rows, first, count)
  local best, came = {}, {}
  for set = 1, 2 ^ count - 1 do best[set], came[set] = {}, {} end
  for i = 1, count do best[2 ^ (i - 1)][i] = first[i] end
  for set = 1, 2 ^ count - 1 do
    local costs = best[set]
    for next_place = 1, count do
      local bit = 2 ^ (next_place - 1)
      if floor(set / bit) % 2 == 0 then
        local least, before = huge, nil
        for place, cost in entries, costs do
          local sum = cost + rows[place][next_place]
          if sum < least or sum == least and (before and place < before) then least, before = sum, place end
        end
        if before then best[set + bit][next_place], came[set + bit][next_place] = least, before end
      end
    end
  end
  return best, came
end

local function best_of_all(rows, first, last)
  local count = #rows
  local set = 2 ^ count - 1
  local best, came = grow_sets(rows, first, count)
  local least, at = huge, nil
  for place = 1, count do
    local cost = (best[set][place] or huge) + last[place]
    if cost < least then least, at = cost, place end
  end
  local tour = {}
  for i = count, 1, -1 do
    if not at then return nil end
    tour[i] = at
    set, at = set - 2 ^ (at - 1), came[set][at]
  end
  return tour
end

-- ---- local search ----

-- Costs with all that is infinite made finite, the ends as place 0.
local function closed(rows, first, last)
  local costs = { [0] = { [0] = 0 } }
  for i, row in ipairs(rows) do
    costs[i] = { [0] = min(last[i], NONE) }
    costs[0][i] = min(first[i], NONE)
    for j, cost in ipairs(row) do costs[i][j] = min(cost, NONE) end
  end
  return costs
end

-- An order that is possible if any is: from who reaches most on. Where all reach all, by the nearest neighbour.
local function begin_order(rows, costs)
  local count, reached, tour, is_taken = #rows, {}, {}, {}
  for i, row in ipairs(rows) do
    reached[i] = costs[0][i] < NONE and 0 or -1
    for _, cost in ipairs(row) do reached[i] = reached[i] + (cost < huge and 2 or 0) end
  end
  local at = 0
  for i = 1, count do
    local best
    for j = 1, count do
      if not is_taken[j] and (not best or reached[j] > reached[best]
        or reached[j] == reached[best] and costs[at][j] < costs[at][best]) then best = j end
    end
    tour[i], is_taken[best], at = best, true, best
  end
  return tour
end

-- Puts tour[i..j] the other way round.
local function reverse(tour, i, j)
  while i < j do
    tour[i], tour[j] = tour[j], tour[i]
    i, j = i + 1, j - 1
  end
end

-- Reverses stretches as long as that is cheaper. forth[i], back[i]: what the tour costs up to its i-th place, and
-- from it back to the first.
local function two_opt(tour, costs)
  local count, improved = #tour, false
  local forth, back = {}, {}
  local function measure()
    forth[1], back[1] = 0, 0
    for i = 2, count do
      forth[i] = forth[i - 1] + costs[tour[i - 1]][tour[i]]
      back[i] = back[i - 1] + costs[tour[i]][tour[i - 1]]
    end
  end
  measure()
  for i = 1, count - 1 do
    local before = tour[i - 1] or 0
    for j = i + 1, count do
      local after = tour[j + 1] or 0
      local now = costs[before][tour[i]] + forth[j] - forth[i] + costs[tour[j]][after]
      local turned = costs[before][tour[j]] + back[j] - back[i] + costs[tour[i]][after]
      if turned < now - 1e-9 * max(1, now) then
        reverse(tour, i, j)
        measure()
        improved = true
      end
    end
  end
  return improved
end

-- What moving the stretch i..i+n-1 to between k and k + 1 saves, and whether turned round.
local function saved_by_move(tour, costs, i, n, k)
  local j = i + n - 1
  local before, after, head, tail = tour[i - 1] or 0, tour[j + 1] or 0, tour[i], tour[j]
  local left, right = tour[k] or 0, tour[k + 1] or 0
  local gone = costs[before][head] + costs[tail][after] - costs[before][after] + costs[left][right]
  local straight = gone - costs[left][head] - costs[tail][right]
  local turned = gone - costs[left][tail] - costs[head][right]
  for m = i, j - 1 do turned = turned + costs[tour[m]][tour[m + 1]] - costs[tour[m + 1]][tour[m]] end
  if turned > straight then return turned, true end
  return straight, false
end

local function move(tour, i, n, k, is_turned)
  local stretch = {}
  for m = 1, n do stretch[m] = table.remove(tour, i) end
  if k >= i then k = k - n end
  for m = 1, n do table.insert(tour, k + m, stretch[is_turned and n + 1 - m or m]) end
end

-- Moves stretches of up to three places as long as that is cheaper.
local function or_opt(tour, costs)
  local count, improved = #tour, false
  for n = 1, min(3, count - 1) do
    for i = 1, count - n + 1 do
      local most, to, is_turned = 0, nil, nil
      for k = 0, count do
        if k < i - 1 or k > i + n - 1 then
          local saved, turned = saved_by_move(tour, costs, i, n, k)
          if saved > most + 1e-9 * max(1, most) and saved > 1e-7 then most, to, is_turned = saved, k, turned end
        end
      end
      if to then
        move(tour, i, n, to, is_turned)
        improved = true
      end
    end
  end
  return improved
end

local function descend(tour, costs)
  repeat
    local reversed = two_opt(tour, costs)
    local moved = or_opt(tour, costs)
  until not reversed and not moved
end

local function closed_cost(tour, costs)
  local cost, at = 0, 0
  for _, place in ipairs(tour) do cost, at = cost + costs[at][place], place end
  return cost + costs[at][0]
end

-- Cuts the tour at three places and exchanges the middle parts (double bridge).
local function kick(tour, draw)
  local count, kicked = #tour, {}
  local a, b, c = draw(count - 1), draw(count - 1), draw(count - 1)
  if a > b then a, b = b, a end
  if b > c then b, c = c, b end
  if a > b then a, b = b, a end
  local function take(from, to) for i = from, to do kicked[#kicked + 1] = tour[i] end end
  take(1, a)
  take(b + 1, c)
  take(a + 1, b)
  take(c + 1, count)
  return kicked
end

local function good_order(rows, first, last)
  local costs, state = closed(rows, first, last), 1
  local function draw(most) -- the same numbers on every Lua
    state = state * 48271 % 2147483647
    return 1 + state % most
  end
  local best = begin_order(rows, costs)
  descend(best, costs)
  local least = closed_cost(best, costs)
  for _ = 1, max(KICKS, floor(KICKED_PLACES / (#rows) ^ 1.5)) do
    local tour = kick(best, draw)
    descend(tour, costs)
    local cost = closed_cost(tour, costs)
    if cost < least - 1e-9 * least then best, least = tour, cost end
  end
  return best, costs
end

-- ---- the bound ----

-- The least spanning tree over the places by costs either way, each with its place's weight, and how many edges of
-- it each place has (Prim).
local function spanning_tree(costs, weights, count, degrees)
  local near, by, sum, is_in = {}, {}, 0, { true }
  for i = 1, count do degrees[i] = 0 end
  for i = 2, count do near[i], by[i] = min(costs[1][i], costs[i][1]) + weights[1] + weights[i], 1 end
  for _ = 2, count do
    local best
    for i = 2, count do
      if not is_in[i] and (not best or near[i] < near[best]) then best = i end
    end
    is_in[best], sum = true, sum + near[best]
    degrees[best], degrees[by[best]] = degrees[best] + 1, degrees[by[best]] + 1
    for i = 2, count do
      local cost = not is_in[i] and min(costs[best][i], costs[i][best]) + weights[best] + weights[i]
      if cost and cost < near[i] then near[i], by[i] = cost, best end
    end
  end
  return sum
end

-- The least cost of one edge from the beginning, and one to the end, of two places.
local function ends(costs, weights, count, degrees)
  local least, from, to = huge, nil, nil
  for i = 1, count do
    for j = 1, count do
      local cost = costs[0][i] + weights[i] + costs[j][0] + weights[j]
      if i ~= j and cost < least then least, from, to = cost, i, j end
    end
  end
  degrees[from], degrees[to] = degrees[from] + 1, degrees[to] + 1
  return least
end

-- No tour costs less: a 1-tree about the ends, its weights raised where it has too many edges.
local function bound_of(costs, count, cost)
  local weights, degrees, best, pace = {}, {}, 0, 1
  for i = 1, count do weights[i] = 0 end
  for _ = 1, ASCENTS do
    local sum, off, total = spanning_tree(costs, weights, count, degrees) + ends(costs, weights, count, degrees), 0, 0
    for i = 1, count do
      off, total = off + (degrees[i] - 2) ^ 2, total + weights[i]
    end
    local bound = sum - 2 * total
    if bound > best then best = bound else pace = pace * 0.93 end
    if off == 0 then break end
    local step = pace * max(cost - bound, 1e-9 * cost) / off
    for i = 1, count do weights[i] = weights[i] + step * (degrees[i] - 2) end
  end
  return min(best * (1 - 1e-12), cost)
end

--- The order, its cost, whether it is the best, and what no order costs less than; nil and "unreachable".
function tours.best(rows, first, last)
  if #rows <= MOST_EXACT then
    local tour = best_of_all(rows, first, last)
    if not tour then
      return nil, "unreachable"
    end
    local cost = cost_of(tour, rows, first, last)
    return tour, cost, true, cost
  end
  local tour, costs = good_order(rows, first, last)
  local cost = cost_of(tour, rows, first, last)
  if cost == huge then
    return nil, "unreachable"
  end
  local bound = bound_of(costs, #rows, cost)
  local exact = bound >= cost * (1 - 1e-9) -- but for rounding, which is not told
  return tour, cost, exact, exact and cost or bound
end

return tours
