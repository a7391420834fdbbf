-- checks.lua -- checks of arguments that scripts pass: numbers, options, lists, results of callbacks.
--
-- The C module and its twin in plain Lua both use these checks, so their error messages are the same. A check that
-- fails calls `fail` with the message, and `fail` raises the error.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local describe = require(FOLDER .. ".describe")
local later = require(FOLDER .. ".later")
local plain_options = require(FOLDER .. ".plain_options")

local floor, huge = math.floor, math.huge

-- Returns a hint of names.lua, such as the name that a misspelt name was meant to be. Returns "" if names.lua cannot be
-- loaded, because the error is raised without a hint then.
local function meant(...)
  local ok, give = pcall(later, FOLDER .. ".names")
  return ok and give(...) or ""
end

local function is_among(name, names)
  for _, each in ipairs(names) do
    if each == name then return true end
  end
  return false
end

local function list_of(names, joint)
  local quoted = {}
  for i, name in ipairs(names) do quoted[i] = '"' .. name .. '"' end
  local last = table.remove(quoted)
  return #quoted == 0 and last or table.concat(quoted, ", ") .. joint .. last
end

local function is_place(key, most)
  return type(key) == "number" and key >= 1 and key <= most and key % 1 == 0
end

-- Maps the type of an object to the hint for a script that reads the object by a number, as in grid[1].
local BY_NUMBER = {
  ["astar grid"] = ": grid:get(x, y)", ["astar field"] = ": field:get(x, y)", ["astar flow"] = ": flow:distance(x, y)",
  ["astar crowd"] = ": crowd:units() is a list of the units",
}

