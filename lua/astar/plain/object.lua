-- object.lua -- the twin's objects, and who raises what is wrong.
--
-- An object is an empty table to scripts: what it holds lies under a key that only this file has. Of a path the
-- length is asked by #, which plain Lua 5.1 and LuaJIT ask of userdata alone: there a path is one.
--
-- An error names the line of the script that called, however deep in here it was found: so `fail` looks for the
-- first function that is not of this folder.

local entries = next -- for loops, see entries_spec
local FOLDER = (...):match "^(.+)[./][^./]+$"
local ABOVE = FOLDER:match "^(.+)[./][^./]+$"
local checks_of = require(ABOVE .. ".checks")
local describe = require(ABOVE .. ".describe")

local getinfo = rawget(_G, "debug") and debug.getinfo -- Luau has none, a host may leave it out
local HERE = getinfo and getinfo(1, "S").source or ""
HERE = HERE:match "^(.*[/\\])object%.lua$" or HERE -- its folder, or the one file that all was put into
local SHARED = HERE:match "^(.*[/\\])[^/\\]+[/\\]$" or "" -- where that lies, with what the C module asks, too

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

--- For what only the C module does.
function object.lacks(what) fail("%s needs the C module of astar; see docs/platforms.md", what) end

-- ---- classes ----

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

-- The names of a class's methods, then its fields.
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

-- Refuses a loop by ipairs over a path: see refuse_ipairs in lua_util.c.
local function refuse_ipairs(class, key, level)
  local caller = key == 1 and getinfo and getinfo(level, "Sn")
  if caller and caller.what == "C" and caller.namewhat == "for iterator" then
    fail("ipairs takes a table, got %s: write for i = 1, #path do, and path[i]", class.title)
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
  if class.item then -- of Lua 5.2, which reads no item of it
    function metatable.__ipairs()
      fail("ipairs takes a table, got %s: write for i = 1, #path do, and path[i]", class.title)
    end
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

  local function refuse(self) object.kind(self, title) end
  if of_userdata then
    local pattern = newproxy(true)
    local metatable = getmetatable(pattern)
    -- What userdata hold; they keep it alive themselves where they can, so that nothing here keeps them.
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
  --- Also refuses an argument too many of the method `name`, which takes `most`.
  function class.open(self, extra, name, most)
    local parts = test(self) or refuse(self)
    if extra ~= nil then object.too_many(name, most, extra) end
    if parts.closed then fail("%s is closed", short) end
    return parts
  end
  return class
end

--- Has methods of a class raise that only the C module has them.
function object.lack(class, names)
  for _, name in ipairs(names) do
    class.methods[name] = function(self)
      class.open(self)
      object.lacks(class.title:match "%S+$" .. ":" .. name)
    end
  end
end

-- ---- arguments ----

for name, check in entries, checks_of(fail) do object[name] = check end

return object
