-- line_width.lua -- Sets LÖVE's line width, and restores it after drawing, for love.lua.
--
-- The line width belongs to the game. A view that left its own width behind would change what the game draws next.

local M = {}

--- Sets the line width. Returns the previous width, or nil if the host cannot return it.
function M.set(love, width)
  local graphics = love.graphics
  local before = graphics.getLineWidth and graphics.getLineWidth()
  graphics.setLineWidth(width)
  return before
end

--- Sets the line width to the result of M.set, unless that was nil.
function M.restore(love, before)
  if before then
    love.graphics.setLineWidth(before)
  end
end

return M
