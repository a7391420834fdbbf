-- scripts.lua -- calls the functions that a script gives with a Tiled map.
--
-- What such a function raises is no problem of the map: it reaches the script as it is, without the line that errors of
-- astar.tiled begin with.

local M = {}

-- The metatable of an error on its way to the script: { value = the error }.
M.Raised = {}

--- Returns what f returns, two values; an error of f is raised as { value = the error } with the metatable Raised.
function M.call(f, ...)
  local ok, first, second = pcall(f, ...)
  if not ok then
    error(setmetatable({ value = first }, M.Raised), 0)
  end
  return first, second
end

return M
