-- no_field.lua -- makes classes and modules written in Lua raise an error for a field that they do not have.
--
-- The error messages are those of the C module's objects. Both functions below set __index and __newindex, which Lua
-- calls only for a field that a table does not have. Therefore reading a field that exists takes no extra time.

local entries = next -- another name, because LuaJIT may end loops over pairs or next early, see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local core = require(FOLDER .. ".load_core")
local describe = require(FOLDER .. ".describe")

local meant, rawset = core.meant, rawset

-- Returns true for keys that begin with an underscore. Lua and tools such as debuggers read such keys of any value,
-- so reading them gives nil and raises no error.
local function is_of_tools(key)
  return type(key) == "string" and key:sub(1, 1) == "_"
end

-- Returns the names to choose from for a hint: the keys of a table, then the names in the text `list`. If `kind` is
-- given, only keys whose value has this type count.
local function names_of(list, values, kind)
  local names = {}
  for name, value in entries, values do
    if type(name) == "string" and type(value) == (kind or type(value)) and not is_of_tools(name) then
      names[#names + 1] = name
    end
  end
  table.sort(names) -- because the order of a table differs from run to run
  for name in list:gmatch "%S+" do names[#names + 1] = name end
  return names
end

local function message(title, key, names)
  return ("%s has no field %s%s"):format(title, describe(key), meant(key, names))
end

local no_field = {}

--- Makes the objects of a class raise an error for unknown fields. `class` is the table of its methods, which becomes
-- the metatable of the objects; `title` is the name of the type in errors. `public` and `private` are texts with the
-- names of the fields that objects may have. Hints in errors suggest only public fields and methods.
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
      problem = problem .. ": keep your own data in a table with weak keys, indexed by the object"
    end
    error(problem, 2)
  end
end

--- Makes a module raise an error for unknown fields, and returns the module. If a field is missing, `find(key)` may
-- return a value for it. A number as key is no error and gives nil. Only fields in the set `settable` can be set later.
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
