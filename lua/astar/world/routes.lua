-- routes.lua -- routes over a world that are set off on at once, made better while they are walked, and asked for
-- anew where the world has changed.
--
-- A question far off would have nodes measured for seconds. So its search gives up soon, and one with a weight finds a
-- route that costs at most that many times what the best does. While a stretch of it is walked, the best from where
-- that ends is looked for, in the slices that route:step is given, and taken where it costs less than what is left.
-- What is not found in time is begun anew from the end of the next stretch: all that was measured for it is there then.
--
-- A route that is barred, or has come to the end of what was there, is asked for anew by route:stretch, from where it
-- has come to. Of all ends beside what is not there that looks for the one over which the goal may be nearest, by what
-- the unit has still to walk: so it stays with an end that it walks to or waits at as long as that may be on the best
-- way, and never runs to and fro between two.

local entries = next -- for loops, see entries_spec
local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local describe = require(ABOVE .. ".describe")
local plain_options = require(ABOVE .. ".plain_options")

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

-- Stretches, at most.
local ALL = 2147483647

local OF_PATHS = { "legs" }
local OF_ROUTES = { "exact", "weight", "range", "partial", "max_cost", "max_expansions", "flee" }

-- What route:stretch does by itself for a better route.
local SLICE = { expansions = 2048 }

local AT_ONCE = { expansions = 2 ^ 53 }

-- Parts of a finder, and of a route: see core.part_of.
local WORLD, UNIT, FINDER = 1, 2, 1

-- By route: what was asked, the search for a better one, and what the last answer was.
local asked = setmetatable({}, { __mode = "k" })

-- By stretch: the finder, and from which cell on it could be walked in which version of the world.
local stretches = setmetatable({}, { __mode = "k" })

local function copy(question, changes)
  local made = {}
  for name, value in entries, question or {} do made[name] = value end
  for name, value in entries, changes do made[name] = value end
  return made
end

-- How far the nearest goal is, a cell or a list in place of gx: the larger of its distances in x and y, their sum; and
-- whether some goal is there.
local function look_at_goals(world, sx, sy, gx, gy)
  local far, sum, is_there = math.huge, 0, false
  for _, goal in ipairs(type(gx) == "table" and gx or { { x = gx, y = gy } }) do
    local dx, dy = math.abs(goal.x - sx), math.abs(goal.y - sy)
    if math.max(dx, dy) < far then far, sum = math.max(dx, dy), dx + dy end
    is_there = is_there or world:get(goal.x, goal.y) ~= nil
  end
  return far, sum, is_there
end

local function begin(finder, sx, sy, gx, gy, question)
  if type(gx) == "table" then
    return finder:search(sx, sy, gx, question)
  end
  return finder:search(sx, sy, gx, gy, question)
end

