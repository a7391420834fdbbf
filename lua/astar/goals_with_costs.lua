-- goals_with_costs.lua -- find_nearest for a list in which goals have extra costs, { x, y, 5 }.
--
-- The result is the goal whose path and extra cost together cost least. A search for the nearest goal without extra
-- costs gives a lower bound of every path. The other goals are then searched one by one, those with low extra costs
-- first, each with the best sum so far as its limit, until no extra cost is low enough.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local checks_of = require(FOLDER .. ".checks")
local errors = require(FOLDER .. ".errors")

local MOST_EXTRA = 1e9 -- as for the goals of a flow
local ROUNDING = 1e-9 -- sums that differ by less, in proportion, count as equal

local checks = checks_of(errors.fail)

-- The position that errors of this file begin with, up to the line.
local OWN_PLACE = (select(2, pcall(function() error "x" end))):match "^(.-)%d*:? ?x$"

-- Calls a method. Converts the method's errors about arguments, which are raised for the line of this file, to errors
-- of errors.fail.
local function call(method, ...)
  local ok, first, second = pcall(function(...)
    local result, more = method(...) -- no tail call, so that errors have a line of this file
    return result, more
  end, ...)
  if ok then return first, second end
  local is_own = type(first) == "string" and OWN_PLACE ~= "" and first:sub(1, #OWN_PLACE) == OWN_PLACE
  local message = is_own and first:sub(#OWN_PLACE + 1):match "^%d+: (.*)$"
  if message then errors.fail("%s", message) end
  error(first, 0)
end

-- Returns the goals without their extra costs, and the extra costs by the index of their goals.
local function split(goals)
  local cells, extra = {}, {}
  for key, goal in entries, goals do
    local is_plain = type(goal) ~= "table" or rawget(goal, "x") ~= nil or rawget(goal, "y") ~= nil
      or rawget(goal, 3) == nil
    cells[key] = goal
    if not is_plain then
      extra[key] = checks.real(rawget(goal, 3), -MOST_EXTRA, MOST_EXTRA, ("goals[%s][3]"):format(tostring(key)))
      cells[key] = {}
      for name, value in entries, goal do
        if name ~= 3 then cells[key][name] = value end
      end
    end
  end
  return cells, extra
end

local function cell_of(goal)
  local x, y = rawget(goal, "x"), rawget(goal, "y")
  return x == nil and rawget(goal, 1) or x, y == nil and rawget(goal, 2) or y
end

-- Returns true if the first goal is farther north than the second one, or in the same row and farther west.
local function is_before(goal, other)
  local x, y = cell_of(goal)
  local other_x, other_y = cell_of(other)
  return y < other_y or y == other_y and x < other_x
end

local function find(own, finder, sx, sy, goals, options)
  local cells, extra = split(goals)
  local path, index = call(finder.find_nearest, finder, sx, sy, cells, options)
  if not path or path.partial then return path or nil, index end
  own = own or finder:options()
  local weight = options and options.weight or own.weight or 1
  local limit = options and options.max_cost or own.max_cost or math.huge
  local least, total, order = path.cost / weight, path.cost + (extra[index] or 0), {}
  for i = 1, #cells do
    if i ~= index then order[#order + 1] = i end
  end
  table.sort(order, function(a, b)
    local of_a, of_b = extra[a] or 0, extra[b] or 0
    return of_a < of_b or of_a == of_b and a < b
  end)
  for _, i in ipairs(order) do
    local added = extra[i] or 0
    local slack = ROUNDING * math.max(1, math.abs(total))
    if least + added > total + slack then break end
    local gx, gy = cell_of(cells[i])
    local most = math.max(0, math.min(limit, total + slack - added))
    local within = setmetatable({ max_cost = most }, { __index = options })
    local other = call(finder.find_path, finder, sx, sy, gx, gy, within)
    local sum = other and not other.partial and other.cost + added
    if sum and (sum < total - slack or sum <= total + slack and is_before(cells[i], cells[index])) then
      path, index, total = other, i, sum
    end
  end
  return path, index
end

-- Returns the results of find_nearest, or false and a message if an argument is wrong. `own` is a table with max_cost
-- and weight of the finder, or the name of the method if the finder itself returns its options.
return function(own, ...)
  return errors.give(pcall(find, type(own) == "table" and own, ...))
end
