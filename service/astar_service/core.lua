-- core.lua -- the pathfinding service without an engine: maps by name, questions to them, limits and counts.
--
-- An engine (astar_service.tarantool, or a test) keeps the rows, calls `load` and `apply` as they are committed, and
-- hands on questions. One process, one core; it yields by the engine's own function.

local map = require "astar_service.map"
local questions = require "astar_service.questions"

local core = { VERSION = "1.0.0-rc", CHUNK = map.CHUNK }

local Core = {}
Core.__index = Core

-- What one request may ask for, unless the engine's configuration tells otherwise.
core.LIMITS = {
  cells = 2 ^ 24,       -- of a map
  dump = 8e6,           -- bytes that a graph is sent as
  maps = 1000,
  batch = 1000,         -- questions, or edits, in one call
  goals = 10000,
  cells_asked = 100000, -- distances in one question
  expansions = 5e6,     -- of find_nearest, which runs in one go
  ms = 2000,            -- a question's time, waiting for its version included
}

-- Pauses for other fibers come after so many milliseconds of a long question.
local SLICE = 2

-- options: limits (fields of core.LIMITS), clock() in seconds, yield(), wait(name, seconds): returns once that map
-- has changed, or the time is over.
function core.new(options)
  options = options or {}
  local limits = {}
  for name, value in pairs(core.LIMITS) do limits[name] = value end
  for name, value in pairs(options.limits or {}) do
    if limits[name] == nil then error(("there is no limit %q"):format(name), 2) end
    limits[name] = value
  end
  return setmetatable({
    maps = {}, dropped = {}, limits = limits,
    clock = options.clock or os.clock, yield = options.yield or function() end,
    wait = options.wait or function() end,
    counts = { questions = 0, errors = 0, timeouts = 0, behind = 0, edits = 0 },
  }, Core)
end

-- ---- maps ----

local function check_whole(value, least, most, name)
  if type(value) ~= "number" or value % 1 ~= 0 or value < least or value > most then
    error(("%s must be an integer from %d to %d, got %s"):format(name, least, most, tostring(value)), 0)
  end
end

local function check_graph(self, meta)
  if type(meta.graph) ~= "string" or #meta.graph > self.limits.dump then
    error(("graph must be a dump of at most %d bytes"):format(self.limits.dump), 0)
  end
  local ok, why = pcall(map.new, { name = meta.name, base = 0, graph = meta.graph })
  if not ok then error(map.plain(why), 0) end
end

-- Raises unless `meta` describes a map that may be made; see map.new.
function Core:check_meta(meta)
  if type(meta) ~= "table" then error("a map is described by a table, got " .. type(meta), 0) end
  if type(meta.name) ~= "string" or not meta.name:find "^[%w_.%-]+$" or #meta.name > 64 then
    error("a map's name must be 1 to 64 letters, digits, '_', '.' or '-'", 0)
  end
  if meta.graph ~= nil then return check_graph(self, meta) end
  check_whole(meta.width, 1, self.limits.cells, "width")
  check_whole(meta.height, 1, self.limits.cells, "height")
  if meta.width * meta.height > self.limits.cells then
    error(("a map holds at most %d cells, got %d x %d"):format(self.limits.cells, meta.width, meta.height), 0)
  end
  if type(meta.palette) ~= "table" or #meta.palette == 0 then
    error("palette must be a list of {key, cost}, at least one", 0)
  end
  local small = {}
  for key, value in pairs(meta) do small[key] = value end
  small.width, small.height, small.links, small.walls = 1, 1, nil, nil
  local ok, why = pcall(map.new, small) -- which says what is wrong with the palette or the origin
  if not ok then error(map.plain(why), 0) end
end

-- Makes the map of these rows the one of its name: meta as map.new takes it, chunks a function that iterates over
-- cx, cy, ground, blocks, and edits one over version, op; versions up to the base are in the chunks already.
function Core:load(meta, chunks, edits)
  local new = map.new(meta)
  for cx, cy, ground, blocks in chunks do new:put_chunk(cx, cy, ground, blocks) end
  new:take_touched()
  for version, op in edits do new:apply(version, op) end
  self.maps[meta.name], self.dropped[meta.name] = new, nil
  return new
