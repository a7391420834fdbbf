-- election.lua -- which instance writes: terms, votes, and the fencing of a writer that was thought dead.
--
-- Engines before election modes leave this to whoever runs them. The rules are those of Raft's elections (Ongaro and
-- Ousterhout, "In Search of an Understandable Consensus Algorithm", 2014), over the engine's own replication:
--   - in each term at most one instance writes, the one a majority voted for;
--   - a vote goes only to one whose log holds all that the voter's holds, so what a majority had stays;
--   - who votes stops following the writer before, so that one finds no majority for an edit any more, alive or not;
--   - who was left behind with rows that the new writer lacks throws its copy away, and joins anew.
-- A term and a vote are kept in a file: local rows would wait behind edits that have no majority yet.

local fiber = require "fiber"
local fio = require "fio"
local json = require "json"
local log = require "log"
local net = require "net.box"

local election = {}

local BEAT = 0.1     -- seconds between two looks at the others
local PATIENCE = 4   -- so many looks in vain at the writer, and one a place in line, before an instance stands for it
local CALL = 0.4     -- seconds that a call to another may take
local VOTE = 1       -- and one for a vote, which waits for a disk
local REST = 10      -- seconds that one whose disk failed does not stand again
local CATCH_UP = 3   -- seconds for a follower to have what the new writer has

local Election = {}
Election.__index = Election

-- ---- what is kept ----

local function read_state(dir)
  local file = fio.open(fio.pathjoin(dir, "term"), { "O_RDONLY" })
  if not file then return { term = 0, writer = 0 } end
  local ok, state = pcall(json.decode, file:read())
  file:close()
  return ok and state or { term = 0, writer = 0 }
end

-- Takes a term and whom this one votes for in it (0: nobody) as its state, at once: whoever decided by the state
-- before, and has waited for anything since, sees that it is another.
local function enter(self, term, writer)
  self.state = { term = term, writer = writer }
  return self.state
end

-- Calls what waits for the disk or the engine, one at a time.
local function alone(lock, call, ...)
  lock:put(true)
  local ok, why = pcall(call, ...)
  lock:get()
  if not ok then error(why, 0) end
end

local function write_state(self)
  local name = fio.pathjoin(self.dir, "term")
  local file, why = fio.open(name .. ".new", { "O_WRONLY", "O_CREAT", "O_TRUNC" }, tonumber("600", 8))
  if not file then error("term: " .. tostring(why)) end
  local ok = file:write(json.encode(self.state)) and file:fsync()
  file:close()
  if not ok or not fio.rename(name .. ".new", name) then error "term: the disk takes no more" end
end

-- The state as it is now, written whole or not at all, and on the disk before anybody hears of it.
local function keep_state(self)
  alone(self.keeping, write_state, self)
end

-- Notes how often the copy here was begun to be read and not finished: an engine that finds it damaged ends.
function Election:begin_reading()
  self.state.reading = (self.state.reading or 0) + 1
  keep_state(self)
end

function Election:end_reading()
  self.state.reading, self.state.rejoin = nil, nil
  keep_state(self)
end

-- Is the copy here to be thrown away? It was asked for, or could not be read twice.
function Election:must_join()
  return self.state.rejoin or (self.state.reading or 0) >= 2
end

-- Asks for a fresh copy at the next start, and ends the process: whoever runs it starts it again.
local function join_anew(self, why)
  log.error("joining anew: %s", why)
  self.state.rejoin = true
  keep_state(self)
  os.exit(3)
end

-- ---- logs ----

-- What an instance has of each other's rows; rows that are its own alone (0) are nobody's business.
local function clock_of_log()
  local clock = {}
  for id, lsn in pairs(box.info.vclock) do
    if id ~= 0 then clock[tostring(id)] = tonumber(lsn) end
  end
  return clock
end

local function holds_all_of(a, b)
  for id, lsn in pairs(b) do
    if (a[id] or 0) < lsn then return false end
  end
  return true
end

-- ---- the others ----

local function call_peer(self, id, timeout, name, ...)
  local connection = self.connections[id]
  if not connection or not connection:is_connected() then return nil end
  local ok, answer = pcall(connection.call, connection, name, { ... }, { timeout = timeout })
  return ok and answer or nil
end

