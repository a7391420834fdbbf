-- describe.lua -- returns the text for a value in an error message, such as `"abc"`, `3.5`, `a table` or `astar grid`.
--
-- All files in Lua and the C module name values in this way, so that their error messages are alike.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local numbers = require(FOLDER .. ".numbers")

local function describe_number(number)
  if number ~= number then
    return "nan" -- some C libraries print "-nan"
  end
  local text = numbers.write(number, "%.14g")
  -- 14 digits are enough to recognize a fraction. An integer may be a limit that a message names, so all its digits
  -- are kept.
  return number % 1 == 0 and numbers.read(text) ~= number and numbers.write(number) or text
end

-- Returns the string in quotation marks. A long string is cut to 40 characters, so that the message fits a console.
local function describe_string(text)
  if #text > 40 then
    text = text:sub(1, 37) .. "..."
  end
  return '"' .. text:gsub("%c", "?") .. '"'
end

-- Types of objects with a second word after "astar" and the first one.
local LONG = {
  ["astar baked data"] = true, ["astar graph finder"] = true, ["astar graph path"] = true,
  ["astar graph reach"] = true, ["astar graph search"] = true, ["astar resolving job"] = true,
  ["astar route search"] = true, ["astar world finder"] = true,
}

-- True while describe_userdata calls tostring. A script can give an object the metatable of another type; the tostring
-- of that type then raises an error that describes the object, and without this flag the two would call each other
-- without end.
local is_asked = false

local function describe_userdata(value)
  if getmetatable(value) == "astar" and not is_asked then
    is_asked = true
    local ok, text = pcall(tostring, value)
    is_asked = false
    if not ok and text == "not enough memory" then error(text, 0) end
    local long = ok and text:match "^astar %a+ %a+"
    return long and LONG[long] and long or ok and text:match "^astar %a+" or "userdata"
  end
  return io and io.type(value) and "FILE*" or "userdata" -- `io` is nil on hosts that leave it out
end

-- Returns true if a value is the table that require "astar" returns. A function receives this table as an argument if
-- it was called with a colon, as in astar:grid(...).
local function is_module(value)
  return type(value) == "table" and rawget(value, "_VERSION") ~= nil and rawget(value, "implementation") ~= nil
end

local function describe(value)
  local kind = type(value)
  if is_module(value) then
    return "the module astar: call its functions with a dot, astar.grid(...)"
  end
  if kind == "table" and getmetatable(value) == "astar" then -- an object of the twin in plain Lua is a table
    kind = "userdata"
  end
  if kind == "number" then
    return describe_number(value)
  elseif kind == "string" then
    return describe_string(value)
  elseif kind == "nil" or kind == "boolean" then
    return tostring(value)
  elseif kind == "userdata" then
    return describe_userdata(value)
  end
  return "a " .. kind
end

return describe
