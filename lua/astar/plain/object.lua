-- object.lua -- the twin's objects and the checks of what scripts give, in the words of the C module's errors.
--
-- An object is an empty table to scripts: what it holds lies under a key that only this file has. Of a path the
-- length is asked by #, which plain Lua 5.1 and LuaJIT ask of userdata alone: there a path is one.
--
-- An error names the line of the script that called, however deep in here it was found: so `fail` looks for the
-- first function that is not of this folder.

local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local describe = require(ABOVE .. ".describe")
local meant = require(ABOVE .. ".names")

local floor, huge = math.floor, math.huge
local getinfo = rawget(_G, "debug") and debug.getinfo -- Luau has none, a host may leave it out
local HERE = getinfo and getinfo(1, "S").source or ""
HERE = HERE:match "^(.*[/\\])object%.lua$" or HERE -- its folder, or the one file that all was put into

local object = { describe = describe }

local function is_ours(source)
  return source == "=(tail call)" or HERE ~= "" and source:sub(1, #HERE) == HERE
end

--- Raises an error at the script's line.
function object.fail(message, ...)
  local level = 2
  local info = getinfo and getinfo(level, "S")
  while info and is_ours(info.source) do
    level = level + 1
    info = getinfo(level, "S")
  end
  error(select("#", ...) > 0 and message:format(...) or message, getinfo and level or 0)
end

local fail = object.fail

--- For what only the C module does.
function object.lacks(what) fail("%s needs the C module of astar; see docs/platforms.md", what) end

-- ---- classes ----

local PARTS = {} -- the key
local length_of_table = setmetatable({}, { __len = function() return 1 end })
local HAS_LENGTH = #length_of_table == 1
local newproxy = rawget(_G, "newproxy")
local setfenv = rawget(_G, "debug") and debug.setfenv
-- What userdata hold; they keep it alive themselves where they can, so that nothing here keeps them.
local parts_of_userdata = setmetatable({}, { __mode = setfenv and "kv" or "k" })

local function is_of_tools(key) return type(key) == "string" and key:sub(1, 1) == "_" end

-- The names of a class's methods, then its fields.
local function names_of(class)
  local names = {}
  for name in next, class.methods do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(class.fields) do names[#names + 1] = name end
  return names
end

local function is_among(name, names)
  for _, each in ipairs(names) do
    if each == name then return true end
  end
  return false
end

local function no_field(class, key)
  if is_of_tools(key) or is_among(key, class.fields) then return nil end
  fail("%s has no field %s%s", class.title, describe(key), meant(key, names_of(class)))
end

local function refuse_to_set(class, key)
  local hint = meant(key, {})
  if hint == "" and not is_among(key, names_of(class)) then
    hint = ": keep your own data in a table by object, of weak keys"
  end
  fail("%s is read-only, %s cannot be set%s", class.title, describe(key), hint)
end

local function index_of(class)
  local methods, field, item = class.methods, class.field, class.item
  return function(self, key)
    local method = methods[key]
    if method and not (item and class.parts(self).closed) then return method end
    local parts = class.open(self)
    local value
    if item and type(key) == "number" then
      return item(parts, key)
    elseif field then
      value = field(parts, key)
    end
    if value == nil then return no_field(class, key) end
    return value
  end
end

local function metatable_of(class, metatable)
  metatable.__index = index_of(class)
  metatable.__newindex = function(_, key) refuse_to_set(class, key) end
  metatable.__metatable, metatable.__name = "astar", class.title
  function metatable.__tostring(self)
    local parts = class.parts(self)
    return parts.closed and class.title .. " (closed)" or class.tell and class.tell(parts) or class.title
  end
  if class.count then
    function metatable.__len(self) return class.count(class.open(self)) end
  end
  return metatable
end

--- Makes a class of its title, `fields`, a list of names, and functions of what its objects hold: `tell`, `field`,
-- `count`, `item`. Adds: `methods`, to be filled, `new(parts)`, `parts(object)` and `open(object)`, which checks.
function object.class(class)
  local title, short = class.title, class.title:match "%S+$"
  class.methods, class.fields = {}, class.fields or {}
  local of_userdata = class.count and not HAS_LENGTH and newproxy
  local mark = {}

  local function refuse(self) fail("%s expected, got %s", title, describe(self)) end
  if of_userdata then
    local pattern = newproxy(true)
    local metatable = getmetatable(pattern)
    function class.new(parts)
      local self = newproxy(pattern)
      parts[PARTS] = mark
      parts_of_userdata[self] = parts
      if setfenv then setfenv(self, parts) end
      return self
    end
    function class.test(self)
      local parts = self ~= nil and parts_of_userdata[self]
      return parts and parts[PARTS] == mark and parts or nil
    end
    metatable_of(class, metatable)
  else
    local metatable = metatable_of(class, {})
    function class.new(parts) return setmetatable({ [mark] = parts }, metatable) end
    function class.test(self) return type(self) == "table" and rawget(self, mark) or nil end
  end
  local test = class.test
  function class.parts(self) return test(self) or refuse(self) end
  --- Also refuses an argument too many of the method `name`, which takes `most`.
  function class.open(self, extra, name, most)
    local parts = test(self) or refuse(self)
    if extra ~= nil then object.too_many(name, most, extra) end
    if parts.closed then fail("%s is closed", short) end
    return parts
  end
  return class
end

-- ---- arguments ----

--- Refuses an argument too many: the one after `most`.
function object.too_many(name, most, extra)
  local count = most == 0 and "no arguments" or most == 1 and "1 argument" or most .. " arguments"
  fail("%s takes %s, got %s as argument %d", name, count, describe(extra), most + 1)
end

--- An integer from `least` to `most`.
function object.whole(value, least, most, name)
  if type(value) == "number" and value >= least and value <= most and value % 1 == 0 then return floor(value) end
  fail("%s must be an integer from %s to %s, got %s", name, describe(least), describe(most), describe(value))
end

--- A number from `least` to `most`.
function object.real(value, least, most, name)
  if type(value) == "number" and value >= least and value <= most then return value end
  fail("%s must be a number from %s to %s, got %s", name, describe(least), describe(most), describe(value))
end

--- What a terrain costs: a number, math.huge where it cannot be entered.
function object.cost(value, name)
  if value == false or value == huge then
    return huge
  elseif type(value) == "number" and value >= 0.001 and value <= 1e6 then
    return value
  end
  fail("%s must be a number from 0.001 to 1000000, math.huge or false, got %s", name, describe(value))
end

-- ---- options ----

local function list_of(names, joint)
  local quoted = {}
  for i, name in ipairs(names) do quoted[i] = '"' .. name .. '"' end
  local last = table.remove(quoted)
  return #quoted == 0 and last or table.concat(quoted, ", ") .. joint .. last
end

--- Checks a table of options by the list of names there are.
function object.options(options, names)
  if type(options) ~= "table" then
    fail("options must be a table, got %s%s", describe(options), meant(options, {}))
  end
  for name in next, options do
    if type(name) ~= "string" then
      fail("unknown option %s", describe(name))
    elseif not is_among(name, names) then
      local hint = meant(name, names)
      fail("unknown option %s%s", describe(name), hint ~= "" and hint or "; there are " .. list_of(names, " and "))
    end
  end
end

--- One of the names, `otherwise` where none is given.
function object.choice(options, option, names, otherwise)
  local value = rawget(options, option)
  if value == nil then
    return otherwise
  elseif type(value) == "string" and is_among(value, names) then
    return value
  end
  fail("%s must be %s, got %s%s", option, list_of(names, " or "), describe(value), meant(value, names, option))
end

--- A boolean, `otherwise` where none is given.
function object.flag(options, name, otherwise)
  local value = rawget(options, name)
  if value == nil then
    return otherwise
  elseif type(value) ~= "boolean" then
    fail("%s must be a boolean, got %s", name, describe(value))
  end
  return value
end

-- ---- lists ----

local function is_place(key, most)
  return type(key) == "number" and key >= 1 and key <= most and key % 1 == 0
end

--- The key of a table, as errors show it, that is no integer from 1 to `most`; nil where there is none.
function object.stray(list, most, also)
  local stray, found
  for key in next, list do
    if not (is_place(key, most or huge) or also and key == also) then
      local before = found == nil or type(key) == "number" and (type(stray) ~= "number" or key < stray)
      if before then stray, found = key, true end
    end
  end
  return found and describe(stray) or nil
end

--- How many entries a list has; where it has gaps, up to the first one, which counts.
function object.length(list)
  local length, count = 0, 0
  while rawget(list, length + 1) ~= nil do length = length + 1 end
  for key in next, list do
    if is_place(key, huge) then count = count + 1 end
  end
  return count > length and length + 1 or length
end

return object
