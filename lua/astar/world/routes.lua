-- routes.lua -- Routes over a world. A unit sets off on a route immediately; the route is improved while the unit walks
-- it, and searched again after the world has changed.
--
-- For a far goal the distances between nodes would take seconds to compute. Therefore the exact search gives up soon,
-- and a search with a weight finds a route that costs at most `weight` times as much as the best one. While the unit
-- walks a stretch of this route, a search in steps, driven by route:step, looks for the best route from the end of
-- the stretch. The unit takes that route if it costs less than the rest of the present route. A search that is not
-- finished in time is restarted from the end of the next stretch. The distances computed for it are kept, so the
-- restarted search need not compute them again.
--
-- If a route is barred, or ends where the world is not loaded, route:stretch searches it again from the unit's
-- position. Among all ends beside unloaded chunks the search chooses the one over which the goal may be nearest, by
-- the cost that the unit still has to pay. Therefore the unit keeps the end to which it walks, or at which it waits,
-- as long as this end may be on the best route, and it never walks to and fro between two ends.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local describe = require(ABOVE .. ".describe")
local errors = require(ABOVE .. ".errors")
local plain_options = require(ABOVE .. ".plain_options")

-- Weights of the first search, in tenths. FIRST_TENTHS, a weight of 1.2, is the usual weight. A search with a weight
-- of 2 takes 2/3 to all of the time of a search with 1.2, but the excess of its routes over the best cost is 3 to 7
-- times as large. A weight of 1.1 takes about twice the time. For a near goal the best route is searched
-- (BEST_TENTHS), because the first stretch is much of the route. If the best route is itself far longer than the
-- straight line, for example among much rock, a search with a low weight expands nearly all nodes around the start.
-- Therefore a search that takes too long raises its weight step by step, up to LAST_TENTHS.
local BEST_TENTHS, FIRST_TENTHS, LAST_TENTHS = 10, 12, 20

-- Distance in cells from which on a goal is far. For a far goal no exact search is tried first: it would give up, and
-- the distances computed for it would be wasted.
local NEAR = 1024

-- Weight of a search that only finds out whether a route exists.
local ANY = 1e6

-- Maximum number of stretches in a path.
local ALL = 2147483647

local OF_PATHS = { "legs" }
local OF_ROUTES = { "exact", "weight", "range", "partial", "max_cost", "max_expansions", "flee" }

-- Budget for improving a route in each call of route:stretch.
local SLICE = { expansions = 2048 }

local AT_ONCE = { expansions = 2 ^ 53 }

-- Numbers of the parts of a finder, and of a route, for core.part_of.
local WORLD, UNIT, FINDER = 1, 2, 1

-- The state of each route: its query, the search for a better route, and the last answer.
local asked = setmetatable({}, { __mode = "k" })

-- The state of each stretch: its finder, and the index of the cell from which on it was valid at a version of the
-- world.
local stretches = setmetatable({}, { __mode = "k" })

local function copy(options, changes)
  local made = {}
  for name, value in entries, options or {} do made[name] = value end
  for name, value in entries, changes do made[name] = value end
  return made
end

-- Returns two distances of the nearest goal: the larger of its distances in x and y, and the sum of both. The third
-- result is true if any goal is loaded. The goal is (gx, gy), or gx is a list of goals.
local function look_at_goals(world, sx, sy, gx, gy)
  local far, sum, is_there = math.huge, 0, false
  for _, goal in ipairs(type(gx) == "table" and gx or { { x = gx, y = gy } }) do
    local dx, dy = math.abs(goal.x - sx), math.abs(goal.y - sy)
    if math.max(dx, dy) < far then far, sum = math.max(dx, dy), dx + dy end
    is_there = is_there or world:get(goal.x, goal.y) ~= nil
  end
  return far, sum, is_there
end

local function begin(finder, sx, sy, gx, gy, options)
  if type(gx) == "table" then
    return finder:search(sx, sy, gx, options)
  end
  return finder:search(sx, sy, gx, gy, options)
end

