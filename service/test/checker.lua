-- checker.lua -- holds what clients saw against what the service promises. It is told of each request and its answer,
-- in the order of the answers, with the times at which it was sent and came back by one clock, and knows nothing
-- else: what a map is at a version follows from the edits that were acknowledged, replayed in order of their
-- versions. Clients send an edit again until they know its version, so all versions have an owner in the end; one
-- that has none was made by nobody: an edit done twice, or lost and its place kept.

local model = require "model"

local checker = {}

local Checker = {}
Checker.__index = Checker

local FRESH = 1 -- seconds: what an answer may be behind of that was asked neither `fresh` nor `stale`
local SNAPSHOT = 256 -- versions between two copies of a model, for answers that come late
local KEPT = 40000 -- versions that can be gone back
local LAG = 30 -- seconds that the replay waits for answers of its version
local PLAINLY = 40 -- one answer in so many is also held against Dijkstra

-- `problem(text)` is called for each.
function checker.new(problem)
  return setmetatable({
    problem = problem or function() end, maps = {}, seen = {},
    counts = {
      edits = 0, answers = 0, dumps = 0, late = 0, plainly = 0, fresh = 0, stale = 0, questions = 0, problems = 0,
    },
  }, Checker)
end

local function report(self, text, ...)
  self.counts.problems = self.counts.problems + 1
  self.problem(text:format(...))
end

-- ---- the most that had been seen at a time ----

local function series()
  return { times = {}, most = {} }
end

-- Time goes on from call to call.
local function note(self, time, version)
  local n = #self.times
  if n > 0 and self.most[n] >= version then return end
  self.times[n + 1], self.most[n + 1] = time, version
end

-- The most that was noted before `time`.
local function most_before(self, time)
  local low, high = 0, #self.times
  while low < high do
    local middle = (low + high + 1) // 2
    if self.times[middle] < time then low = middle else high = middle - 1 end
  end
  return self.most[low] or 0
end

-- ---- records ----

local TAKE = {}

function TAKE.map(self, record)
  local first, base = model.new(record), record.version
  self.maps[record.map] = {
    name = record.map, model = first, first = base, version = base, head = base,
    edits = {}, done = {}, answers = {}, heads = series(), copies = { [base] = first:copy() }, unsure = 0,
  }
end

local function seen_by(self, client, map)
  local key = client .. "\n" .. map
  self.seen[key] = self.seen[key] or series()
  return self.seen[key]
end

local function same_edits(a, b)
  if type(a) ~= "table" then return a == b end
  if type(b) ~= "table" then return false end
  for key, value in pairs(a) do if not same_edits(value, b[key]) then return false end end
  for key in pairs(b) do if a[key] == nil then return false end end
  return true
end

local function take_version(self, map, record)
  local version, other = record.version, map.edits[record.version]
  if other and (other.client ~= record.client or other.request ~= record.request) then
    report(self, "LOST: version %d of %s was acknowledged to %s/%d and to %s/%d", version, map.name, other.client,
      other.request, record.client, record.request)
  elseif other and not same_edits(other.edits, record.edits) then
    report(self, "version %d of %s was acknowledged for two lists of edits", version, map.name)
  elseif version <= map.version then
    report(self, "LOST: version %d of %s was acknowledged after others stood in its place", version, map.name)
  end
  map.edits[version] = map.edits[version] or record
  map.head = math.max(map.head, version)
end

-- An edit was acknowledged: { map, client, request, edits, sent (for the first time), came, version }.
function TAKE.edit(self, record)
  local map = self.maps[record.map]
  local done = map.done[record.client] or {}
  map.done[record.client] = done
  if done[record.request] and done[record.request] ~= record.version then
    report(self, "TWICE: edit %s/%d of %s is versions %d and %d", record.client, record.request, map.name,
      done[record.request], record.version)
  end
  done[record.request] = record.version
  local before = most_before(map.heads, record.sent)
  if record.version <= before then
    report(self, "an edit of %s got version %d, and %d was known before it was sent", map.name, record.version, before)
  end
  take_version(self, map, record)
  note(map.heads, record.came, record.version)
  note(seen_by(self, record.client, record.map), record.came, record.version)
  self.counts.edits = self.counts.edits + 1
end

-- What became of an edit was never told: { map, client, request, edits }.
function TAKE.unsure(self, record)
  local map = self.maps[record.map]
  map.unsure = map.unsure + 1
end

local function check_age(self, map, record)
  local least = 0
  if record.fresh then
    least = most_before(map.heads, record.sent)
    self.counts.fresh = self.counts.fresh + 1
  elseif record.stale == nil or record.stale == false then
    least = most_before(map.heads, record.sent - FRESH)
  else
    self.counts.stale = self.counts.stale + 1
    if type(record.stale) == "number" then least = most_before(map.heads, record.sent - record.stale) end
  end
  if record.version < least then
    report(self, "STALE: an answer of %s by %s (fresh %s, stale %s) sent at %.3f is of version %d, not of %d or later",
      map.name, record.node, tostring(record.fresh), tostring(record.stale), record.sent, record.version, least)
  end
end

