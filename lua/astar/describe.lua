-- describe.lua -- names a value in an error message, in the words of the C module's errors.

local function describe_number(number)
  if number ~= number then
    return "nan" -- some C libraries print "-nan"
  end
  local text = ("%.14g"):format(number)
  return number % 1 == 0 and tonumber(text) ~= number and ("%.17g"):format(number) or text -- a limit is told in full
end

-- A long string is cut: the message has to fit a console.
local function describe_string(text)
  if #text > 40 then
    text = text:sub(1, 37) .. "..."
  end
  return '"' .. text:gsub("%c", "?") .. '"'
end

local function describe_userdata(value)
  if getmetatable(value) == "astar" then
    return tostring(value):match("^astar %a+")
  end
  return io and io.type(value) and "FILE*" or "userdata" -- a host may leave out io
end

local function describe(value)
  local kind = type(value)
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