-- The search, by floods, that has found such a route or that there is none, and whether there may be a better
-- one. Too long is a flood for each four chunks on the line, and 64, of 32 expansions each. An end beside what is
-- not there is to be a good one, or a unit would run to and fro: for that it takes its time.
local function search_roughly(finder, sx, sy, gx, gy, question)
  local far, sum, is_there = look_at_goals(core.part_of(finder, WORLD), sx, sy, gx, gy)
  local soon = { expansions = 2048 + math.floor(sum / 8) }
  local tenths = is_there and far <= NEAR and BEST_TENTHS or FIRST_TENTHS
  local search = begin(finder, sx, sy, gx, gy,
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

local checks = require(ABOVE .. ".checks")(fail)
local later = require(ABOVE .. ".later")

local function check_range(range, name, ...)
  if range ~= nil and (type(range) ~= "number" or range < 0 or range % 1 ~= 0) then
    fail("%s must be a whole number, got %s", name:format(...), describe(range))
  end
end

-- By goals of lists made here: whether their range counts from the unit's north-west cell. Other ranges count from the
-- nearest cell that the unit covers, but 0, with which that cell is to come to the goal itself.
local FROM_CORNER = {}

-- The goals of a list, each as given: x, y and its range, or 'range', that of the question.
local function goals_of(goals, range)
  check_range(range, "range")
  if type(goals) ~= "table" then
    local is_asked = type(goals) == "function"
    fail("goals must be a list of cells, got %s%s", describe(goals),
      is_asked and ": use a grid of a part of the world, world:window(x, y, w, h):finder()" or "")
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
    check_range(goal.range, "goals[%d].range", i)
    list[i] = { x = x, y = y, range = goal.range or range or 0, [FROM_CORNER] = rawget(goal, FROM_CORNER) }
  end
  return list
end

local function size_of(finder) return core.part_of(finder, UNIT):options().size or 1 end

-- The goals of a list, and what is asked of them: of fears, the question's flee, what is out of their reach.
local function asked_of(finder, sx, sy, goals, question)
  local list = goals_of(goals, question and rawget(question, "range"))
  if not question or rawget(question, "flee") == nil then return list, question end
  local plain = copy(question, {})
  plain.flee = nil
  if not checks.flag(question, "flee", false) then return list, plain end
  if rawget(question, "partial") ~= nil then fail "partial and flee do not go together" end
  plain.range = nil
  local safe = later(FOLDER .. ".flight")(core.part_of(finder, WORLD), sx, sy, list, size_of(finder))
  for _, goal in ipairs(safe) do goal[FROM_CORNER] = true end
  return safe, plain, true
end

-- Returns the query's options as a plain table, or nil.
local function check_question(question)
  if question ~= nil and type(question) ~= "table" then
    fail("question must be a table, got %s", describe(question))
  end
  return plain_options(question, OF_ROUTES)
end

local calls = {}

--- finder:search(sx, sy, goals [, question]) --> search
function calls.search(finder, sx, sy, goals, question, more)
  question = check_question(question)
  if more ~= nil then
    fail("search takes 4 arguments with a list of goals, got %s as argument 5", describe(more))
  end
  local list
  list, question = asked_of(finder, sx, sy, goals, question)
  local search = finder:search(sx, sy, list[1].x, list[1].y, copy(question, { range = list[1].range }))
  for i = 2, #list do core.add_goal(search, list[i].x, list[i].y, list[i].range) end
  for i, goal in ipairs(list) do
    if goal[FROM_CORNER] then core.count_from_corner(search, i) end
  end
  return search
end

-- Which of the goals asked for a route ends at: its number and its range; of several the first.
local function reached_of(finder, route, gx, question)
  if type(gx) ~= "table" then
    return nil, question and question.range or 0
  end
  local size = size_of(finder)
  for i, goal in ipairs(gx) do
    local more = goal.range > 0 and not goal[FROM_CORNER] and size - 1 or 0
    local dx = math.max(goal.x - route.gx - more, route.gx - goal.x)
    local dy = math.max(goal.y - route.gy - more, route.gy - goal.y)
    if math.max(dx, dy) <= goal.range then
      return i, goal.range
    end
  end
  return nil, 0
end

local find_partial

-- The route, and the number of the goal it leads to of a list, or why it is partial; sets_off: the search for it may
-- give up soon. Where links come with chunks there may be a better one.
local function find(finder, sx, sy, gx, gy, question)
  if type(question) == "table" and rawget(question, "partial") ~= nil then
    return find_partial(finder, sx, sy, gx, gy, question)
  end
  local world = core.part_of(finder, WORLD)
  local version, route, why, is_rough
  repeat
    local search = begin(finder, sx, sy, gx, gy, question) -- a field that has changed is an edit then
    version = world:version()
    local sets_off = core.hurry_route(search)
    local is_far = false
    if sets_off then
      local far, _, is_there = look_at_goals(world, sx, sy, gx, gy)
      is_far = far > NEAR and is_there
    end
    is_rough = is_far or search:step(AT_ONCE) == "max_expansions" and sets_off
    if is_rough then
      search:close()
      search, is_rough = search_roughly(finder, sx, sy, gx, gy, question)
    end
    route, why = search:route()
    search:close()
  until world:version() == version
  if not route then
    return nil, why
  end
  asked[route] = {
    finder = finder, gx = gx, gy = gy, question = question and copy(question, {}),
    version = version,
  }
  local index, range = reached_of(finder, route, gx, question)
  core.take_route(route, nil, is_rough and range == 0)
  return route, why or index
end

-- The same with a question of which partial is an option: where there is no way, to what is nearest to the goal, as
-- the question's range counts that: from the nearest cell that the unit covers, without a range from where it is. The
-- least range that there is a way for, and the cheapest way with it.
function find_partial(finder, sx, sy, gx, gy, question)
  local plain = copy(question, {})
  plain.partial = nil
  if type(question.partial) ~= "boolean" then
    fail("partial must be a boolean, got %s", describe(question.partial))
  end
  local route, why = find(finder, sx, sy, gx, gy, plain)
  if route or not question.partial or why == "start blocked" or why == "not loaded" then
    return route, why
  end
  local goals = type(gx) == "table" and gx or { { x = gx, y = gy, range = plain.range or 0 } }
  local function within(range, changes)
    local wide = {}
    for i, goal in ipairs(goals) do
      local from_corner = goal[FROM_CORNER] or goal.range == 0
      wide[i] = copy(goal, { range = math.max(goal.range, range), [FROM_CORNER] = from_corner })
    end
    return find(finder, sx, sy, wide, nil, copy(copy(plain, changes), { range = 0 }))
  end
  local function is_way(range)
    local found = within(range, { weight = ANY })
    return found and not found.partial
  end
  local none, most = plain.range or 0, look_at_goals(core.part_of(finder, WORLD), sx, sy, gx, gy)
  local some = math.min(none + 1, most)
  while some < most and not is_way(some) do none, some = some, math.min(2 * some, most) end
  while some - none > 1 do
    local middle = math.floor((none + some) / 2)
    if is_way(middle) then some = middle else none = middle end
  end
  local nearest = within(some, {})
  if not nearest then return nil, why end
  local state = asked[nearest]
  state.gx, state.gy, state.question = gx, gy, copy(question, {})
  state.is_nearest, state.waits_since, state.why = true, state.version, why
  core.take_route(nearest, nil, nearest.status == "running", true)
  return nearest, why
end

--- finder:find_route(sx, sy, gx, gy [, question]) --> route [, "not loaded"] | nil, reason
-- finder:find_route(sx, sy, goals [, question]) --> route, index or "not loaded" | nil, reason
function calls.find_route(finder, sx, sy, gx, gy, question)
  if type(gx) ~= "table" then
    return find(finder, sx, sy, gx, gy, plain_options(question, OF_ROUTES))
  elseif question ~= nil then
    fail("find_route takes 4 arguments with a list of goals, got %s as argument 5", describe(question))
  end
  gy = check_question(gy)
  local list, plain, flees = asked_of(finder, sx, sy, gx, gy)
  local route, why = find(finder, sx, sy, list, nil, plain)
  if flees and (why == "goal blocked" or type(why) == "number") then why = not route and "unreachable" or nil end
  return route, why
end

-- ---- other questions ----

--- finder:find_nearest(sx, sy, goals [, question]) --> route, index | nil, reason
function calls.find_nearest(finder, sx, sy, goals, question)
  question = check_question(question)
  for _, name in ipairs { "partial", "flee" } do
    if question and question[name] then fail("find_nearest of a world knows no %s, which find_route does", name) end
  end
  local list = goals_of(goals, question and rawget(question, "range"))
  local route, index = find(finder, sx, sy, list, nil, copy(question, { exact = true, partial = nil }))
  if route and route.partial then
    return nil, "not loaded"
  end
  return route, index
end

--- finder:reachable(sx, sy, gx, gy) --> true | nil, reason
function calls.reachable(finder, sx, sy, gx, gy)
  local world = core.part_of(finder, WORLD)
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

-- The next stretch, or so many that it does not leave behind.
local function walk(route, ...)
  local path, why = core.route_next(route, ...)
  if path then
    local finder = core.part_of(route, FINDER)
    stretches[path] = { finder = finder, from = 1, version = core.part_of(finder, WORLD):version() }
  end
  return path, why
end

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
  local world, x, y = core.part_of(state.finder, WORLD), route.x, route.y
  if state.waits_since == world:version() then
    return nil, state.why
  end
  local anew, why = find(state.finder, x, y, state.gx, state.gy, state.question)
  state.version, state.search, state.waits_since = world:version(), nil, nil
  if anew and not (anew.partial and anew.gx == x and anew.gy == y) then
    state.is_nearest = asked[anew].is_nearest
    core.take_route(route, anew, anew.status == "running", state.is_nearest)
    return walk(route)
  end
  state.waits_since, state.why = state.version, why
  return nil, why
end

--- route:stretch() --> path of the next stretch, nil at the goal | nil, reason
function calls.stretch(route)
  local state = asked[route]
  if not state or state.is_nearest and state.question.max_cost then -- what is left of that is not known
    return walk(route)
  end
  local has_changed = core.part_of(state.finder, WORLD):version() ~= state.version
  if route.partial and (has_changed or state.waits_since and not state.is_nearest) then
    return ask_anew(route, state)
  end
  if route.status == "running" then
    improve(route, state, SLICE)
  end
  local path, why = walk(route)
  if path or not why and not route.partial then
    return path
  end
  return ask_anew(route, state)
end

--- route:path([{ legs = }]) --> path | nil, reason
function calls.path(route, options)
  local legs
  if options ~= nil then
    options = checks.options(options, OF_PATHS)
    legs = rawget(options, "legs")
  end
  return walk(route, legs == nil and ALL or checks.whole(legs, 1, ALL, "legs"))
end

-- ---- whether a stretch can still be walked ----

-- Whether a link leads from a cell to another, and no block bars that.
local function is_linked(finder, x, y, to_x, to_y)
  local world, unit = core.part_of(finder, WORLD), core.part_of(finder, UNIT):options()
  local is_there, size = false, unit.ignore and unit.ignore[1] and 0 or unit.size or 1
  local _, links = core.links_of(world, x, y, 1)
  for i = 1, #links, 6 do is_there = is_there or links[i + 2] == to_x and links[i + 3] == to_y end
  for cell = 0, size * size - 1 do
    is_there = is_there and not world:is_blocked(to_x + cell % size, to_y + math.floor(cell / size))
  end
  return is_there
end

-- The last cell of the straight line that a path has from a cell on, no link in it.
local function end_of_line(path, index)
  local x, y = path:cell(index)
  local next_x, next_y = path:cell(index + 1)
  local dx, dy = next_x - x, next_y - y
  repeat
    index, x, y = index + 1, next_x, next_y
    if index == #path or path:link(index) then break end
    next_x, next_y = path:cell(index + 1)
  until next_x - x ~= dx or next_y - y ~= dy
  return index
end

--- path:is_valid([from]) of a stretch, as the index of the first cell that cannot be stepped on, 0 where all can be.
function calls.is_valid(path, from)
  local state, index = stretches[path], from or 1
  local finder = state.finder
  local version = core.part_of(finder, WORLD):version()
  if state.version == version and state.from <= index then
    return 0
  end
  while true do
    local x, y = path:cell(index)
    local last = index
    if index < #path and not path:link(index) then last = end_of_line(path, index) end
    local to_x, to_y = path:cell(last)
    local is_free, bar_x, bar_y = finder:raycast(x, y, to_x, to_y)
    if not is_free then
      return index + math.max(math.abs(bar_x - x), math.abs(bar_y - y))
    elseif last == #path then
      state.version, state.from = version, from or 1
      return 0
    end
    if path:link(last) then
      local link_x, link_y = path:cell(last + 1)
      local is_beside = math.max(math.abs(link_x - to_x), math.abs(link_y - to_y)) <= 1
      if not is_linked(finder, to_x, to_y, link_x, link_y)
        and not (is_beside and finder:raycast(to_x, to_y, link_x, link_y)) then
        return last + 1
      end
      last = last + 1
    end
    index = last
  end
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
  local told = type(problem) == "string" and problem:match "^[^\n]*world.routes%.lua:%d+: (.*)$"
  if told then
    return false, told
  end
  error(problem, 0)
end

--- Answers for the C module.
return function(name, ...)
  return hand_on(pcall(calls[name], ...))
end