--- Returns a table of the checks. They call fail(message, ...) to raise an error.
return function(fail)
  local checks = { describe = describe, fail = fail }

  -- Checks of objects.

  --- Raises the error for a value that is not an object of the type `title`, such as "astar grid". `method` is the name
  -- of the method that was called with this value, or nil if that is not known.
  function checks.kind(value, title, method)
    local hint = meant(value, {}, title)
    local kind = type(value)
    if hint == "" and method and kind ~= "userdata" and getmetatable(value) ~= "astar" and kind ~= "function" then
      hint = (": a method is called with a colon, %s:%s(...)"):format(title:match "%S+$", method)
    end
    fail("%s expected, got %s%s", title, describe(value), hint)
  end

  --- Raises the error for a field that objects of the type `title` do not have. `names` lists the fields that they do
  -- have.
  function checks.no_field(title, key, names)
    local hint = type(key) == "number" and BY_NUMBER[title] or meant(key, names)
    fail("%s has no field %s%s", title, describe(key), hint)
  end

  --- Returns the hint to put braces around a name that was passed in place of a list of names.
  function checks.in_braces(value) return type(value) == "string" and (": { %s }"):format(describe(value)) or "" end

  --- Raises the error for setting the field `key` of an object of the type `title`.
  function checks.read_only(title, key, names)
    local hint = meant(key, names, "set of " .. title)
    if hint == "" and not is_among(key, names) then
      hint = ": keep your own data in a table with weak keys, indexed by the object"
    end
    fail("%s is read-only, %s cannot be set%s", title, describe(key), hint)
  end

  -- Checks of single arguments.

  --- Raises the error for the argument `extra` of a function that takes `most` arguments. `at` is the number of the
  -- argument, `most` + 1 by default.
  function checks.too_many(name, most, extra, at)
    local count = most == 0 and "no arguments" or most == 1 and "1 argument" or ("%d arguments"):format(most)
    fail("%s takes %s, got %s as argument %d%s", name, count, describe(extra), at or most + 1, meant(extra, {}, name))
  end

  --- Returns the value if it is an integer from `least` to `most`, else raises an error.
  function checks.whole(value, least, most, name)
    if type(value) == "number" and value >= least and value <= most and value % 1 == 0 then return floor(value) end
    fail("%s must be an integer from %s to %s, got %s%s", name, describe(least), describe(most), describe(value),
      meant(value, {}, name, least))
  end

  --- Returns the value if it is a number from `least` to `most`, else raises an error.
  function checks.real(value, least, most, name)
    if type(value) == "number" and value >= least and value <= most then return value end
    fail("%s must be a number from %s to %s, got %s", name, describe(least), describe(most), describe(value))
  end

  --- Returns the cost of a terrain as a number; math.huge if the terrain cannot be entered.
  function checks.cost(value, name)
    if value == false or value == huge then
      return huge
    elseif type(value) == "number" and value >= 0.001 and value <= 1e6 then
      return value
    end
    fail("%s must be a number from 0.001 to 1000000, math.huge or false, got %s", name, describe(value))
  end

  --- Returns the name of a layer of blocks if it is a string of at most 255 bytes, else raises an error. `what` is the
  -- name of the argument in the error message.
  function checks.layer(name, what)
    local is_text = type(name) == "string"
    if is_text and #name <= 255 then return name end
    fail("%s must be a string%s, got %s", what, is_text and " of at most 255 bytes" or "", describe(name))
  end

  --- Raises the error for a name that no layer has. `names` lists the layers of the grid. `is_closed` is true if the
  -- grid was made with the option layers and cannot get more of them.
  function checks.no_layer(name, is_closed, names)
    local hint = meant(name, names)
    if not hint:find "^ %(did you mean" then hint = "" end
    fail("unknown layer %s%s: %s", describe(name), hint, is_closed and "the grid was made with its layers, "
      .. list_of(names, " and ") or "no block was ever in it, and no finder has named it; "
      .. "name it in the grid's option layers")
  end

  -- Checks of the values that callbacks return.

  --- Raises the error for the cost `said` that the callback `name` returned for a cell. The cost is not a number
  -- above 0, is less than `least` (`bound` is the name of this limit, such as "min_cost"), or more than `most`.
  function checks.answer(name, said, x, y, bound, least, most)
    local is_cost = type(said) == "number" and said > 0
    local cure = bound == "min_cost" and is_cost and said >= 0.001
      and (": give the finder min_cost = %s%s"):format(describe(said), name == "cost" and "" or " or less") or ""
    fail("%s callback returned %s for (%d, %d)%s", name, describe(said), x, y,
      not is_cost and "; expected a number > 0, or false for no entry"
      or said < least and ", less than " .. bound .. " " .. describe(least) .. cure
      or "; expected at most " .. describe(most))
  end

  --- Raises the error for a callback that returned no value, because a `return` was probably forgotten. Returning nil
  -- or false is no error: it means that the cell cannot be entered.
  function checks.no_answer(name, _, x, y)
    fail("%s callback returned nothing for (%d, %d): return a number, or false for no entry", name, x, y)
  end

  --- Raises the error for a callback `cost` of a graph that returned no value for the edge from node a to node b.
  function checks.no_edge_answer(_, a, b)
    fail("cost callback returned nothing from %s to %s: return a number, or false if the edge is closed", describe(a),
      describe(b))
  end

  --- Raises the error for the cost `said` that the callback `cost` of a graph returned for the edge from node a to node
  -- b. `own` is the cost of the edge without the callback, `least` the least cost that the callback may return.
  function checks.edge_answer(said, a, b, own, least)
    local is_less = type(said) == "number" and said >= 0 and said < least
    fail("cost callback returned %s from %s to %s%s", describe(said), describe(a), describe(b),
      not is_less and "; expected a number from 0 to 1e15, or false if it is closed"
      or ", less than " .. describe(least)
      .. (least == own and ", the edge's own; the option dearer_only promises more"
      or ", the distance by the cheapest edge's cost per length; the option min_cost allows less"))
  end

  -- Checks of options.

  --- Checks that all keys of a table of options are in the list `names`. Returns the options without a metatable, see
  -- plain_options.lua, because callers read them with rawget. `more(name, value)` returns a text to add to the error
  -- about an unknown name that resembles no name in the list.
  function checks.options(options, names, more)
    local is_module = type(options) == "table" and rawget(options, "_VERSION") and rawget(options, "implementation")
    if type(options) ~= "table" or is_module then
      fail("options must be a table, got %s%s", describe(options), meant(options, names, "options"))
    end
    options = plain_options(options, names)
    local unknown -- the first unknown name in alphabetical order, because the order of a table differs from run to run
    for name in entries, options do
      if type(name) ~= "string" then
        fail("unknown option %s", describe(name))
      elseif not is_among(name, names) and (not unknown or name < unknown) then
        unknown = name
      end
    end
    if not unknown then return options end
    local hint = meant(unknown, names)
    if hint == "" then
      hint = "; there are " .. list_of(names, " and ") .. (more and more(unknown, rawget(options, unknown)) or "")
    end
    fail("unknown option %s%s", describe(unknown), hint)
  end

  --- Returns the value of an option or argument if it is one of the strings in `names`, else raises an error.
  function checks.one_of(value, option, names)
    if type(value) == "string" and is_among(value, names) then return value end
    fail("%s must be %s, got %s%s", option, list_of(names, " or "), describe(value), meant(value, names, option))
  end

  --- Returns the value of an option that must be one of the strings in `names`. Returns `otherwise` if the option is
  -- not given.
  function checks.choice(options, option, names, otherwise)
    local value = rawget(options, option)
    if value == nil then return otherwise end
    return checks.one_of(value, option, names)
  end

  --- Returns the value of an option that must be a boolean; `otherwise` if the option is not given.
  function checks.flag(options, name, otherwise)
    local value = rawget(options, name)
    if value == nil then return otherwise end
    return checks.one_flag(value, name)
  end

  --- Returns the value of the option `name` if it is a boolean, else raises an error.
  function checks.one_flag(value, name)
    if type(value) == "boolean" then return value end
    fail("%s must be a boolean, got %s", name, describe(value))
  end

  -- Checks of lists.

  --- Returns a key of a table, as errors show it, that is neither an integer from 1 to `most` nor the key `also`. If
  -- there are several such keys, returns the least number, or else the first string. Returns nil if there is no such
  -- key.
  function checks.stray(list, most, also)
    local stray, found
    for key in entries, list do
      if not (is_place(key, most or huge) or also and key == also) then
        local is_alike = type(key) == type(stray) and (type(key) == "number" or type(key) == "string")
        local before = found == nil or is_alike and key < stray or type(key) == "number" and not is_alike
        if before then stray, found = key, true end
      end
    end
    return found and describe(stray) or nil
  end

  --- Returns the number of entries of a list. In a list with gaps, counts the entries before the first gap and one
  -- more, so that a caller that reads each entry meets the nil and refuses it.
  function checks.length(list)
    local length, count = 0, 0
    while rawget(list, length + 1) ~= nil do length = length + 1 end
    for key in entries, list do
      if is_place(key, huge) then count = count + 1 end
    end
    return count > length and length + 1 or length
  end

  return checks
end