end

-- There is no such map any more. `version`: its last one, where it was dropped for good.
function Core:drop(name, version)
  self.maps[name], self.dropped[name] = nil, version
end

local function find_map(self, name)
  local found = self.maps[name]
  if not found then error(("there is no map %q"):format(tostring(name)), 0) end
  return found
end

-- A committed edit. An error is the engine's: what it gave does not follow what is there.
function Core:apply(name, version, op)
  local found = self.maps[name]
  if not found then return end
  found:apply(version, op)
  self.counts.edits = self.counts.edits + 1
end

-- Raises unless the edits of this list can be done after all that were checked before.
function Core:check(name, ops)
  find_map(self, name):check(ops)
end

-- None of the edits that were checked and are not in yet will come.
function Core:forget_drafts(name)
  if self.maps[name] then self.maps[name]:forget_drafts() end
end

-- ---- questions ----

-- The map of a name, of version `least` or newer; waits for it until the deadline. nil: it did not come.
local function map_since(self, name, least, deadline)
  while least and not (self.maps[name] and self.maps[name].version >= least) do
    if self.dropped[name] and self.dropped[name] >= least then break end
    local left = deadline - self.clock()
    if left <= 0 then return nil, self.maps[name] and self.maps[name].version end
    self.wait(name, left)
  end
  return find_map(self, name)
end

local function answer_one(self, name, question, least, deadline)
  self.counts.questions = self.counts.questions + 1
  local found, version = map_since(self, name, least, deadline)
  if not found then
    self.counts.behind = self.counts.behind + 1
    return { reason = "behind", version = version }
  end
  local context = {
    limits = self.limits, slice = SLICE, deadline = deadline, clock = self.clock, yield = self.yield,
    find_map = function(other, since) return map_since(self, other, since, deadline) end,
  }
  local answer = questions.answer(found, context, question)
  if answer.reason == "timeout" then self.counts.timeouts = self.counts.timeouts + 1 end
  if answer.reason == "behind" then self.counts.behind = self.counts.behind + 1 end
  return answer
end

local function check_options(self, options)
  options = options or {}
  if type(options) ~= "table" then error("options must be a table, got " .. type(options), 0) end
  for key in pairs(options) do
    if key ~= "least" and key ~= "ms" then error(("unknown option %q"):format(tostring(key)), 0) end
  end
  if options.least ~= nil then check_whole(options.least, 0, 2 ^ 53, "least") end
  local ms = options.ms
  if ms ~= nil and (type(ms) ~= "number" or ms ~= ms or ms < 0) then
    error("ms must be a number >= 0, got " .. tostring(ms), 0)
  end
  return options.least, self.clock() + math.min(options.ms or self.limits.ms, self.limits.ms) / 1000
end

-- The answer to one question: what questions.lua tells, or { reason =, version = } with "behind" (the map is not yet
-- of version options.least) or "timeout" (options.ms, at most the limit). What is wrong with a question is an error.
function Core:ask(name, question, options)
  local ok, answer = pcall(function()
    local least, deadline = check_options(self, options)
    return answer_one(self, name, question, least, deadline)
  end)
  if ok then return answer end
  self.counts.errors = self.counts.errors + 1
  error(tostring(answer), 0)
end

-- The answers to a list of questions about one map; what is wrong with one is its answer, { error = }.
function Core:ask_many(name, list, options)
  if type(list) ~= "table" or #list > self.limits.batch then
    error(("questions must be a list of at most %d"):format(self.limits.batch), 0)
  end
  local least, deadline = check_options(self, options)
  local answers = {}
  for i = 1, #list do
    local ok, answer = pcall(answer_one, self, name, list[i], least, deadline)
    if not ok then
      self.counts.errors = self.counts.errors + 1
      answer = { error = tostring(answer) }
    end
    answers[i] = answer
  end
  return answers
end

-- What there is: { name = { version =, base =, width =, height =, bytes = } }.
function Core:list()
  local list = {}
  for name, one in pairs(self.maps) do
    local width, height = one:size()
    list[name] = {
      version = one.version, base = one.base, width = width, height = height, bytes = one.object:bytes(),
      is_graph = one.is_graph or nil,
    }
  end
  return list
end

return core