-- Runs a search with a weight to its end. Returns the search, and whether a better route may exist. The search raises
-- its weight after every 64 floods, plus one flood per four chunks on the line to the goal, of 32 expansions each. If
-- no goal is loaded, the weight is not raised: the route must end at a good cell beside the unloaded chunks, or the
-- unit would walk to and fro.
local function search_roughly(finder, sx, sy, gx, gy, options)
  local far, sum, is_there = look_at_goals(core.part_of(finder, WORLD), sx, sy, gx, gy)
  local soon = { expansions = 2048 + math.floor(sum / 8) }
  local tenths = is_there and far <= NEAR and BEST_TENTHS or FIRST_TENTHS
  local search = begin(finder, sx, sy, gx, gy,
    copy(options, tenths == BEST_TENTHS and { exact = true } or { weight = tenths / 10 }))
  while is_there and tenths < LAST_TENTHS and search:step(soon) == "running" do
    tenths = tenths + 1
    core.raise_weight(search, tenths / 10)
  end
  search:step(AT_ONCE)
  return search, tenths > BEST_TENTHS
end

local fail = errors.fail

local checks = require(ABOVE .. ".checks")(fail)
local later = require(ABOVE .. ".later")

local function check_range(range, name, ...)
  if range ~= nil and (type(range) ~= "number" or range < 0 or range % 1 ~= 0) then
    fail("%s must be a whole number, got %s", name:format(...), describe(range))
  end
end

-- Key of goals made in this file: true if the range is measured from the unit's north-west cell. Other ranges are
-- measured from the nearest cell that the unit covers, except a range of 0, with which the north-west cell must reach
-- the goal itself.
local FROM_CORNER = {}

-- Reads a list of goals. Returns it with x, y and range of each goal; `range` is that of the query, for goals without
-- one.
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

-- Returns the goals of a query, its other options, and true if the unit flees. For a query with `flee`, the listed
-- goals are dangers, and the returned goals are cells out of their reach.
local function asked_of(finder, sx, sy, goals, options)
  local list = goals_of(goals, options and rawget(options, "range"))
  if not options or rawget(options, "flee") == nil then return list, options end
  local plain = copy(options, {})
  plain.flee = nil
  if not checks.flag(options, "flee", false) then return list, plain end
  if rawget(options, "partial") ~= nil then fail "partial cannot be combined with flee" end
  plain.range = nil
  local safe = later(FOLDER .. ".flight")(core.part_of(finder, WORLD), sx, sy, list, size_of(finder))
  for _, goal in ipairs(safe) do goal[FROM_CORNER] = true end
  return safe, plain, true
end

-- Returns the query's options as a plain table, or nil.
local function check_query(options)
  if options ~= nil and type(options) ~= "table" then
    fail("options must be a table, got %s", describe(options))
  end
  return plain_options(options, OF_ROUTES)
end

local calls = {}

--- finder:search(sx, sy, goals [, options]) --> search
function calls.search(finder, sx, sy, goals, options, more)
  options = check_query(options)
  if more ~= nil then
    fail("search takes 4 arguments with a list of goals, got %s as argument 5", describe(more))
  end
  local list
  list, options = asked_of(finder, sx, sy, goals, options)
  local search = finder:search(sx, sy, list[1].x, list[1].y, copy(options, { range = list[1].range }))
  for i = 2, #list do core.add_goal(search, list[i].x, list[i].y, list[i].range) end
  for i, goal in ipairs(list) do
    if goal[FROM_CORNER] then core.count_from_corner(search, i) end
  end
  return search
end

-- Returns the index and the range of the first goal in the list at which a route ends.
local function reached_of(finder, route, gx, options)
  if type(gx) ~= "table" then
    return nil, options and options.range or 0
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

-- Finds a route. Returns it with the index of its goal in a list of goals, or with the reason why it is partial. The
-- query is repeated if chunks with links were loaded meanwhile, because a better route may exist then.
local function find(finder, sx, sy, gx, gy, options)
  if type(options) == "table" and rawget(options, "partial") ~= nil then
    return find_partial(finder, sx, sy, gx, gy, options)
  end
  local world = core.part_of(finder, WORLD)
  local version, route, why, is_rough
  repeat
    local search = begin(finder, sx, sy, gx, gy, options) -- counts a changed field as an edit of the world
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
      search, is_rough = search_roughly(finder, sx, sy, gx, gy, options)
    end
    route, why = search:route()
    search:close()
  until world:version() == version
  if not route then
    return nil, why
  end
  asked[route] = {
    finder = finder, gx = gx, gy = gy, options = options and copy(options, {}),
    version = version,
  }
  local index, range = reached_of(finder, route, gx, options)
  core.take_route(route, nil, is_rough and range == 0)
  return route, why or index
