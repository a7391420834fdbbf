-- numbers.lua -- converts numbers to text and back, in the same way in every locale.
--
-- A host may set a locale whose decimal point is a comma. Then string.format writes "1,5", and tonumber of Lua 5.1 and
-- 5.2 does not read "1.5". Saved games, files and error messages must always have a point. Therefore every file of this
-- folder converts numbers with these functions. Only integers are converted directly, because their digits are the same
-- in every locale.

local numbers = {}

-- Returns the decimal point of the current locale. The result is not kept, because a host may change the locale at any
-- time.
local function point_of_locale()
  return ("%.1f"):format(0.5):sub(2, -2)
end

-- Returns the text with `new` in place of the first `old`. Both are plain text, not patterns.
local function with_point(text, old, new)
  local first, last = text:find(old, 1, true)
  return first and text:sub(1, first - 1) .. new .. text:sub(last + 1) or text
end

--- Returns a number as text in a format of string.format. The default format "%.17g" keeps every bit of the number.
function numbers.write(number, format)
  local text, point = (format or "%.17g"):format(number), point_of_locale()
  return point == "." and text or with_point(text, point, ".")
end

--- Returns the number that a text contains in decimal digits, such as "-1.5e3", or nil if the text is no such number.
function numbers.read(text)
  local mantissa, exponent = text:match "^[+-]?([%d.]+)(.*)$"
  local has_digits = mantissa and mantissa:find "^%d*%.?%d*$" and mantissa:find "%d"
  if not has_digits or exponent ~= "" and not exponent:find "^[eE][+-]?%d+$" then
    return nil
  end
  return tonumber(text) or tonumber(with_point(text, ".", point_of_locale()))
end

--- Returns the number that a text of digits alone contains, or nil. tonumber reads such a text in every locale.
numbers.whole = tonumber

return numbers
