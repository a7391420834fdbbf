-- question.lua -- The option `schedule` of finder:find_path: passes the query to schedule:find_path.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local core = require(ABOVE .. ".load_core")
local describe = require(ABOVE .. ".describe")
local option_names = require(ABOVE .. ".option_names")
local plain_options = require(ABOVE .. ".plain_options")
local schedule = require(FOLDER .. ".schedule")
local timed_steps = require(FOLDER .. ".steps")
local unknown_option = require(ABOVE .. ".unknown_option")

-- The method schedule:find_path. If it is called with a value that is no schedule, it raises the error for this
-- mistake.
local find_path = schedule(core.grid(1, 1)).find_path

local QUERY = option_names(function(row) return row.of_query end, "schedule", "suppose_blocked")
table.sort(QUERY)

local OF_SCHEDULES = { "at", "length", "max_expansions", "speed", "stay", "tail" }

-- Reads the option `schedule`: a schedule, or a table with a schedule as its first entry and options. Returns the
-- schedule and the options.
local function read_schedule(given)
  if type(given) ~= "table" then return given, {} end
  local first, options = rawget(given, 1), {}
  if first == nil then return given, options end
  for name, value in entries, plain_options(given, OF_SCHEDULES) do
    if name ~= 1 then options[name] = value end
  end
  return first, options
end

local function ask(finder, sx, sy, gx, gy, query)
  local problem = unknown_option(query, QUERY)
  local refused = timed_steps.refused(query)
  if problem or refused then error(problem or "a schedule cannot honour " .. refused, 0) end
  local given = rawget(query, "schedule")
  local asked, options = read_schedule(given)
  if type(asked) ~= "table" then
    error("schedule must be a schedule or a table { schedule, at = }, got " .. describe(given), 0)
  end
  if options.max_expansions == nil then options.max_expansions = rawget(query, "max_expansions") end
  return find_path(asked, finder, sx, sy, gx, gy, options)
end

local function give(ok, first, ...)
  if ok or type(first) ~= "string" and error(first, 0) then return first, ... end
  return false, first
end

--- Answers finder:find_path(sx, sy, gx, gy, { schedule = }). Returns a timed path, or nil and the reason, or false
-- and a message if an argument is wrong.
return function(_, ...) return give(pcall(ask, ...)) end
