-- planted_history.lua -- the checker itself: lua5.3 test/planted_history.lua. A history without a fault must pass, and
-- each fault planted in it must be found. No service runs here: what answers is a model (of the checker's kind, but
-- the histories are doctored after it).

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local checker = require "checker"
local model = require "model"
local report = require "report"

local SIDE, EDITS = 24, 600
local PALETTE = { { ".", 1 }, { "#", false }, { "~", 3 } }

math.randomseed(7)
local dice = math.random

local function random_edits()
  local x, y, kind = dice(SIDE), dice(SIDE), dice(8)
  if kind <= 4 then return { { "set", x, y, ({ ".", "#", "~" })[dice(3)] } } end
  if kind == 5 then return { { "block", x, y, 1, 1 }, { "set", y, x, "." } } end
  if kind == 6 then return { { "unblock", x, y, 1, 1 } } end
  if kind == 7 then return { { "wall", x, y, ({ "north", "east" })[dice(2)] } } end
  return { { "fill", 1, y, SIDE, 1, "." } }
end

local function answer_of(at, question)
  if question.cell then
    local x, y = question.cell[1], question.cell[2]
    return { key = at.grid:get(x, y), blocked = at.grid:is_blocked(x, y) }
  end
  local q = question.find_path
  local path, reason = at.finder:find_path(q[1], q[2], q[3], q[4])
  if not path then return { reason = reason } end
  local points = {}
  for _, point in ipairs(path:waypoints()) do
    points[#points + 1], points[#points + 2] = point.x, point.y
  end
  return { cost = path.cost, points = points }
end

-- A history of one map: an edit each 10 ms by three clients, and answers of the version before or the one after.
local function make_history()
  local at, records, time = model.new { width = SIDE, height = SIDE, palette = PALETTE }, {}, 100
  local function add(record) records[#records + 1] = record end
  add { kind = "map", map = "town", width = SIDE, height = SIDE, palette = PALETTE, version = 5 }
  for n = 1, EDITS do
    local edits = random_edits()
    at:apply(edits)
    add { kind = "edit", map = "town", client = "editor" .. n % 3, request = n, edits = edits, sent = time,
      came = time + 0.002, version = 5 + n }
    for k = 1, 3 do
      local question = k == 1 and { cell = { edits[1][2], math.min(edits[1][3], SIDE) } }
        or { find_path = { dice(SIDE), dice(SIDE), dice(SIDE), dice(SIDE) } }
      local answer = answer_of(at, question)
      answer.version = 5 + n
      add { kind = "ask", map = "town", client = "asker" .. k, node = "instance" .. k, sent = time + 0.003,
        came = time + 0.004, fresh = k == 2, least = k ~= 3 and 5 + n or nil, version = 5 + n,
        questions = { question }, answers = { answer } }
    end
    time = time + 0.01
  end
  return records
end

local function copy(value)
  if type(value) ~= "table" then return value end
  local its = {}
  for key, item in pairs(value) do its[key] = copy(item) end
  return its
end

-- What the checker says of a history.
local function judge(records)
  local found = {}
  local its = checker.new(function(text) found[#found + 1] = text end)
  for _, record in ipairs(records) do its:take(record) end
  return found, its:finish()
end

local function find(records, holds, from)
  for i = from or 1, #records do
    if holds(records[i]) then return i, records[i] end
  end
end

local MIDDLE = EDITS * 2

local function nth_edit(records)
  return find(records, function(r) return r.kind == "edit" end, MIDDLE)
end

local function nth_ask(records, holds)
  return find(records, function(r) return r.kind == "ask" and holds(r) end, MIDDLE)
end

local function has_cost(r) return r.answers[1].cost ~= nil end

-- Faults of a service, planted into what clients saw of it.
local PLANTED = {
  { "a lost edit: its place is given to another", "LOST", function(records)
    local i, edit = nth_edit(records)
    local _, later = find(records, function(r) return r.kind == "edit" end, i + 1)
    later.version = edit.version
  end },
  { "a lost edit: answers do not show it", "WRONG", function(records)
    local at = { }
    local _, edit = nth_edit(records)
    for _, record in ipairs(records) do -- the service's own map goes on without it
      if record.kind == "map" then at = model.new(record) end
      if record.kind == "edit" and record ~= edit then at:apply(record.edits) end
      if record.kind == "ask" then
        local version = record.answers[1].version
        record.answers[1] = answer_of(at, record.questions[1])
        record.answers[1].version = version
      end
    end
  end },
  { "a doubled edit: a version that nobody asked for", "TWICE", function(records)
    local i = nth_edit(records)
    for k = i + 1, #records do
      local record = records[k]
      record.version = record.version + 1
      if record.least then record.least = record.least + 1 end
      if record.answers then record.answers[1].version = record.version end
    end
  end },
  { "a doubled edit: one request, two versions", "TWICE", function(records)
    local i, edit = nth_edit(records)
    local again = copy(edit)
    again.version = edit.version + 1
    table.insert(records, i + 1, again)
  end },
  { "a stale answer to who asked fresh", "STALE", function(records)
    local _, ask = nth_ask(records, function(r) return r.fresh end)
    ask.version, ask.least = ask.version - 1, nil
    ask.answers[1].version = ask.version
  end },
  { "a stale answer to who said nothing: older than a second", "STALE", function(records)
    local _, ask = nth_ask(records, function(r) return not r.fresh and not r.least end)
    ask.version = ask.version - 110
    ask.answers[1].version = ask.version
  end },
  { "a version that goes back", "BACK", function(records)
    local _, ask = nth_ask(records, function(r) return r.least and not r.fresh end)
    ask.version, ask.least = ask.version - 2, ask.version - 2
    ask.answers[1].version = ask.version
  end },
  { "a wrong cost", "WRONG", function(records)
    local _, ask = nth_ask(records, has_cost)
    ask.answers[1].cost = ask.answers[1].cost + 0.5
  end },
  { "a route that is none", "WRONG", function(records)
    local _, ask = nth_ask(records, has_cost)
    ask.answers[1] = { reason = "unreachable", version = ask.version }
  end },
  { "a route that begins elsewhere", "WRONG", function(records)
    local _, ask = nth_ask(records, has_cost)
    ask.answers[1].points[1] = ask.answers[1].points[1] % SIDE + 1
  end },
  { "a cell of another version", "WRONG", function(records)
    local _, ask = nth_ask(records, function(r) return r.questions[1].cell end)
    ask.answers[1].key = ask.answers[1].key == "." and "#" or "."
  end },
  { "an answer in another's place", "WRONG", function(records)
    local i, one = nth_ask(records, has_cost)
    local _, other = find(records, function(r) return r.kind == "ask" and has_cost(r)
      and r.answers[1].cost ~= one.answers[1].cost end, i + 1)
    one.answers[1].cost = other.answers[1].cost
  end },
  { "a version that never was", "nobody made", function(records)
    local _, ask = nth_ask(records, function(r) return not r.fresh and not r.least end)
    ask.version = 5 + EDITS + 10
    ask.answers[1].version = ask.version
  end },
  { "an answer that knows what was not yet sent", "not yet sent", function(records)
    local _, ask = nth_ask(records, function(r) return not r.fresh and not r.least end)
    ask.answers[1].version = ask.version + 40
  end },
  { "an edit in the past of another", "known before it was sent", function(records)
    local i, edit = nth_edit(records)
    local _, later = find(records, function(r) return r.kind == "edit" end, i + 1)
    edit.version, later.version = later.version, edit.version
  end },
  { "a last edit that no instance holds", "WRONG", function(records)
    local at
    for _, record in ipairs(records) do
      if record.kind == "map" then at = model.new(record) end
      if record.kind == "edit" and record.version < 5 + EDITS then at:apply(record.edits) end
    end
    local mime = require "mime"
    at:apply { { "set", 3, 3, at.grid:get(3, 3) == "." and "#" or "." } }
    records[#records + 1] = { kind = "dump", map = "town", node = "instance1", version = 5 + EDITS,
      came = 1e6, dump = mime.b64(at.grid:dump()) }
  end },
}

local clean = make_history()
local found, counts = judge(copy(clean))
report.check("a history without a fault passes", #found == 0, found[1])
report.check("and was checked", counts.edits == EDITS and counts.questions == 3 * EDITS and counts.plainly > 0)
for _, fault in ipairs(PLANTED) do
  local name, word, plant = fault[1], fault[2], fault[3]
  local records = copy(clean)
  plant(records)
  local problems = judge(records)
  local hits = false
  for _, text in ipairs(problems) do hits = hits or text:find(word, 1, true) ~= nil end
  report.check("found: " .. name, hits, problems[1] or "nothing")
end
os.exit(report.summary() and 0 or 1)