end

-- Finds a route for a query with the option `partial`. If the goal cannot be reached, the route leads to the nearest
-- reachable cell: the function finds the least range for which a route exists, and the cheapest route with this
-- range. Distances are measured like the query's range: from the nearest cell that the unit covers or, without a
-- range, from its north-west cell.
function find_partial(finder, sx, sy, gx, gy, options)
  local plain = copy(options, {})
  plain.partial = nil
  if type(options.partial) ~= "boolean" then
    fail("partial must be a boolean, got %s", describe(options.partial))
  end
  local route, why = find(finder, sx, sy, gx, gy, plain)
  if route or not options.partial or why == "start blocked" or why == "not loaded" then
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
  state.gx, state.gy, state.options = gx, gy, copy(options, {})
  state.is_nearest, state.waits_since, state.why = true, state.version, why
  core.take_route(nearest, nil, nearest.status == "running", true)
  return nearest, why
end

--- finder:find_route(sx, sy, gx, gy [, options]) --> route [, "not loaded"] | nil, reason
-- finder:find_route(sx, sy, goals [, options]) --> route, index or "not loaded" | nil, reason
function calls.find_route(finder, sx, sy, gx, gy, options)
  if type(gx) ~= "table" then
    return find(finder, sx, sy, gx, gy, plain_options(options, OF_ROUTES))
  elseif options ~= nil then
    fail("find_route takes 4 arguments with a list of goals, got %s as argument 5", describe(options))
  end
  gy = check_query(gy)
  local list, plain, flees = asked_of(finder, sx, sy, gx, gy)
  local route, why = find(finder, sx, sy, list, nil, plain)
  if flees and (why == "goal blocked" or type(why) == "number") then why = not route and "unreachable" or nil end
  return route, why
end

--- finder:find_nearest(sx, sy, goals [, options]) --> route, index | nil, reason
function calls.find_nearest(finder, sx, sy, goals, options)
  options = check_query(options)
  for _, name in ipairs { "partial", "flee" } do
    if options and options[name] then fail("find_nearest of a world has no option %s: use find_route", name) end
  end
  local list = goals_of(goals, options and rawget(options, "range"))
  local route, index = find(finder, sx, sy, list, nil, copy(options, { exact = true, partial = nil }))
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

-- Returns the path of the next stretch of a route. If a number is given, returns the path of that many stretches and
-- does not advance the route.
local function walk(route, ...)
  local path, why = core.route_next(route, ...)
  if path then
    local finder = core.part_of(route, FINDER)
    stretches[path] = { finder = finder, from = 1, version = core.part_of(finder, WORLD):version() }
  end
  return path, why
end

-- Continues the search for a better route from the end of the last stretch, and takes that route once it is found.
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

-- Searches a route again from the end of its last stretch, replaces the rest of the route, and returns the next
-- stretch.
local function ask_anew(route, state)
  local world, x, y = core.part_of(state.finder, WORLD), route.x, route.y
  if state.waits_since == world:version() then
    return nil, state.why
  end
  local anew, why = find(state.finder, x, y, state.gx, state.gy, state.options)
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
  if not state or state.is_nearest and state.options.max_cost then -- the rest of max_cost is not known
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

-- Returns true if a link leads from one cell to another and no block bars its end.
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

-- Returns the index of the last cell of the straight line of a path that starts at cell `index` and contains no link.
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

--- path:is_valid([from]) for a stretch. Returns the index of the first cell that cannot be entered, 0 if all can be
-- entered.
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

-- Passes on the results of a call. Errors about arguments are returned as false and a message without the line of this
-- file. Errors that callbacks raise are passed on unchanged.
local function hand_on(ok, problem, ...)
  if ok then
    return problem, ...
  end
  local told = type(problem) == "string" and problem:match "^[^\n]*world.routes%.lua:%d+: (.*)$"
  if told then
    return false, told
  end
  return errors.give(ok, problem)
end

--- Calls the function `name` for the C module. Returns its results, or false and an error message.
return function(name, ...)
  return hand_on(pcall(calls[name], ...))
end
