-- scripts.lua -- Calls the callbacks that a script passes with a Tiled map.
--
-- An error that a callback raises is not a fault of the map. It reaches the script unchanged, without the line at which
-- errors of astar.tiled are raised.

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
