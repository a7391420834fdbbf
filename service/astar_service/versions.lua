-- versions.lua -- what grids and graphs have in common as maps of the service: a version, the edits that lead from one
-- to the next, tried before they are written, and finders by their options.
--
-- An edit is a list that begins with the name of a method of the grid or graph. A map has `object`, the grid or graph;
-- `FORMS`, for each name of an edit what its arguments are; `copy()`, another object like it; `is_plain(op)`, whether
-- an edit is certain to succeed; `note(op, version)`, which is called for each edit that was applied; and
-- `check_room(copy, ops)`, which raises an error if a tried copy is too large to be kept.

local unpack = table.unpack or unpack -- luacheck: ignore 143

local versions = {}

local Versions = {}

versions.MAX_FINDERS = 16

versions.MOST_TEXT = 64 -- bytes of a key, a label or a layer's name

local MOST_ENTRIES = 6 -- of an edit
local MOST_OPTIONS = 400 -- of a finder, all in all

-- An error's message without the line of ours where it was raised: it goes to whoever sent a request.
function versions.plain(message)
  return (tostring(message):gsub("^[^\n]-%.lua:%d+: ", "", 1))
end

-- ---- what an edit may be ----

local checks = {}

function checks.whole(value) return type(value) == "number" and value % 1 == 0 and math.abs(value) < 2 ^ 31 end

function checks.number(value) return type(value) == "number" and value == value and math.abs(value) <= 1e15 end

function checks.text(value) return type(value) == "string" and #value <= versions.MOST_TEXT end

function checks.flag(value) return type(value) == "boolean" end

function checks.key(value) return checks.text(value) or checks.whole(value) or checks.flag(value) end

-- The key of a node.
function checks.node(value) return checks.text(value) or checks.number(value) end

function checks.cost(value) return value == false or checks.number(value) end

function checks.label(value) return checks.text(value) or checks.number(value) end

-- A text of one byte for each key, or a list of keys.
function checks.keys(value)
  if type(value) ~= "table" then return type(value) == "string" end
  local count = 0
  for index, key in pairs(value) do
    if not checks.whole(index) or not checks.key(key) then return false end
    count = count + 1
  end
  return count == #value
end

-- The options of a link or an edge.
function checks.ways(value)
  if type(value) ~= "table" then return false end
  local kinds = { cost = checks.number, label = checks.label, one_way = checks.flag }
  for name, option in pairs(value) do
    if not kinds[name] or not kinds[name](option) then return false end
  end
  return true
end

local WORDS = {
  whole = "an integer", number = "a number", text = ("a text of at most %d bytes"):format(versions.MOST_TEXT),
  flag = "true or false", key = ("a text of at most %d bytes, an integer, true or false"):format(versions.MOST_TEXT),
  node = ("a text of at most %d bytes or a number"):format(versions.MOST_TEXT), cost = "a number or false",
  keys = "a text or a list of keys", ways = "an object of cost, label and one_way",
}

