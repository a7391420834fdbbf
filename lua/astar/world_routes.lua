-- world_routes.lua -- routes over a world that are set off on at once, made better while they are walked, and asked for
-- anew where the world has changed.
--
-- A question far off would have nodes measured for seconds. So its search gives up soon, and one with a weight finds a
-- route that costs at most that many times what the best does. While a stretch of it is walked, the best from where
-- that ends is looked for, in the slices that route:step is given, and taken where it costs less than what is left.
-- What is not found in time is begun anew from the end of the next stretch: all that was measured for it is there then.
--
-- A route that is barred, or has come to the end of what was there, is asked for anew by route:next, from where it has
-- come to. Of all ends beside what is not there that looks for the one over which the goal may be nearest, by what the
-- unit has still to walk: so it stays with an end that it walks to or waits at as long as that may be on the best way,
-- and never runs to and fro between two.

local entries = next -- for loops, see entries_spec
local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")

-- What the first route may cost, in parts of the best. With 2 it is there in two thirds to all of the time, but three
-- to seven times as much longer than the best; with 1.1 after about twice the time. Near by the best is looked for, as
-- the first stretch is much of the way there. Where the best is itself that much longer than the line, as among much
-- rock, nearly all of the world around is looked at before any is shown to be as good: so where that takes too long it
-- goes on with more, step by step.
local BEST_TENTHS, FIRST_TENTHS, LAST_TENTHS = 10, 12, 20

-- Farther off nodes are not asked first: the few that that may take would be measured in vain.
local NEAR = 1024

-- Where all that counts is whether there is one.
local ANY = 1e6

-- What route:next does by itself for a better route.
local SLICE = { expansions = 2048 }

local AT_ONCE = { expansions = 2 ^ 53 }

-- By route: what was asked, the search for a better one, and what the last answer was.
local asked = setmetatable({}, { __mode = "k" })

local function copy(question, changes)
  local made = {}
  for name, value in entries, question or {} do made[name] = value end
  for name, value in entries, changes do made[name] = value end
  return made
end

local function far_of(sx, sy, gx, gy) return math.max(math.abs(gx - sx), math.abs(gy - sy)) end

-- The search, by floods, that has found such a route or that there is none, and whether there may be a better
-- one. Too long is a flood for each four chunks on the line, and 64, of 32 expansions each. An end beside what is
-- not there is to be a good one, or a unit would run to and fro: for that it takes its time.
local function search_roughly(finder, sx, sy, gx, gy, question)
  local soon = { expansions = 2048 + math.floor((math.abs(gx - sx) + math.abs(gy - sy)) / 8) }
  local is_there = core.world_of(finder):get(gx, gy) ~= nil
  local tenths = is_there and far_of(sx, sy, gx, gy) <= NEAR and BEST_TENTHS or FIRST_TENTHS
  local search = finder:search(sx, sy, gx, gy,
    copy(question, tenths == BEST_TENTHS and { exact = true } or { weight = tenths / 10 }))
  while is_there and tenths < LAST_TENTHS and search:step(soon) == "running" do
    tenths = tenths + 1
    core.raise_weight(search, tenths / 10)
  end
  search:step(AT_ONCE)
  return search, tenths > BEST_TENTHS
end

-- What has been said of an argument is raised by who calls.
local PROBLEM = {}

local function fail(message, ...)
  error(setmetatable({ message = message:format(...) }, PROBLEM), 0)
end

local calls = {}

--- finder:find_route(sx, sy, gx, gy [, question]) --> route [, "not loaded"] | nil, reason. The search for it has been
-- made; sets_off: it may give up soon. Where links come with chunks there may be a better one.
function calls.find_route(search, finder, sx, sy, gx, gy, question, sets_off)
  local world = core.world_of(finder)
  local is_far = sets_off and far_of(sx, sy, gx, gy) > NEAR and world:get(gx, gy) ~= nil
  local version, route, why, is_rough
  repeat
    version = world:version()
    search = search or finder:search(sx, sy, gx, gy, question)
    is_rough = is_far or search:step(AT_ONCE) == "max_expansions" and sets_off
    if is_rough then
      search:close()
      search, is_rough = search_roughly(finder, sx, sy, gx, gy, question)
    end
    route, why = search:route()
    search:close()
    search = nil
  until world:version() == version
  if not route then
    return nil, why
  end
  asked[route] = {
    finder = finder, gx = gx, gy = gy, question = question and copy(question, {}),
    version = version,
  }
  core.take_route(route, nil, is_rough and (question == nil or (question.range or 0) == 0))
  return route, why
