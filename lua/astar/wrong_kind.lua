-- wrong_kind.lua -- what is said where a world, a graph or what comes of one is given to what is of grids.

local HINTS = {
  ["path expected, got astar graph path"] = "it has no cells, walk it from node to node",
  ["path expected, got astar route"] = "route:path() is what is left of it",
  ["grid expected, got astar world"] = "world:window(x, y, w, h) is a grid of a part of it",
  ["grid expected, got astar graph"] = "a graph has no cells",
  ["finder expected, got astar world finder"] = "world:window(x, y, w, h):finder() is one of a part of it",
  ["finder expected, got astar graph finder"] = "a graph has no cells",
  ["finder expected, got astar joined graph"] = "a graph has no cells",
}

--- The message of such an error, with what helps. `value`: what was given.
return function(message, value)
  if type(message) ~= "string" then return message end
  if type(value) == "table" and rawget(value, "arrival") then
    return message:gsub("a table$", "astar timed path: timed:place(time) is where it is") .. ""
  end
  if type(value) == "table" and rawget(value, "path") and rawget(value, "index") then
    return message:gsub("a table$", "astar walker: walker.path is its path") .. ""
  end
  local hint = HINTS[message:match "astar (%l+ expected, got astar [%l ]+)$"]
  return hint and message .. ": " .. hint or message
end