-- Raises an error unless the arguments of an edit are of one of its forms, each a list of names of checks.
local function check_arguments(op, forms)
  local closest, place
  for _, form in ipairs(forms) do
    local wrong
    for i, name in ipairs(form) do
      if not wrong and not checks[name](op[i + 1]) then wrong = i end
    end
    if not wrong and #op == #form + 1 then return end
    if #form == #op - 1 and not closest then closest, place = form, wrong end
  end
  if not closest then error(("the edit %q does not take %d arguments"):format(op[1], #op - 1), 0) end
  error(("argument %d of the edit %q must be %s"):format(place, op[1], WORDS[closest[place]]), 0)
end

-- Raises an error unless `op` is an edit by its form, whatever the map is. Anything that passes can be written to a log
-- and to pieces of a map, and read again.
function versions.check_form(all_forms, op)
  if type(op) ~= "table" or type(op[1]) ~= "string" then
    error('an edit must be a list such as {"set", x, y, key}', 0)
  end
  local forms = all_forms[op[1]]
  if not forms then error(("there is no edit %q"):format(op[1]:sub(1, 40)), 0) end
  local count = 0
  for index in pairs(op) do
    if type(index) ~= "number" or index % 1 ~= 0 or index < 1 or index > MOST_ENTRIES then
      error(("an edit must be a list of at most %d entries"):format(MOST_ENTRIES), 0)
    end
    count = count + 1
  end
  if count ~= #op then error("an edit must be a list without gaps", 0) end
  check_arguments(op, forms)
end

-- ---- edits ----

local function do_op(object, op)
  object[op[1]](object, unpack(op, 2))
end

local function apply_op(self, op, version)
  versions.check_form(self.FORMS, op)
  do_op(self.object, op)
  self:note(op, version)
end

-- Applies the edits of one request as the next version; a version that was applied before changes nothing. True, or
-- false if a version in between is missing. An edit that fails is left out and counted: all instances leave out the
-- same ones.
function Versions:apply(version, ops)
  if version <= self.version then return true end
  if version ~= self.version + 1 then return false end
  for _, op in ipairs(type(ops) == "table" and ops or { ops }) do
    local ok, why = pcall(apply_op, self, op, version)
    if not ok then self.failed, self.failure = (self.failed or 0) + 1, ("version %d: %s"):format(version, why) end
  end
  self.version = version
  return true
end

-- Raises an error if something is wrong with the edits of a request whatever the map is.
function Versions:check_form(ops)
  for _, op in ipairs(ops) do versions.check_form(self.FORMS, op) end
end

-- Whether all edits of a request are certain to succeed as the map is now; if not they must be tried.
function Versions:is_sure(ops)
  for _, op in ipairs(ops) do
    if not self:is_plain(op) then return false end
  end
  return true
end

-- Raises an error unless the edits of a request can be done as the map is now, and the map be kept afterwards. They are
-- tried on a copy, so that none that fails is written.
function Versions:try(ops)
  local copy = self:copy()
  for _, op in ipairs(ops) do
    local ok, message = pcall(do_op, copy, op)
    if not ok then error(versions.plain(message), 0) end
  end
  self:check_room(copy, ops)
end

-- ---- finders ----

local function add_option(value, parts)
  if #parts > 2 * MOST_OPTIONS then error(("a unit has at most %d options"):format(MOST_OPTIONS), 0) end
  if type(value) ~= "table" then
    local kind = type(value)
    if kind ~= "string" and kind ~= "number" and kind ~= "boolean" then
      error("a unit must be data: no functions", 0)
    end
    local text = tostring(value)
    parts[#parts + 1] = ("%s%d:%s"):format(kind:sub(1, 1), #text, text) -- no two values have one text
    return
  end
  parts[#parts + 1] = "{"
  local entries = {}
  for key, entry in pairs(value) do
    local its = {}
    add_option(key, its)
    add_option(entry, its)
    entries[#entries + 1] = table.concat(its, "=")
    if #entries > MOST_OPTIONS then error(("a unit has at most %d options"):format(MOST_OPTIONS), 0) end
  end
  table.sort(entries)
  parts[#parts + 1] = table.concat(entries, ",")
  parts[#parts + 1] = "}"
end

-- The options of a unit as a text: equal texts, equal units.
local function name_of(unit)
  local parts = {}
  add_option(unit or {}, parts)
  return table.concat(parts)
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
  local name = name_of(unit)
  local entry = self.finders[name]
  self.turn = self.turn + 1
  if entry then
    entry.used = self.turn
    return entry.finder, false
  end
  entry = { finder = self.object:finder(unit or {}), used = self.turn }
  if self.finder_count == versions.MAX_FINDERS then drop_oldest(self) end
  self.finders[name] = entry
  self.finder_count = self.finder_count + 1
  return entry.finder, true
end

-- Forgets all finders: the collector frees what only they need of the map.
function Versions:forget_finders()
  self.finders, self.finder_count, self.still, self.joined = {}, 0, nil, nil
end

-- ---- stamps ----

--- Returns a number that any edit changes, see asking.lua. Here it is the version itself, since an edit is applied and
--- counted in one call. The maps of reader.lua are edited by another thread and replace both methods.
function Versions:stamp() return self.version end

--- Returns the version that the map had at a stamp.
function Versions:version_of(stamp) return stamp end -- luacheck: ignore 212

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