end

--- The same with a question of which partial is an option: where there is no way, to what is nearest to the goal, as a
-- range counts that. The least range that there is a way for, and the cheapest way with it.
function calls.partial(finder, sx, sy, gx, gy, question)
  local plain = copy(question, {})
  plain.partial = nil
  if type(question.partial) ~= "boolean" then
    fail("partial must be a boolean, got %s", describe(question.partial))
  end
  local route, why = finder:find_route(sx, sy, gx, gy, plain)
  if route or not question.partial or why == "start blocked" or why == "not loaded" then
    return route, why
  end
  local function is_way(range)
    local found = finder:find_route(sx, sy, gx, gy, copy(plain, { range = range, weight = ANY }))
    return found and not found.partial
  end
  local none, most = plain.range or 0, math.max(math.abs(gx - sx), math.abs(gy - sy))
  local some = math.min(none + 1, most)
  while some < most and not is_way(some) do none, some = some, math.min(2 * some, most) end
  while some - none > 1 do
    local middle = math.floor((none + some) / 2)
    if is_way(middle) then some = middle else none = middle end
  end
  local nearest = finder:find_route(sx, sy, gx, gy, copy(plain, { range = some }))
  if not nearest then return nil, why end
  local state = asked[nearest]
  state.question, state.is_nearest, state.waits_since, state.why = copy(question, {}), true, state.version, why
  core.take_route(nearest, nil, nearest.status == "running", true)
  return nearest, why
end

-- ---- other questions ----

-- The goals of a list, the nearest as the crow flies first, each with its place in the list.
local function by_distance(sx, sy, goals)
  if type(goals) ~= "table" then
    local is_asked = type(goals) == "function"
    fail("goals must be a list of cells, got %s%s", describe(goals),
      is_asked and ": ask a grid of a part of the world, world:window(x, y, w, h):finder()" or "")
  elseif #goals == 0 then
    fail "goals must hold at least one cell"
  end
  local list = {}
  for i, goal in ipairs(goals) do
    local x, y = nil, nil
    if type(goal) == "table" then
      x, y = goal.x or goal[1], goal.y or goal[2]
    end
    if type(x) ~= "number" or type(y) ~= "number" then
      fail("goals[%d] must be a cell, got %s", i, describe(goal))
    end
    local range = goal.range
    if range ~= nil and (type(range) ~= "number" or range < 0 or range % 1 ~= 0) then
      fail("goals[%d].range must be a whole number, got %s", i, describe(range))
    end
    list[i] = { x = x, y = y, range = range, index = i, far = math.max(math.abs(x - sx), math.abs(y - sy)) }
  end
  table.sort(list, function(a, b)
    if a.far ~= b.far then return a.far < b.far end
    return a.index < b.index
  end)
  return list
end

-- What is said of several goals that none can be come to, the later ones over the earlier.
local STRENGTH = { ["goal blocked"] = 1, unreachable = 2, max_cost = 3, max_expansions = 4, ["not loaded"] = 5 }

