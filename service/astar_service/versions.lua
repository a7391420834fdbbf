-- versions.lua -- what grids and graphs have in common as maps of the service: a version, the edits that lead from
-- one to the next, tried before they are written, and finders by their options.
--
-- An edit is a list that begins with the name of a method of the grid or graph. A map has `object`, the grid or
-- graph; `OPS`, the names of its edits; `copy()`, another like it; `is_plain(op)`, whether an edit is certain to
-- succeed; and `note(op, version)`, which is told of each edit that came in.

local unpack = table.unpack or unpack -- luacheck: ignore 143

local versions = {}

local Versions = {}

versions.MAX_FINDERS = 16

local MOST_ENTRIES = 6

-- An error's message without the line of ours where it was raised: it goes to whoever sent a request.
function versions.plain(message)
  return (tostring(message):gsub("^[^:\n]*%.lua:%d+: ", ""))
end

-- Whether a value holds nothing but strings, numbers and booleans, in tables nested so deep at most.
local function is_data(value, depth)
  local kind = type(value)
  if kind ~= "table" then return kind == "string" or kind == "number" or kind == "boolean" end
  if depth == 0 then return false end
  for key, entry in pairs(value) do
    if not is_data(key, 0) or not is_data(entry, depth - 1) then return false end
  end
  return true
end

-- Raises unless `op` is an edit by its form: a list that begins with one of the names, of data alone.
local function check_form(names, op)
  if type(op) ~= "table" or type(op[1]) ~= "string" then
    error('an edit must be a list such as {"set", x, y, key}', 0)
  end
  if not names[op[1]] then error(("there is no edit %q"):format(op[1]), 0) end
  local count = 0
  for key in pairs(op) do
    if type(key) ~= "number" or key % 1 ~= 0 or key < 1 or key > MOST_ENTRIES then
      error(("an edit must be a list of at most %d entries"):format(MOST_ENTRIES), 0)
    end
    count = count + 1
  end
  if count ~= #op or not is_data(op, 2) then error("an edit must be a list of data, without gaps", 0) end
  if op[1] == "terrain" and #op ~= 3 then error('the edit "terrain" needs a key and a cost', 0) end
end

local function do_op(object, op)
  object[op[1]](object, unpack(op, 2))
end

-- Takes in the edits of one request as the next version; what is in already changes nothing. True, or false where one
-- in between is missing.
function Versions:apply(version, ops)
  if version <= self.version then return true end
  if version ~= self.version + 1 then return false end
  for _, op in ipairs(ops) do
    if pcall(do_op, self.object, op) then self:note(op, version) else self.failed = (self.failed or 0) + 1 end
  end
  self.version = version
  return true
end

-- Raises an error by form: what is wrong with the edits of a request whatever the map is.
function Versions:check_form(ops)
  for _, op in ipairs(ops) do check_form(self.OPS, op) end
end

-- Whether all edits of a request are certain to succeed as the map is now; if not they are to be tried.
function Versions:is_sure(ops)
  for _, op in ipairs(ops) do
    if not self:is_plain(op) then return false end
  end
  return true
end

-- Raises an error unless the edits of a request can be done as the map is now. They are tried on a copy, so that none
-- which fails comes into the log.
function Versions:try(ops)
  local copy = self:copy()
  for _, op in ipairs(ops) do
    local ok, message = pcall(do_op, copy, op)
    if not ok then error(versions.plain(message), 0) end
  end
end

local function write_options(value)
  if type(value) ~= "table" then return type(value) .. ":" .. tostring(value) end
  local parts = {}
  for key, entry in pairs(value) do parts[#parts + 1] = write_options(key) .. "=" .. write_options(entry) end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

local function drop_oldest(self)
  local oldest
  for name, entry in pairs(self.finders) do
    if not oldest or entry.used < self.finders[oldest].used then oldest = name end
  end
  self.finders[oldest] = nil
  self.finder_count = self.finder_count - 1
end

-- The finder of a kind of unit, by its options, and whether it is new. The least recently used goes once there are
-- MAX_FINDERS.
function Versions:finder(unit)
  local name = write_options(unit or {})
  local entry = self.finders[name]
  self.turn = self.turn + 1
  if not entry then
    if not is_data(unit or {}, 3) then error("a unit must be data: no functions", 0) end
    entry = { finder = self.object:finder(unit or {}) }
    if self.finder_count == versions.MAX_FINDERS then drop_oldest(self) end
    self.finders[name] = entry
    self.finder_count = self.finder_count + 1
    entry.used = self.turn
    return entry.finder, true
  end
  entry.used = self.turn
  return entry.finder
end

function Versions:forget_finder(unit)
  local name = write_options(unit or {})
  if self.finders[name] then self.finders[name], self.finder_count = nil, self.finder_count - 1 end
end

-- Gives a class of maps what they have in common.
function versions.join(class)
  for name, method in pairs(Versions) do class[name] = method end
end

-- Makes `self` a map of that name, whose object is of version `base`.
function versions.begin(self, name, object, base)
  self.name, self.object, self.version, self.base = name, object, base, base
  self.finders, self.finder_count, self.turn = {}, 0, 0
  return self
end

return versions