local function check_back(self, map, record)
  if not record.least then return end
  local seen = seen_by(self, record.client, record.map)
  local least = math.max(record.least, most_before(seen, record.sent))
  if record.version < least then
    report(self, "BACK: client %s saw version %d of %s after %d", record.client, record.version, map.name, least)
  end
end

-- What is to be checked once the replay is at `version`.
local function put_off(map, version, what)
  local list = map.answers[version] or {}
  map.answers[version] = list
  list[#list + 1] = what
end

-- Questions were answered: { map, client, node, sent, came, least, fresh, stale, version, questions, answers }; each
-- answer names its version, and `version` is the least of them.
function TAKE.ask(self, record)
  local map = self.maps[record.map]
  check_age(self, map, record)
  check_back(self, map, record)
  note(seen_by(self, record.client, record.map), record.came, record.version)
  note(map.heads, record.came, record.version)
  self.counts.answers = self.counts.answers + 1
  if #record.answers ~= #record.questions then
    report(self, "%d questions and %d answers", #record.questions, #record.answers)
  end
  local least = math.huge
  for i, question in ipairs(record.questions) do
    local answer = record.answers[i]
    local version = type(answer) == "table" and answer.version or record.version
    least = math.min(least, version)
    put_off(map, version, { question = question, answer = answer, record = record })
  end
  if least < record.version then
    report(self, "an answer of %s says version %d and holds one of %d", map.name, record.version, least)
  end
end

-- An instance told of the whole map: { map, node, version, dump (base64), came }.
function TAKE.dump(self, record)
  local map = self.maps[record.map]
  put_off(map, record.version, { record = record, dump = record.dump })
end

-- ---- replay ----

local function told(question)
  local name, arguments = next(question)
  for key, value in pairs(question) do
    if type(value) == "table" then name, arguments = key, value end
  end
  return ("%s(%s)"):format(name, table.concat(arguments, ", "))
end

local function check_answer(self, map, at, version, what)
  local record = what.record
  local made = map.edits[version]
  if made and made.sent > record.came then
    report(self, "an answer is of version %d of %s, which was not yet sent", version, map.name)
  end
  if what.dump then
    local why = at:differs(what.dump)
    if why then report(self, "WRONG: %s in %s at version %d: %s", map.name, record.node, version, why) end
    self.counts.dumps = self.counts.dumps + 1
    return
  end
  self.counts.questions = self.counts.questions + 1
  local plainly = self.counts.questions % PLAINLY == 0
  if plainly then self.counts.plainly = self.counts.plainly + 1 end
  local why = at:wrong(what.question, what.answer, plainly)
  if why then
    report(self, "WRONG: %s of %s by %s at version %d: %s", told(what.question), map.name, record.node, version, why)
  end
end

local function check_version(self, map, at, version)
  for _, what in ipairs(map.answers[version] or {}) do check_answer(self, map, at, version, what) end
  map.answers[version] = nil
end

local function step(self, map)
  check_version(self, map, map.model, map.version)
  map.version = map.version + 1
  map.model:apply(map.edits[map.version].edits)
  if map.version % SNAPSHOT == 0 then
    map.copies[map.version] = map.model:copy()
    map.copies[map.version - KEPT + KEPT % SNAPSHOT] = nil
  end
  map.edits[map.version - KEPT - SNAPSHOT] = nil
end

-- Answers of versions that the replay has left behind.
local function check_late(self, map)
  local behind = {}
  for version in pairs(map.answers) do
    if version < map.version then behind[#behind + 1] = version end
  end
  table.sort(behind)
  local at, its
  for _, version in ipairs(behind) do
    local base = math.max(map.first, version - version % SNAPSHOT)
    if not its or version - its > SNAPSHOT then
      at, its = map.copies[base] and map.copies[base]:copy(), base
    end
    if not at or version > base and not map.edits[base + 1] then
      at, its = nil, nil
      report(self, "an answer of %s is of version %d, too old to be checked", map.name, version)
      map.answers[version] = nil
    else
      for v = its + 1, version do at:apply(map.edits[v].edits) end
      its = version
      self.counts.late = self.counts.late + #map.answers[version]
      check_version(self, map, at, version)
    end
  end
end

-- Replays what is known and was acknowledged before `time`.
local function advance(self, map, time)
  while true do
    local edit = map.edits[map.version + 1]
    if not edit or edit.came > time then break end
    step(self, map)
  end
  check_late(self, map)
end

function Checker:take(record)
  TAKE[record.kind](self, record)
  self.taken = (self.taken or 0) + 1
  if self.taken % 2000 == 0 and record.came then
    for _, map in pairs(self.maps) do advance(self, map, record.came - LAG) end
  end
end

-- All was told: what is left is wrong.
function Checker:finish()
  for _, map in pairs(self.maps) do
    advance(self, map, math.huge)
    check_version(self, map, map.model, map.version)
    if map.version < map.head then
      report(self, "TWICE or LOST: version %d of %s, of %d, is of no edit that was acknowledged; %d are not known",
        map.version + 1, map.name, map.head, map.unsure)
    end
    local left = 0
    for version, list in pairs(map.answers) do
      if version > map.version then left = left + #list end
    end
    if left > 0 then
      report(self, "%d answers of %s are of versions that nobody made, after %d", left, map.name, map.version)
    end
  end
  return self.counts
end

return checker
