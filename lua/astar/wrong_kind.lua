-- wrong_kind.lua -- what is said where one of the tables that are objects is given for a path.

--- The message of such an error, with what helps. `value`: what was given.
return function(message, value)
  if type(message) ~= "string" then return message end
  message = message:gsub(": a method is called with a colon.*", "") -- which was called here, not by the script
  if type(value) == "table" and rawget(value, "queue") and rawget(value, "status") then
    return message:gsub("a table.*$", "astar ticket: ticket:path() is the path, once an update has found it") .. ""
  end
  if type(value) == "table" and rawget(value, "arrival") then
    return message:gsub("a table$", "astar timed path: timed:place(time) is where it is") .. ""
  end
  if type(value) == "table" and rawget(value, "path") and rawget(value, "index") then
    return message:gsub("a table$", "astar walker: walker.path is its path") .. ""
  end
  return message
end
