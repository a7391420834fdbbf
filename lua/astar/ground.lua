-- ground.lua -- the finder that counts the ground alone, for finder:cost_of and the option `count` of finder:reach.
--
-- This finder has the options of another finder, but avoids no field. The first call that needs it makes it, and it
-- exists as long as the other finder.

local kept = setmetatable({}, { __mode = "k" })

--- Returns the finder with the same options as `finder`, but without `avoid`. `parts` is what the C module stores
-- with the finder: entry 1 is its grid. If a script has replaced entry 1, returns false and a message.
return function(_, finder, parts)
  local made = kept[finder]
  if made then return made end
  local grid = parts[1]
  if grid == nil then
    return false, "debug.setuservalue has replaced the data that astar keeps for a finder"
  end
  local options = finder:options()
  options.avoid, options.avoid_weight = nil, nil
  made = grid:finder(options)
  kept[finder] = made
  return made
end
