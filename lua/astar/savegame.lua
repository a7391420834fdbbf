-- savegame.lua -- lists of values as strings, for what saves itself in Lua: any Lua reads them, in any locale.
--
-- A number is a whole one times a power of two, in decimal digits, so that it comes back to the last bit. Where Lua
-- tells floats from integers, from 5.3 on, they are marked "r", so 4.0 is another string there than by LuaJIT. A
-- hash of all before it ends the string, so that damage is found. What was forged comes through: who loads a list
-- looks at each value.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local numbers = require(FOLDER .. ".numbers")

local floor, huge, byte, tostring = math.floor, math.huge, string.byte, tostring
local type_of_number = math.type or function() end -- whether it is an integer, where Lua knows

local savegame = {}

-- Whole numbers stay exact in doubles: none is as large as 31 * 2 ^ 32 + 256.
local HASH_FACTOR, HASH_MODULUS, HASH_LENGTH = 31, 2 ^ 32, 10

local function hash_of(text, length)
  local hash = 7
  for at = 1, length do
    hash = (hash * HASH_FACTOR + byte(text, at)) % HASH_MODULUS
  end
  return ("%010.0f"):format(hash)
end

-- ---- values ----

local MOST_HALVINGS = 1074 -- of the least number that there is

local function save_number(value)
  if value ~= value then return "z" end
  if value == huge then return "i" elseif value == -huge then return "j" end
  if value == 0 and ("%.0f"):format(value):sub(1, 1) == "-" then return "m" end -- no 1 / 0: hosts may trap it
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

-- The value at a place of the text and where the next one is; false: there is none.
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

-- ---- lists ----

--- The first `count` values of a list as a string: numbers, strings, booleans and nil. kind: what is saved, a word.
function savegame.seal(kind, list, count)
  local parts = { "astar ", kind, " 1\n", "d" .. count .. ";" }
  for i = 1, count do parts[i + 4] = save_value(list[i]) end
  local text = table.concat(parts)
  return text .. hash_of(text, #text)
end

--- The list that such a string holds, and how many values; nil: it is none, or damaged.
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

--- Returns what an error says of a text that is no dump of that kind, and may be the name of a file.
function savegame.refusal(kind, text)
  local is_name = #text < 256 and text:find "^[^%c]+%.%w+$"
  local hint = is_name and ": pass what the file holds, not its name" or ""
  return ("not a %s's dump, or a damaged one%s"):format(kind, hint)
end

return savegame
