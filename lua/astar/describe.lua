-- describe.lua -- names a value in an error message, in the words of the C module's errors.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local numbers = require(FOLDER .. ".numbers")

local function describe_number(number)
  if number ~= number then
    return "nan" -- some C libraries print "-nan"
  end
  local text = numbers.write(number, "%.14g")
  return number % 1 == 0 and numbers.read(text) ~= number and numbers.write(number) or text -- a limit is told in full
end

-- A long string is cut: the message has to fit a console.
local function describe_string(text)
  if #text > 40 then
    text = text:sub(1, 37) .. "..."
  end
  return '"' .. text:gsub("%c", "?") .. '"'
end

-- Types whose name is of more than one word.
local LONG = {
  ["astar baked data"] = true, ["astar graph finder"] = true, ["astar graph path"] = true,
  ["astar graph reach"] = true, ["astar graph search"] = true, ["astar resolving job"] = true,
  ["astar route search"] = true, ["astar world finder"] = true,
}

-- Whether an object is being asked what it is: one of another's metatable has an error of its own for that.
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
  return io and io.type(value) and "FILE*" or "userdata" -- a host may leave out io
end

-- Whether a value is what require "astar" returns: its functions were called with a colon.
local function is_module(value)
  return type(value) == "table" and rawget(value, "_VERSION") ~= nil and rawget(value, "implementation") ~= nil
end

local function describe(value)
  local kind = type(value)
  if is_module(value) then
    return "the module astar: call its functions with a dot, astar.grid(...)"
  end
  if kind == "table" and getmetatable(value) == "astar" then -- of the twin in plain Lua
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
