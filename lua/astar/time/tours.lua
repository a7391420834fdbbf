-- tours.lua -- Finds the best order in which to visit places, given the costs between them.
--
-- rows[i][j] is the cost from place i to place j, first[i] the cost from the start to i, last[i] the cost from i to the
-- end. A cost is infinite if there is no route.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local huge, min, max, floor = math.huge, math.min, math.max, math.floor

-- Maximum number of places for which the best order is computed exactly.
local MOST_EXACT = 12

-- Number of kicks (random changes) of the local search, to which 3 per place are added, and maximum length of the
-- part that a kick changes.
local KICKS, KICKED = 60, 50

-- Number of nearest places beside which a place is tried, and maximum number of consecutive places that are moved
-- together.
local NEAR, MOST_MOVED = 8, 3

-- Number of steps of the subgradient ascent towards the best lower bound.
local ASCENTS = 120

local tours = {}

local function cost_of(tour, rows, first, last)
  local cost = first[tour[1]]
  for i = 2, #tour do cost = cost + rows[tour[i - 1]][tour[i]] end
  return cost + last[tour[#tour]]
end

-- Computes the best costs for all sets of places, by dynamic programming (Held and Karp, 1962). best[set][i] is the
-- least cost of visiting all places of a set and ending at its place i; came[set][i] is the place visited before i.
local function grow_sets(rows, first, count, pause)
  local best, came = {}, {}
  for set = 1, 2 ^ count - 1 do best[set], came[set] = {}, {} end
  for i = 1, count do best[2 ^ (i - 1)][i] = first[i] end
  for set = 1, 2 ^ count - 1 do
    local costs = best[set]
    pause(2 * count)
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

local function best_of_all(rows, first, last, pause)
  local count = #rows
  local set = 2 ^ count - 1
  local best, came = grow_sets(rows, first, count, pause)
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

-- Returns a matrix of costs for a closed tour, with start and end as place 0. Infinite costs are replaced by `none`, a
-- number greater than the cost of any possible order.
local function closed(rows, first, last)
  local most, costs = 0, { [0] = { [0] = 0 } }
  local function note(cost) if cost < huge then most = max(most, cost) end end
  for i, row in ipairs(rows) do
    note(first[i])
    note(last[i])
    for _, cost in ipairs(row) do note(cost) end
  end
  local none = (most + 1) * 2 * (#rows + 1)
  for i, row in ipairs(rows) do
    costs[i] = { [0] = min(last[i], none) }
    costs[0][i] = min(first[i], none)
    for j, cost in ipairs(row) do costs[i][j] = min(cost, none) end
  end
  return costs, none
end

-- Returns an initial order. The next place is always the place from which most other places can be reached, so the
-- order is possible if any order is. Among places from which equally many can be reached, the nearest is next.
local function begin_order(rows, costs, none)
  local count, reached, tour, is_taken = #rows, {}, { [0] = 0 }, {}
  for i, row in ipairs(rows) do
    reached[i] = costs[0][i] < none and 0 or -1
    for _, cost in ipairs(row) do reached[i] = reached[i] + (cost < huge and 2 or 0) end
  end
  for i = 1, count do
    local best
    for j = 1, count do
      if not is_taken[j] and (not best or reached[j] > reached[best]
        or reached[j] == reached[best] and costs[tour[i - 1]][j] < costs[tour[i - 1]][best]) then best = j end
    end
    tour[i], is_taken[best] = best, true
  end
  tour[count + 1] = 0
  return tour
end

-- Returns, for each place, the list of the places nearest to it, by the lower of the costs in both directions.
local function nearest_places(costs, count)
  local near = {}
  for i = 0, count do
    local function distance(j) return min(costs[i][j], costs[j][i]) end
    local list = {}
    for j = 0, count do
      if j ~= i then list[#list + 1] = j end
    end
    table.sort(list, function(a, b)
      local to_a, to_b = distance(a), distance(b)
      return to_a < to_b or to_a == to_b and a < b
    end)
    for k = #list, NEAR + 1, -1 do list[k] = nil end
    near[i] = list
  end
  return near
end

-- Returns the state of the local search. The tour has place 0 before its first place and after its last one. at[place]
-- is the index of a place. turned[i] is the cost of the tour's steps up to index i in reverse, minus their cost.
local function state_of(tour, costs, count)
  return { tour = tour, costs = costs, count = count, at = {}, turned = {}, waiting = {}, is_waiting = {} }
end

local function measure(state, from, to)
  local tour, costs, at, turned = state.tour, state.costs, state.at, state.turned
  turned[0] = 0
  for i = from, state.count + 1 do
    local a, b = tour[i - 1], tour[i]
    if i <= to then at[b] = i end
    turned[i] = turned[i - 1] + costs[b][a] - costs[a][b]
  end
  at[0] = 0
end

local function wake(state, place)
  if not state.is_waiting[place] then
    state.is_waiting[place] = true
    state.waiting[#state.waiting + 1] = place
  end
end

local function is_saving(saved, gone) return saved > 1e-9 * max(1, gone) end

-- Reverses the part of the tour from index i to j if that makes the tour cheaper. Returns true if it does.
local function try_reversal(state, i, j)
  local tour, costs, turned = state.tour, state.costs, state.turned
  if i < 1 or j > state.count or i >= j then return false end
  local before, head, tail, after = tour[i - 1], tour[i], tour[j], tour[j + 1]
  local gone = costs[before][head] + costs[tail][after]
  if not is_saving(gone - costs[before][tail] - costs[head][after] - turned[j] + turned[i], gone) then return false end
  local low, high = i, j
  while low < high do
    tour[low], tour[high] = tour[high], tour[low]
    low, high = low + 1, high - 1
  end
  measure(state, i, j)
  wake(state, before)
  wake(state, head)
  wake(state, tail)
  wake(state, after)
  return true
end

-- Moves the part of the tour from index i to j to the gap between k and k + 1, reversed if that is better, if this
-- makes the tour cheaper. Returns true if it does.
local function try_move(state, i, j, k)
  local tour, costs, turned = state.tour, state.costs, state.turned
  if i < 1 or j > state.count or k < 0 or k > state.count or k >= i - 1 and k <= j then return false end
  local before, head, tail, after = tour[i - 1], tour[i], tour[j], tour[j + 1]
  local left, right = tour[k], tour[k + 1]
  local gone = costs[before][head] + costs[tail][after] + costs[left][right] - costs[before][after]
  local straight = gone - costs[left][head] - costs[tail][right]
  local round = gone - costs[left][tail] - costs[head][right] - turned[j] + turned[i]
  if not is_saving(max(straight, round), gone) then return false end
  local stretch, count = {}, j - i + 1
  for m = 0, count - 1 do stretch[m] = round > straight and tour[j - m] or tour[i + m] end
  if k > j then
    for m = j + 1, k do tour[m - count] = tour[m] end
    for m = 0, count - 1 do tour[k - count + 1 + m] = stretch[m] end
  else
    for m = i - 1, k + 1, -1 do tour[m + count] = tour[m] end
    for m = 0, count - 1 do tour[k + 1 + m] = stretch[m] end
  end
  measure(state, min(i, k + 1), max(j, k))
  for _, place in ipairs { before, after, left, right, head, tail } do wake(state, place) end
  return true
end

-- Tries to make the tour cheaper by moving a place, or a neighbour in the tour, beside one of the places near it.
-- Returns true if it has.
local function improve_at(state, place, near)
  local at, last = state.at, state.count + 1
  for _, other in ipairs(near[place]) do
    local i, j = at[place], at[other]
    if place == 0 and 2 * j > last then i = last end
    if other == 0 and 2 * i > last then j = last end
    local low, high = min(i, j), max(i, j)
    if try_reversal(state, low + 1, high) or try_reversal(state, low, high - 1) then return true end
    for n = 0, MOST_MOVED - 1 do
      if try_move(state, i, i + n, j) or try_move(state, i, i + n, j - 1)
        or n > 0 and (try_move(state, i - n, i, j) or try_move(state, i - n, i, j - 1)) then return true end
    end
  end
  return false
end

-- Improves the tour around places at which it has changed, until nothing becomes cheaper (2-opt and Or-opt with "don't
-- look bits", Bentley, 1992).
local function descend(state, near, pause)
  local waiting, is_waiting = state.waiting, state.is_waiting
  while #waiting > 0 do
    local place = table.remove(waiting)
    is_waiting[place] = false
    repeat pause(NEAR) until not improve_at(state, place, near)
  end
end

local function closed_cost(tour, costs)
  local cost = 0
  for i = 1, #tour do cost = cost + costs[tour[i - 1]][tour[i]] end
  return cost
end

-- Changes the best tour at random to escape from a local optimum: exchanges two consecutive parts (double bridge).
local function kick(state, best, draw)
  local tour, count = state.tour, state.count
  local length = min(count, KICKED)
  local start = draw(count - length + 1) - 1
  local middle = start + draw(length - 1)
  local last = middle + draw(start + length - middle)
  local first = start + draw(middle - start)
  for i = 0, count + 1 do tour[i] = best[i] end
  local behind = last - middle
  for i = first, middle do tour[i + behind] = best[i] end
  for i = middle + 1, last do tour[i - middle - 1 + first] = best[i] end
  measure(state, 1, count)
  for _, i in ipairs { first, first + behind, last + 1 } do
    wake(state, tour[i - 1])
    wake(state, tour[i])
  end
end

local function good_order(rows, first, last, pause)
  local count, seed = #rows, 1
  local costs, none = closed(rows, first, last)
  local function draw(most) -- returns the same pseudo-random numbers in every Lua
    seed = seed * 48271 % 2147483647
    return 1 + seed % most
  end
  local near = nearest_places(costs, count)
  local state = state_of(begin_order(rows, costs, none), costs, count)
  measure(state, 1, count)
  for place = count, 0, -1 do wake(state, place) end
  descend(state, near, pause)
  local best, least = {}, huge
  local kicks = KICKS + 3 * count
  for left = kicks, 0, -1 do
    local cost = closed_cost(state.tour, costs)
    if cost < least - 1e-9 * least or left == kicks then
      least = cost
      for i = 0, count + 1 do best[i] = state.tour[i] end
    end
    if left > 0 then
      kick(state, best, draw)
      descend(state, near, pause)
    end
  end
  best[0], best[count + 1] = nil, nil
  return best, costs
end

-- Returns the cost of the minimum spanning tree over the places (Prim, 1957), and stores in `degrees` the number of its
-- edges at each place. An edge costs the lower of the costs in both directions plus the weights of its two places.
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

-- Returns the least sum of the costs of two edges: from the start to one place, and from another place to the end.
local function ends(costs, weights, count, degrees)
  local from, to, sum = {}, {}, huge -- the two cheapest edges of each kind
  for i = 1, count do
    local out, back = costs[0][i] + weights[i], costs[i][0] + weights[i]
    if not from[1] or out < from[1].cost then from[1], from[2] = { cost = out, place = i }, from[1]
    elseif not from[2] or out < from[2].cost then from[2] = { cost = out, place = i } end
    if not to[1] or back < to[1].cost then to[1], to[2] = { cost = back, place = i }, to[1]
    elseif not to[2] or back < to[2].cost then to[2] = { cost = back, place = i } end
  end
  local best, end_of
  for _, a in ipairs(from) do
    for _, b in ipairs(to) do
      if a.place ~= b.place and a.cost + b.cost < sum then sum, best, end_of = a.cost + b.cost, a.place, b.place end
    end
  end
  degrees[best], degrees[end_of] = degrees[best] + 1, degrees[end_of] + 1
  return sum
end

-- Returns a lower bound of the cost of any tour, by 1-trees (Held and Karp, 1970): the weights of places with too many
-- edges are raised step by step, and those of places with too few are lowered.
local function bound_of(costs, count, cost, pause)
  local weights, degrees, best, pace = {}, {}, 0, 1
  for i = 1, count do weights[i] = 0 end
  for _ = 1, ASCENTS do
    pause(count * count)
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

local function never_pause() end

--- Returns the order, its cost, true if it is known to be the best order, and a lower bound of the cost of any order;
-- or nil and "unreachable". `pause(work)`, if given, is called after each piece of work, with a number that grows
-- with its time.
function tours.best(rows, first, last, pause)
  pause = pause or never_pause
  if #rows <= MOST_EXACT then
    local tour = best_of_all(rows, first, last, pause)
    if not tour then
      return nil, "unreachable"
    end
    local cost = cost_of(tour, rows, first, last)
    return tour, cost, true, cost
  end
  local tour, costs = good_order(rows, first, last, pause)
  local cost = cost_of(tour, rows, first, last)
  if cost == huge then
    return nil, "unreachable"
  end
  local bound = bound_of(costs, #rows, cost, pause)
  local exact = bound >= cost * (1 - 1e-9) -- allows for rounding errors
  return tour, cost, exact, exact and cost or bound
end

return tours