-- Calls all others at once; a list of the answers by id.
local function call_all(self, timeout, name, ...)
  local answers, arguments, left = {}, { ... }, 0
  local done = fiber.channel(#self.uris)
  for id in ipairs(self.uris) do
    if id ~= self.id then
      left = left + 1
      fiber.create(function()
        answers[id] = call_peer(self, id, timeout, name, unpack(arguments))
        done:put(true)
      end)
    end
  end
  for _ = 1, left do done:get(timeout * 2) end
  return answers
end

local function majority(self)
  return math.floor(#self.uris / 2) + 1
end

-- ---- following ----

local function switch_stream(self)
  local id = self.following -- what was wanted last
  box.cfg { read_only = true, replication = id and { self.peer_uri(id) } or {} }
end

-- Takes rows from the writer `id`, or from nobody.
local function follow_only(self, id)
  self.following = id
  alone(self.switching, switch_stream, self)
end

-- A term in which another writes, as it says. Before anything is taken from it, it must have all that is here.
local function follow(self, id, term)
  local mine = enter(self, term, id)
  self.heard = nil
  if self.is_writer then
    self.is_writer = false
    self.on_change(false)
  end
  follow_only(self, nil)
  keep_state(self)
  local its = call_peer(self, id, CALL, "astar_peer")
  if self.state ~= mine or not its or its.term ~= term or not its.is_writer then return end
  if not holds_all_of(its.clock, clock_of_log()) then join_anew(self, "this copy has rows that the writer lacks") end
  local wrong = self.compare(its.last)
  if wrong then join_anew(self, wrong) end
  follow_only(self, id)
  log.info("term %d: following %d", term, id)
end

-- What the writer told of itself, `its`, is read in the rows here once they hold all that it had then, and a look has
-- passed since: rows that it took back are gone from here, too.
local function hear(self, its)
  if self.heard then
    self.on_confirmed(self.heard)
    self.is_ready = true
  end
  self.heard = holds_all_of(clock_of_log(), its.clock) and its.confirmed or nil
end

-- The engine's stream from the writer may have ended by an error of its own.
local function mend_stream(self)
  if self.following ~= self.state.writer then return follow(self, self.state.writer, self.state.term) end
  for _, other in pairs(box.info.replication) do
    local stream = other.uuid == self.uuid_of(self.state.writer) and other.upstream
    if stream and stream.status == "stopped" then
      log.warn("the stream from %d stopped: %s", self.state.writer, tostring(stream.message))
      if tostring(stream.message):find "[Dd]uplicate" then join_anew(self, stream.message) end
      follow_only(self, nil)
      fiber.sleep(BEAT)
      follow_only(self, self.state.writer)
    end
  end
end

-- ---- votes ----

-- Asked by `candidate`: may it write in `term`? Its log is of `clock`. The term is taken before anything is waited
-- for, so that nobody else is promised it meanwhile.
function Election:vote(term, candidate, clock)
  local refusal = { granted = false, term = self.state.term }
  if term <= self.state.term or self.is_writer or self.sees_writer then return refusal end
  local mine = enter(self, term, 0)
  follow_only(self, nil)
  if self.state == mine and holds_all_of(clock, clock_of_log()) then mine.writer = candidate end
  keep_state(self)
  if self.state ~= mine or mine.writer ~= candidate then return refusal end
  self.misses = 0
  fiber.create(function()
    if self.state == mine then pcall(follow_only, self, candidate) end
  end)
  return { granted = true, term = term }
end

-- Waits until a majority has what is here: what the writer before had sent to it is then kept, and nothing else is.
local function wait_for_followers(self)
  local till, mine = fiber.clock() + CATCH_UP, clock_of_log()
  repeat
    local count = 1
    for _, other in pairs(box.info.replication) do
      local stream = other.downstream
      if stream and stream.status == "follow" and stream.vclock then
        local its = {}
        for id, lsn in pairs(stream.vclock) do its[tostring(id)] = tonumber(lsn) end
        if holds_all_of(its, mine) then count = count + 1 end
      end
    end
    if count >= majority(self) then return true end
    fiber.sleep(0.01)
  until fiber.clock() > till
  return false
end

-- Rows that the writer before had sent and a majority has are confirmed, the others rolled back. The engine waits
-- for its own time first, twice as long as an edit may take.
local function settle_pending()
  local usual = box.cfg.replication_synchro_timeout
  box.cfg { replication_synchro_timeout = 0.05 }
  local ok, why = pcall(box.ctl.promote or box.ctl.clear_synchro_queue)
  box.cfg { replication_synchro_timeout = usual }
  if not ok then log.error("pending edits could not be settled: %s", tostring(why)) end
  return ok
end

local function win(self, mine)
  local votes = 1
  for _, answer in pairs(call_all(self, VOTE, "astar_vote", mine.term, self.id, clock_of_log())) do
    if answer.granted then votes = votes + 1 end
    self.tried = math.max(self.tried, answer.term)
  end
  local won = votes >= majority(self) and self.state == mine and wait_for_followers(self)
    and self.state == mine and settle_pending() and self.state == mine
  if not won then return false end
  self.on_change(true)
  self.is_writer, self.is_ready = true, true
  box.cfg { read_only = false }
  log.info("term %d: writing, by %d votes", mine.term, votes)
  return true
end

-- Stands for the next term. One that is not elected goes back to the term before, or it would refuse a writer that
-- all others follow; nobody can have won this term but the one that has given it up, and it never stands in it again.
local function stand(self)
  local before = self.state
  self.tried = math.max(self.tried, before.term) + 1
  local mine = enter(self, self.tried, self.id)
  follow_only(self, nil)
  keep_state(self)
  if self.state == mine and not win(self, mine) and self.state == mine then
    self.state = before
    keep_state(self)
  end
end

-- Ends writing, and leaves it to the others for a while.
function Election:resign()
  if not self.is_writer then return end
  log.error "this instance cannot write: another is to"
  self.is_writer = false
  self.barred_until = fiber.clock() + REST
  follow_only(self, nil)
  self.on_change(false)
end

-- What another sees of this one.
function Election:tell()
  return {
    id = self.id, term = self.state.term, writer = self.state.writer, is_writer = self.is_writer,
    clock = clock_of_log(), last = self.last_versions(), confirmed = self.confirmed_versions(),
  }
end

-- ---- the beat ----

local function look(self)
  local answers, reached, best = call_all(self, CALL, "astar_peer"), 1, nil
  for _, answer in pairs(answers) do
    reached = reached + 1
    if answer.is_writer and answer.term >= self.state.term and (not best or answer.term > best.term) then
      best = answer
    end
  end
  self.reached = reached
  if self.is_writer and not best then return end
  if best and (best.term > self.state.term or self.state.writer ~= best.id) then follow(self, best.id, best.term) end
  self.sees_writer = best ~= nil
  if best then
    self.misses = 0
    if not self.is_writer then mend_stream(self) end
    if self.following == best.id then hear(self, best) end
    return
  end
  self.misses = self.misses + 1
  local is_due = self.misses >= PATIENCE + 2 * (self.id - 1) and fiber.clock() > self.barred_until
  if is_due and reached >= majority(self) then
    self.misses = 0
    stand(self)
  end
end

-- The instance `id` among `uris` (of all, in order). `peer_uri(id)` is where rows come from, with a name and
-- password, `uuid_of(id)` how the engine knows it; on_change(is_writer) is called when this one begins or ends to
-- write, before anybody may ask. last_versions() tells others what the log ends with, confirmed_versions() what of it
-- is certain; compare(theirs) says what is wrong with the one here, or nothing; on_confirmed(versions) is told what is
-- certain in the rows here.
function election.new(options)
  local self = setmetatable(options, Election)
  self.state = read_state(self.dir)
  self.connections, self.misses, self.reached, self.barred_until, self.tried = {}, 0, 0, 0, 0
  self.keeping, self.switching = fiber.channel(1), fiber.channel(1)
  self.is_writer, self.sees_writer, self.is_ready = false, false, false
  for id in ipairs(self.uris) do
    if id ~= self.id then
      self.connections[id] = net.connect(self.peer_uri(id), { reconnect_after = BEAT, wait_connected = false })
    end
  end
  return self
end

-- Calls a function of another instance: its answer, or nil.
function Election:call(id, name, ...)
  return call_peer(self, id, CALL, name, ...)
end

-- Who writes now, as the others say, for one that has no copy yet: its id, or nil.
function Election:find_writer()
  fiber.sleep(BEAT * 3)
  local writer, term
  for id, answer in pairs(call_all(self, CALL, "astar_peer")) do
    if answer.is_writer and (not term or answer.term > term) then writer, term = id, answer.term end
  end
  return writer
end

-- The one that makes the first copy of all writes in the first term.
function Election:begin_first()
  enter(self, 1, self.id)
  keep_state(self)
  self.on_change(true)
  self.is_writer, self.is_ready = true, true
end

function Election:run()
  fiber.create(function()
    fiber.name "astar_election"
    while true do
      local ok, why = pcall(look, self)
      if not ok then log.error("election: %s", tostring(why)) end
      fiber.sleep(BEAT)
    end
  end)
end

return election
