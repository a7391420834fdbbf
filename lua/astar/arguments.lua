-- arguments.lua -- arguments of what makes something, checked for the C module.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local checks_of = require(FOLDER .. ".checks")
local make_grid = require(FOLDER .. ".make_grid")

-- What is wrong is raised by the C module, at the line of the script.
local PROBLEM = {}

local function fail(message, ...)
  error(setmetatable({ select("#", ...) > 0 and message:format(...) or message }, PROBLEM), 0)
end

local read = make_grid.reader(checks_of(fail))

local function give(ok, first, ...)
  if ok then return first, ... end
  if getmetatable(first) ~= PROBLEM then error(first, 0) end
  return false, first[1]
end

--- What the arguments of a function of that name come to; false and what is wrong with one.
return function(name, ...) return give(pcall(read[name], ...)) end
