-- object.lua -- The classes of the twin's objects, and its errors.
--
-- To a script an object is an empty table. Its parts lie under a key that only this file has. The length operator #
-- of a path works only for userdata in plain Lua 5.1 and LuaJIT, so in these versions a path is a userdata.
--
-- An error names the line of the script that made the call, however deep in this folder the mistake was found.
-- Therefore `fail` looks for the first function on the stack that does not belong to this folder.

local entries = next -- loops use it in place of pairs(), see spec/entries_spec.lua
local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local checks_of = require(ABOVE .. ".checks")
local describe = require(ABOVE .. ".describe")

local getinfo = rawget(_G, "debug") and debug.getinfo -- missing in Luau, and in hosts that leave `debug` out
local HERE = getinfo and getinfo(1, "S").source or ""
HERE = HERE:match "^(.*[/\\])object%.lua$" or HERE -- this folder, or the single file that all files were merged into
local SHARED = HERE:match "^(.*[/\\])[^/\\]+[/\\]$" or "" -- the folder above, whose files the C module uses, too

local object = { describe = describe }

local function is_ours(source)
  return source == "=(tail call)" or HERE ~= "" and source:sub(1, #HERE) == HERE
    or source == SHARED .. "checks.lua" or source == SHARED .. "make_grid.lua"
    or source == SHARED .. "finder_options.lua"
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

--- Raises an error about a feature that only the C module has.
function object.lacks(what) fail("%s needs the C module of astar; see docs/platforms.md", what) end

local length_of_table = setmetatable({}, { __len = function() return 1 end })
local HAS_LENGTH = #length_of_table == 1
local newproxy = rawget(_G, "newproxy")
local setfenv = rawget(_G, "debug") and debug.setfenv

local function is_among(name, names)
  for _, each in ipairs(names) do
    if each == name then return true end
  end
  return false
end

local function is_of_tools(key) return type(key) == "string" and key:sub(1, 1) == "_" end

-- Returns the names of a class's methods, followed by those of its fields.
local function names_of(class)
  local names = {}
  for name in entries, class.methods do names[#names + 1] = name end
  table.sort(names)
  for _, name in ipairs(class.fields) do names[#names + 1] = name end
  return names
end

local function no_field(class, key)
  if is_of_tools(key) or is_among(key, class.fields) then return nil end
  object.no_field(class.title, key, names_of(class))
end

-- Raises an error if a script loops over a path by ipairs, see refuse_ipairs in lua_util.c.
local function refuse_ipairs(class, key, level)
  local caller = key == 1 and getinfo and getinfo(level, "Sn")
  if caller and caller.what == "C" and caller.namewhat == "for iterator" then
    fail("ipairs needs a table, got %s: write for i = 1, #path do, and path[i]", class.title)
  end
end

local function index_of(class)
  local methods, field, item = class.methods, class.field, class.item
  return function(self, key)
    local method = methods[key]
    if method and not (item and class.parts(self).closed) then return method end
    local parts = class.open(self)
    local value
    if item and type(key) == "number" then
      refuse_ipairs(class, key, 3)
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
  metatable.__newindex = function(_, key) object.read_only(class.title, key, names_of(class)) end
  metatable.__metatable, metatable.__name = "astar", class.title
  function metatable.__tostring(self)
    local parts = class.parts(self)
    return parts.closed and class.title .. " (closed)" or class.tell and class.tell(parts) or class.title
  end
  if class.item then -- Lua 5.2 calls __ipairs and reads no item before
    function metatable.__ipairs()
      fail("ipairs needs a table, got %s: write for i = 1, #path do, and path[i]", class.title)
    end
  end
  if class.count then
    function metatable.__len(self) return class.count(class.open(self)) end
  end
  return metatable
end

--- Completes a class. The given table has a title, the list `fields` of the names of its fields, and optional functions
-- of an object's parts: `tell` (tostring), `field`, `count` (length) and `item`. The function adds an empty table
-- `methods`, and the functions `new(parts)`, `parts(object)`, `test(object)` and `open(object)`, which raises an error
-- for a closed object.
function object.class(class)
  local title, short = class.title, class.title:match "%S+$"
  class.methods, class.fields = {}, class.fields or {}
  local of_userdata = class.count and not HAS_LENGTH and newproxy
  local mark = {}

  local function refuse(self) object.kind(self, title) end
  if of_userdata then
    local pattern = newproxy(true)
    local metatable = getmetatable(pattern)
    -- The parts of each userdata. In versions of Lua with setfenv a userdata itself keeps its parts alive, so the
    -- table refers to both weakly.
    local held = setmetatable({}, { __mode = setfenv and "kv" or "k" })
    function class.new(parts)
      local self = newproxy(pattern)
      held[self] = parts
      if setfenv then setfenv(self, parts) end
      return self
    end
    function class.test(self) return self ~= nil and held[self] or nil end
    metatable_of(class, metatable)
  else
    local metatable = metatable_of(class, {})
    function class.new(parts) return setmetatable({ [mark] = parts }, metatable) end
    function class.test(self) return type(self) == "table" and rawget(self, mark) or nil end
  end
  local test = class.test
  function class.parts(self) return test(self) or refuse(self) end
  --- Returns the parts of an open object. Raises an error if the object is closed or of another class, and if the
  -- method `name`, which takes `most` arguments, got one more.
  function class.open(self, extra, name, most)
    local parts = test(self) or refuse(self)
    if extra ~= nil then object.too_many(name, most, extra) end
    if parts.closed then fail("%s is closed", short) end
    return parts
  end
  return class
end

--- Adds methods to a class that raise an error, because only the C module has them.
function object.lack(class, names)
  for _, name in ipairs(names) do
    class.methods[name] = function(self)
      class.open(self)
      object.lacks(class.title:match "%S+$" .. ":" .. name)
    end
  end
end

for name, check in entries, checks_of(fail) do object[name] = check end

return object
