-- savegame.lua -- writes a list of values as a string and reads it back, for objects written in Lua such as walkers.
--
-- Every version of Lua reads such a string, in every locale. A number is written as an integer and a power of two,
-- both in decimal digits, so every bit is restored. Lua 5.3 and later distinguish floats from integers: they mark
-- floats with "r", so 4.0 gives another string in these versions than in LuaJIT. The string ends with a hash of its
-- contents, by which damage is detected. A forged string with a right hash is not detected, so the functions that
-- load a list must check each value.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local numbers = require(FOLDER .. ".numbers")

local floor, huge, byte, tostring = math.floor, math.huge, string.byte, tostring
local type_of_number = math.type or function() end -- "integer" or "float"; nil before Lua 5.3

local savegame = {}

-- A polynomial hash. All its numbers are less than 31 * 2^32 + 256, so they are exact as doubles. HASH_LENGTH is the
-- number of decimal digits.
local HASH_FACTOR, HASH_MODULUS, HASH_LENGTH = 31, 2 ^ 32, 10

local function hash_of(text, length)
  local hash = 7
  for at = 1, length do
    hash = (hash * HASH_FACTOR + byte(text, at)) % HASH_MODULUS
  end
  return ("%010.0f"):format(hash)
end

-- Single values.

local MOST_HALVINGS = 1074 -- greatest power of two in a string: the smallest double above 0 is 2^-1074

local function save_number(value)
  if value ~= value then return "z" end
  if value == huge then return "i" elseif value == -huge then return "j" end
  -- Minus zero is recognized by its text, because a host may trap the division 1 / 0.
  if value == 0 and ("%.0f"):format(value):sub(1, 1) == "-" then return "m" end
  local power, mark = 0, type_of_number(value) == "float" and "r" or "d"
  while value ~= floor(value) do
    value, power = value * 2, power + 1
  end
  local digits = type_of_number(value) == "integer" and tostring(value) or ("%.0f"):format(value)
  return power == 0 and mark .. digits .. ";" or ("%s%sp%d;"):format(mark, digits, power)
end

local function save_value(value)
  local kind = type(value)
  if kind == "number" then return save_number(value) end
  if kind == "string" then return "s" .. #value .. ":" .. value end
  if kind == "boolean" then return value and "t" or "f" end
  return "z"
end

local CONSTANTS = { z = {}, t = { true }, f = { false }, i = { huge }, j = { -huge }, m = { -1 / huge } }

-- Reads the value at the byte `at` of a text. Returns the byte where the next value begins, and the value. Returns
-- false if there is no valid value.
local function load_value(text, at)
  local mark = text:sub(at, at)
  local constant = CONSTANTS[mark]
  if constant then
    return at + 1, constant[1]
  elseif mark == "s" then
    local length, from = text:match("^(%d+):()", at + 1)
    length = numbers.whole(length)
    if not length or length > #text - from + 1 then return false end
    return from + length, text:sub(from, from + length - 1)
  end
  local digits, power, next_at = text:match("^(%-?%d+)p?(%d*);()", at + 1)
  local value = numbers.whole(digits)
  power = numbers.whole(power) or 0
  if not value or power > MOST_HALVINGS or mark ~= "d" and mark ~= "r" then return false end
  if power > 0 then value = value * 2 ^ -power end
  return next_at, mark == "r" and value + 0.0 or value
end

-- Lists of values.

--- Returns the first `count` values of a list as a string. The values are numbers, strings, booleans or nil. `kind` is
-- the kind of object that is saved, such as "walker"; it becomes part of the string.
function savegame.seal(kind, list, count)
  local parts = { "astar ", kind, " 1\n", "d" .. count .. ";" }
  for i = 1, count do parts[i + 4] = save_value(list[i]) end
  local text = table.concat(parts)
  return text .. hash_of(text, #text)
end

--- Returns the list in a string that `seal` made for this kind of object, and the number of its values. Returns nil
-- if the string was not made by `seal` or is damaged.
function savegame.unseal(kind, text)
  local head, length = "astar " .. kind .. " 1\n", #text - HASH_LENGTH
  if text:sub(1, #head) ~= head or text:sub(length + 1) ~= hash_of(text, length) then return nil end
  text = text:sub(1, length)
  local at, count = load_value(text, #head + 1)
  local list, i = {}, 0
  while at and at <= length do
    i = i + 1
    at, list[i] = load_value(text, at)
  end
  if not at or i ~= count then return nil end
  return list, count
end

--- Returns the error message for a text that `unseal` could not read. If the text looks like the name of a file, the
-- message says to pass the contents of the file.
function savegame.refusal(kind, text)
  local is_name = #text < 256 and text:find "^[^%c]+%.%w+$"
  local hint = is_name and ": pass what the file holds, not its name" or ""
  return ("not a %s's dump, or a damaged one%s"):format(kind, hint)
end

return savegame
