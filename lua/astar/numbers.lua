-- numbers.lua -- numbers as text and back, the same in every locale.
--
-- A host may set a locale whose decimal point is a comma. Then string.format writes "1,5", and tonumber of Lua 5.1 and
-- 5.2 does not read "1.5". What is saved, read from a file or told in an error is always written with a point: every
-- file of this folder writes and reads numbers here, but for digits alone, which are the same everywhere.

local numbers = {}

-- Returns the decimal point of the locale. A host may change it at any time.
local function point_of_locale()
  return ("%.1f"):format(0.5):sub(2, -2)
end

-- Returns the text with its first `old`, no pattern, in another's place.
local function with_point(text, old, new)
  local first, last = text:find(old, 1, true)
  return first and text:sub(1, first - 1) .. new .. text:sub(last + 1) or text
end

--- A number as text, by a format of one number: "%.17g", which any Lua reads back to the last bit, unless it is given.
function numbers.write(number, format)
  local text, point = (format or "%.17g"):format(number), point_of_locale()
  return point == "." and text or with_point(text, point, ".")
end

--- The number that a text stands for in decimal digits, with a point if with any; nil where it is none.
function numbers.read(text)
  local mantissa, exponent = text:match "^[+-]?([%d.]+)(.*)$"
  local has_digits = mantissa and mantissa:find "^%d*%.?%d*$" and mantissa:find "%d"
  if not has_digits or exponent ~= "" and not exponent:find "^[eE][+-]?%d+$" then
    return nil
  end
  return tonumber(text) or tonumber(with_point(text, ".", point_of_locale()))
end

--- The number of digits alone, or nil.
numbers.whole = tonumber

return numbers
