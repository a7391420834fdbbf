-- wrong_kind.lua -- improves the error for an object written in Lua that was passed in place of a path.
--
-- To the C module, tickets, timed paths and walkers are plain tables, so its error says only "got a table".

--- Returns an error message in which "a table" is replaced by the type of the value and a hint. `message` is the
-- message of the C module, `value` the value that was passed. Other messages are returned unchanged, but without a
-- hint about colons.
return function(message, value)
  if type(message) ~= "string" then return message end
  -- The hint about a colon is removed, because a file of astar called the method and not the script.
  message = message:gsub(": a method is called with a colon.*", "")
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