--- finder:find_nearest(sx, sy, goals [, question]) --> route, index | nil, reason. After the first each goal is looked
-- for only as far as the best one yet is. All routes are the best, or they could not be compared.
function calls.find_nearest(finder, sx, sy, goals, question)
  if type(sx) ~= "number" or type(sy) ~= "number" then
    fail("sx and sy must be integers, got %s, %s", describe(sx), describe(sy))
  end
  local best, index, why = nil, nil, "goal blocked"
  if question ~= nil and type(question) ~= "table" then
    fail("question must be a table, got %s", describe(question))
  elseif question and question.partial then
    fail "find_nearest of a world knows no partial, which find_route does"
  end
  for _, goal in ipairs(by_distance(sx, sy, goals)) do
    local most = math.min(best and best.cost or math.huge, question and question.max_cost or math.huge)
    local route, reason = finder:find_route(sx, sy, goal.x, goal.y,
      copy(question, { exact = true, max_cost = most, range = goal.range }))
    if reason == "start blocked" then
      return nil, reason
    elseif not route or route.partial then
      reason = route and "not loaded" or reason
      why = STRENGTH[reason] > STRENGTH[why] and reason or why
    elseif not best or route.cost < best.cost or route.cost == best.cost and goal.index < index then
      best, index = route, goal.index
    end
  end
  return best, best and index or why
end

--- finder:reachable(sx, sy, gx, gy) --> true | nil, reason
function calls.reachable(finder, sx, sy, gx, gy)
  local world = core.world_of(finder)
  local version, route, why
  repeat
    version = world:version()
    local search = finder:search(sx, sy, gx, gy, { weight = ANY })
    search:step(AT_ONCE)
    route, why = search:route()
    search:close()
  until world:version() == version
  if why then
    return nil, why
  end
  return route ~= nil
end

-- ---- while it is walked ----

-- Looks for a better route from where this one has come to, and takes it.
local function improve(route, state, budget)
  local search = state.search
  if not search or search.x ~= route.x or search.y ~= route.y then
    search = { x = route.x, y = route.y }
    search.job = state.finder:search(search.x, search.y, route.gx, route.gy)
    state.search = search
  end
  local status = search.job:step(budget)
  if status == "running" then
    return
  end
  local better = status == "found" and search.job:route()
  search.job:close()
  state.search = nil
  local is_better = better and not better.partial and better.cost < route.left
  core.take_route(route, is_better and better or nil, false)
end

-- The next stretch of a route asked for anew from where this one has come to, which goes on as that.
local function ask_anew(route, state)
  local world, x, y = core.world_of(state.finder), route.x, route.y
  if state.waits_since == world:version() then
    return nil, state.why
  end
  local anew, why = state.finder:find_route(x, y, state.gx, state.gy, state.question)
  state.version, state.search, state.waits_since = world:version(), nil, nil
  if anew and not (anew.partial and anew.gx == x and anew.gy == y) then
    state.is_nearest = asked[anew].is_nearest
    core.take_route(route, anew, anew.status == "running", state.is_nearest)
    return core.route_next(route)
  end
  state.waits_since, state.why = state.version, why
  return nil, why
end

--- route:next() --> path of the next stretch, nil at the goal | nil, reason
function calls.next(route)
  local state = asked[route]
  if not state or state.is_nearest and state.question.max_cost then -- what is left of that is not known
    return core.route_next(route)
  end
  local has_changed = core.world_of(state.finder):version() ~= state.version
  if route.partial and (has_changed or state.waits_since and not state.is_nearest) then
    return ask_anew(route, state)
  end
  if route.status == "running" then
    improve(route, state, SLICE)
  end
  local path, why = core.route_next(route)
  if path or not why and not route.partial then
    return path
  end
  return ask_anew(route, state)
end

--- route:step(budget) --> "running" | "refined"
function calls.step(route, budget)
  local state = asked[route]
  if state and route.status == "running" then
    improve(route, state, budget)
  end
  return route.status
end

-- Hands on what a call gave. What a script's functions raise goes through as it is; of what this file is told the place
-- is not the script's.
local function hand_on(ok, problem, ...)
  if ok then
    return problem, ...
  end
  if getmetatable(problem) == PROBLEM then
    return false, problem.message
  end
  local told = type(problem) == "string" and problem:match "^[^\n]*world_routes%.lua:%d+: (.*)$"
  if told then
    return false, told
  end
  error(problem, 0)
end

--- Answers for the C module.
return function(name, ...)
  return hand_on(pcall(calls[name], ...))
end
