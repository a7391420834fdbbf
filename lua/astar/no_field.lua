-- no_field.lua -- what is written in Lua refuses fields that it has none of, in the words of the C module's errors.
--
-- Both guards are asked only for what is not there: what is costs nothing more.

local entries = next -- LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")

local meant, rawset = core.meant, rawset

-- Lua and tools ask any value for names that begin with a line.
local function is_of_tools(key)
  return type(key) == "string" and key:sub(1, 1) == "_"
end

-- What may have been meant: the names in the list, and those in the table, of values of a type if that is given.
local function names_of(list, values, kind)
  local names = {}
  for name, value in entries, values do
    if type(name) == "string" and type(value) == (kind or type(value)) and not is_of_tools(name) then
      names[#names + 1] = name
    end
  end
  table.sort(names) -- the order of the table differs from run to run
  for name in list:gmatch "%S+" do names[#names + 1] = name end
  return names
end

local function message(title, key, names)
  return ("%s has no field %s%s"):format(title, describe(key), meant(key, names))
end

local no_field = {}

--- Has the objects of a class, a table of its methods, refuse all fields but these: two lists of names, of those that
-- scripts may know and of the others.
function no_field.of_class(class, title, public, private)
  local known = {}
  for name in (public .. " " .. private):gmatch "%S+" do known[name] = true end

  class.__index = class
  setmetatable(class, {
    __index = function(_, key)
      if not known[key] and not is_of_tools(key) then
        error(message(title, key, names_of(public, class, "function")), 2)
      end
    end,
  })
  function class.__newindex(object, key, value)
    if known[key] then
      return rawset(object, key, value)
    end
    local problem = message(title, key, names_of(public, class, "function"))
    if rawget(class, key) then
      problem = ("%s: %s cannot be set"):format(title, describe(key))
    elseif problem:sub(-2) ~= "?)" then
      problem = problem .. ": keep your own data in a table by object, of weak keys"
    end
    error(problem, 2)
  end
end

--- Has a module refuse all fields but those it has, and those that `find` returns a value of. Numbers are nil. Names in
-- `settable`, a set, may be set later. Returns the module.
function no_field.of_module(module, title, find, settable)
  local function names()
    local list = ""
    for name in entries, settable or {} do list = list .. " " .. name end
    return names_of(list, module)
  end
  local metatable = getmetatable(module) or {}
  function metatable.__index(_, key)
    local value = find and find(key)
    if value == nil and type(key) ~= "number" and not is_of_tools(key) then
      error(message(title, key, names()), 2)
    end
    return value
  end
  function metatable.__newindex(_, key, value)
    if not (settable and settable[key]) then
      error(message(title, key, names()), 2)
    end
    rawset(module, key, value)
  end
  return setmetatable(module, metatable)
end

return no_field
