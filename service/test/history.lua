-- history.lua -- what clients saw, checked against what the service kept: the log of all edits, replayed on a grid
-- of our own, must hold each edit that was acknowledged, where it was acknowledged, and give each answer at its
-- version.

local history = {}

local History = {}
History.__index = History

-- `make()` returns the grid that the map began as.
function history.new(make)
  return setmetatable({ make = make, acknowledged = {}, answers = {}, problems = {} }, History)
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
  local last = self.seen and self.seen[client] or 0
  if answer.version < last then problem(self, "a client saw version %d after %d", answer.version, last) end
  self.seen = self.seen or {}
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

-- Checks all of it against the service's rows: { { version, op, client, number }, ... } in order. Returns a list of
-- problems, empty where all is well, and how many edits and answers were checked.
function History:check(rows)
  local numbers, grid = {}, self.make()
  table.sort(self.answers, function(a, b) return a.version < b.version end)
  local finder, at, found = grid:finder(), 1, 0
  local function answer_up_to(version)
    while self.answers[at] and self.answers[at].version <= version do
      local one = self.answers[at]
      local path = finder:find_path(one.question[2], one.question[3], one.question[4], one.question[5])
      local cost = path and path.cost or false
      if cost ~= one.cost then
        problem(self, "at version %d a route by instance %s from (%d, %d) to (%d, %d) cost %s, and should %s",
          one.version, tostring(one.instance), one.question[2], one.question[3], one.question[4], one.question[5],
          tostring(one.cost), tostring(cost))
      end
      at = at + 1
    end
  end
  answer_up_to(0)
  for i, row in ipairs(rows) do
    local version = tonumber(row[1])
    if version ~= i then problem(self, "row %d has version %d", i, version) end
    local key = row[3] .. "/" .. tostring(row[4])
    if numbers[key] then problem(self, "edit %s was done twice: %d and %d", key, numbers[key], version) end
    numbers[key] = version
    local told = self.acknowledged[version]
    if told then
      found = found + 1
      if told.client ~= row[3] or told.number ~= tonumber(row[4]) or not same_op(told.op, row[2]) then
        problem(self, "version %d holds another edit than was acknowledged", version)
      end
    end
    grid[row[2][1]](grid, unpack(row[2], 2))
    answer_up_to(version)
  end
  local count = 0
  for version in pairs(self.acknowledged) do
    count = count + 1
    if version > #rows then problem(self, "version %d was acknowledged and is lost", version) end
  end
  if at <= #self.answers then problem(self, "%d answers are of versions that never were", #self.answers - at + 1) end
  return self.problems, { edits = count, found = found, rows = #rows, answers = #self.answers }
end

return history
