-- history.lua -- what clients saw, checked against what the service kept: the log of all edits, replayed on a grid
-- of our own, must hold each edit that was acknowledged, where it was acknowledged, and give each answer at its
-- version.

local history = {}

local History = {}
History.__index = History

-- `make()` returns the grid that the map began as.
function history.new(make)
  local grid = make()
  return setmetatable({
    grid = grid, finder = grid:finder(), version = 0, -- as far as it was replayed
    acknowledged = {}, answers = {}, numbers = {}, seen = {}, problems = {},
    found = 0, answered = 0, late = 0,
  }, History)
end

local function problem(self, text, ...)
  self.problems[#self.problems + 1] = text:format(...)
end

-- An edit was acknowledged: by which client, under which number, what, and the version.
function History:edit(client, number, op, version)
  if self.acknowledged[version] then problem(self, "version %d was acknowledged twice", version) end
  self.acknowledged[version] = { client = client, number = number, op = op }
end

-- A client got an answer by an instance: its question and cost (false: none). Versions must not go back for a
-- client.
function History:answer(client, question, answer, instance)
  local last = self.seen[client] or 0
  if answer.version < last then problem(self, "a client saw version %d after %d", answer.version, last) end
  self.seen[client] = answer.version
  self.answers[#self.answers + 1] =
    { question = question, cost = answer.cost or false, version = answer.version, instance = instance }
end

local function same_op(a, b)
  for i = 1, math.max(#a, #b) do
    if a[i] ~= b[i] then return false end
  end
  return true
end

-- Checks the answers of the version that the grid here is of.
local function check_answers(self, at)
  while self.answers[at] and self.answers[at].version <= self.version do
    local one = self.answers[at]
    local q = one.question
    if one.version < self.version then
      self.late = self.late + 1 -- it came after that version was checked
    else
      local path = self.finder:find_path(q[2], q[3], q[4], q[5])
      local cost = path and path.cost or false
      if cost ~= one.cost then
        problem(self, "at version %d a route by instance %s from (%d, %d) to (%d, %d) cost %s, and should %s",
          one.version, tostring(one.instance), q[2], q[3], q[4], q[5], tostring(one.cost), tostring(cost))
      end
      self.answered = self.answered + 1
    end
    at = at + 1
  end
  return at
end

-- Replays an edit of the service's log: { version, op, client, number }.
local function replay(self, row)
  local version, key = tonumber(row[1]), row[3] .. "/" .. tostring(row[4])
  if version ~= self.version + 1 then problem(self, "version %d comes after %d", version, self.version) end
  if self.numbers[key] then
    problem(self, "edit %s was done twice: %d and %d", key, self.numbers[key], version)
  end
  self.numbers[key] = version
  local told = self.acknowledged[version]
  if told then
    self.found = self.found + 1
    if told.client ~= row[3] or told.number ~= tonumber(row[4]) or not same_op(told.op, row[2]) then
      problem(self, "version %d holds another edit than was acknowledged", version)
    end
    self.acknowledged[version] = nil
  end
  self.grid[row[2][1]](self.grid, unpack(row[2], 2))
  self.version = version
end

-- Checks what was seen against the next rows of the service's log, in order, and forgets it: what clients see in an
-- hour does not fit a memory.
function History:check(rows)
  table.sort(self.answers, function(a, b) return a.version < b.version end)
  local at = check_answers(self, 1)
  for _, row in ipairs(rows) do
    replay(self, row)
    at = check_answers(self, at)
  end
  local left = {}
  for i = at, #self.answers do left[#left + 1] = self.answers[i] end
  self.answers = left
end

-- All rows were checked: nothing may be left.
function History:finish()
  for version in pairs(self.acknowledged) do
    problem(self, "version %d was acknowledged and is lost", version)
  end
  if #self.answers > 0 then problem(self, "%d answers are of versions that never were", #self.answers) end
  return self.problems
end

return history
