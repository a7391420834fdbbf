-- errors.lua -- raises errors about arguments and files, and lets the public functions recognise them.
--
-- An error about an argument must name the line of the script. The line of the file that found the mistake is of no use
-- to the script. Therefore no function below adds a line: the public function adds the line of its caller.
--
-- `fail` raises a table, by which `message_of` distinguishes an error about an argument from an error of a callback.
-- `raise` raises a text, for functions that call no callbacks.

local errors = {}

-- Metatable of the errors that `fail` raises.
local PROBLEM = {}

--- Raises an error about an argument. `message` is a format of string.format if arguments follow, else plain text.
function errors.fail(message, ...)
  error(setmetatable({ message = select("#", ...) > 0 and message:format(...) or message }, PROBLEM), 0)
end

--- Returns the message of an error that `fail` raised, and nil for any other error.
function errors.message_of(problem)
  return getmetatable(problem) == PROBLEM and problem.message or nil
end

--- Passes on the results of pcall: those of a function that succeeded, or false and the message of an error that `fail`
-- raised. Any other error is raised again unchanged.
function errors.give(ok, first, ...)
  if ok then return first, ... end
  local message = errors.message_of(first)
  if not message then error(first, 0) end
  return false, message
end

--- Raises an error with the text that string.format makes of the arguments.
function errors.raise(message, ...)
  error(message:format(...), 0)
end

--- Calls `f` and returns its result. An error in `f` is raised again at the line of the script that called the public
-- function, which is two levels up.
function errors.at_caller(f, ...)
  local ok, result = pcall(f, ...)
  if not ok then error(result, 3) end
  return result
end

return errors
