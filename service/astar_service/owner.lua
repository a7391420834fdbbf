-- owner.lua -- the Lua state of the thread that follows the log: it holds all maps, applies what is committed in order,
-- and publishes grids to the threads' states.
--
-- Nothing but this thread's own work delays it: it accepts no connections, and answers queries about graphs in slices
-- that wait for all else. So an instance is never stale by load alone.
--
-- lua-load-per-thread owner.lua

local settings = dofile(os.getenv "ASTAR_SETTINGS")

local http = require "astar_service.http"

if core.thread ~= 1 then
  http.services_elsewhere("edit", "admin", "ask_owner", "metrics")
  return
end

local asking = require "astar_service.asking"
local board = require "astar_service.board"
local fair = require "astar_service.fair"
local graph_map = require "astar_service.graph_map"
local heads = require "astar_service.heads"
local limits = require "astar_service.limits"
local map = require "astar_service.map"
local store = require "astar_service.store"

-- Pairs of a published stamp and its version that the board tells: readers may be at any of eight.
local STAMPS = 12

-- Seconds between two looks at whether all is heard, and after which a silent watch is made anew.
local BEAT, SILENCE = 0.2, 0.6

local owner = {
  heard = { now = 0, wall = 0 },
  maps = {}, shares = 0, counts = http.counts, settings = settings, limits = limits.of(settings.limits),
  board = board.open(settings.run), store = store.new(settings.etcd), follower = store.new(settings.etcd),
}

function owner.new_store() return store.new(owner.settings.etcd) end -- one for each task

owner.heads = heads.new(owner.new_store)

function owner.count(name, by) owner.counts[name] = (owner.counts[name] or 0) + (by or 1) end

-- Fields of a line of the audit log, in order.
local AUDITED = { "audit", "map", "token", "client", "request", "version", "made", "base", "edits" }

-- Writes a line of the audit log: what was done with a map, and for which token at which address (`request.who`).
function owner.audit(action, request, map_name, fields)
  if settings.audit == false then return end
  fields.audit, fields.map, fields.token = action, map_name, request.who
  local parts = {}
  for _, name in ipairs(AUDITED) do
    if fields[name] ~= nil then parts[#parts + 1] = ('"%s":%s'):format(name, http.encode(fields[name])) end
  end
  core.log(core.debug, "{" .. table.concat(parts, ",") .. "}") -- at another level stderr has the line, too
end

-- A function that lets others go on if a slice is over.
function owner.pauser()
  local began = http.now()
  return function()
    if (http.now() - began) * 1000 < owner.limits.slice then return end
    core.yield()
    began = http.now()
  end
end

-- Starts a task that comes after all other work of this thread, as requests do.
function owner.start(run)
  core.register_task(function()
    core.set_nice(16)
    run()
  end)
end

-- Calls run(...) in a task of its own and waits: its results, or what it raised. A request whose client leaves ends at
-- its next wait; what it holds then, such as a claim, would stand in the way of others.
function owner.call_to_its_end(run, ...)
  local arguments, results, waits = table.pack(...), nil, 0
  owner.start(function() results = table.pack(pcall(run, table.unpack(arguments, 1, arguments.n))) end)
  while not results do
    waits = waits + 1
    core.msleep(math.min(10, 1 + waits // 16))
  end
  if not results[1] then error(results[2], 0) end
  return table.unpack(results, 2, results.n)
end

-- ---- publishing ----

-- Tells the threads what a map is now. The board first: a stamp that is seen can be looked up.
function owner.publish(entry)
  local its = entry.map
  if its.is_graph then return owner.board:set(entry.name, "graph") end
  local stamps = entry.stamps
  table.insert(stamps, 1, ("%d %d"):format(its.object:version(), its.version))
  stamps[STAMPS + 1] = nil
  local oldest_first = {}
  for i = #stamps, 1, -1 do oldest_first[#oldest_first + 1] = stamps[i] end
  owner.board:set(entry.name,
    ("grid %s %d %s"):format(entry.share, its.has_links and 1 or 0, table.concat(oldest_first, " ")))
  entry.is_dirty = not its.object:publish()
end

-- Tells what /readyz answers as long as etcd is heard: "ready" and a text, or the text alone if it is not ready. A map
-- that is made while the instance runs does not make it unready.
local function tell_state()
  local reason, faults
  for name, entry in pairs(owner.maps) do
    if entry.fault then
      faults = faults or {}
      faults[name] = entry.fault
    elseif not entry.map and not entry.is_made then
      reason = ("map %q is being loaded"):format(name)
    end
  end
  if not owner.has_read then reason = "maps are being read" end
  if owner.is_draining then
    owner.board:set("/state", "draining")
    return
  end
  local text = reason and http.encode { reason = reason } or "ready " .. http.encode { ready = true, faults = faults }
  owner.board:set("/state", text)
  if not reason and owner.heard.wall > 0 and not owner.has_begun then
    owner.has_begun = true
    owner.board:set("/begun", "yes")
  end
end

http.begin_when(function() return owner.has_begun end)

local function open_map(entry, its)
  entry.map, entry.stamps, entry.queue, entry.done, entry.pending = its, {}, {}, {}, nil
  its.is_ready = true
  if not its.is_graph then
    owner.shares = owner.shares + 1
    entry.share = ("%s@%d"):format(entry.name, owner.shares)
    its.object:share(entry.share)
  end
  owner.take_record(entry, entry.record)
  owner.publish(entry)
  tell_state()
end

-- What a map is, for those who ask for it.
function owner.describe(entry)
  local width, height = entry.map:size()
  return {
    name = entry.name, version = entry.map.version, base = entry.record.base, kind = entry.record.kind,
    width = width, height = height, made = entry.record.made,
  }
end

-- Puts a map's record in its place, and tells the other threads.
function owner.take_record(entry, record)
  if record.base > entry.record.base then entry.log_bytes = 0 end
  entry.record = record
  if entry.map then owner.board:set("/record/" .. entry.name, http.encode(owner.describe(entry))) end
end

local function forget(name)
  local entry = owner.maps[name]
  if not entry then return end
  owner.maps[name] = nil
  owner.board:drop(name)
  owner.board:drop("/record/" .. name)
  if entry.map and not entry.map.is_graph then entry.map.object:unshare() end
end

-- ---- following ----

-- A map whose rows cannot be read is not there, and says why. It can be dropped; the other maps go on.
local function set_fault(entry, fault)
  if entry.map and not entry.map.is_graph then entry.map.object:unshare() end
  fault = http.plain_text(fault)
  entry.map, entry.pending, entry.fault = nil, {}, fault
  core.Alert(("astar: map %s: %s"):format(entry.name, fault))
  owner.count "astar_faults_total"
  owner.board:set(entry.name, "fault")
  owner.board:drop("/record/" .. entry.name)
  tell_state()
end

-- Applies the edits of a list of requests; false if a version before them is missing. Edits that fail are reported.
local function apply_batch(its, first, batch)
  local failed = its.failed
  for i, ops in ipairs(batch) do
    if not its:apply(first + i - 1, ops) then return false end
  end
  if its.failed ~= failed then core.Alert(("astar: map %s: an edit was left out: %s"):format(its.name, its.failure)) end
  return true
end

-- Applies edits as they were appended together, by this instance or others. If one before them is missing all is read
-- again.
function owner.apply(entry, first, batch, bytes, is_own)
  if entry.pending then
    if not entry.fault then entry.pending[#entry.pending + 1] = { first, batch } end
    return
  end
  local before = entry.map.version
  if not apply_batch(entry.map, first, batch) then owner.must_read = true end
  if entry.map.version == before then return end
  entry.log_bytes = (entry.log_bytes or 0) + (bytes or 0)
  if not is_own then entry.others = http.now() end
  owner.publish(entry)
  if owner.is_long(entry) then owner.fold(entry) end
end

-- Reads a map's pieces and edits as of a revision; raises what stood in the way.
local function read_map(from, record, revision)
  local pause, its = owner.pauser(), nil
  local dump = record.kind == "graph" and {}
  local ok, why = from:read_pieces(record, revision, function(meta)
    if not dump then its = map.new(record.name, record.base, meta) end
  end, function(i, text)
    if dump then dump[i] = text else its:put_piece(i, text, pause) end
    pause()
  end)
  if not ok then error(why, 0) end
  if dump then its = graph_map.new(record.name, record.base, table.concat(dump)) end
  local head
  head, why = from:head(record.name)
  if not head then error(why or ("there is no row head/" .. record.name), 0) end
  ok, why = from:read_edits(record.name, record.base, revision, function(first, batch)
    apply_batch(its, first, batch)
    pause()
  end)
  if not ok then error(why, 0) end
  return its
end

-- Begins to hold a map, or another one that was made under the name of a dropped map. Edits that come while it is read
-- wait. `is_made`: the map was made just now.
local function load_map(record, revision, is_made)
  local entry = { name = record.name, record = record, pending = {}, is_made = is_made }
  forget(record.name)
  owner.maps[record.name] = entry
  if record.fault then return set_fault(entry, record.fault) end
  owner.board:set(record.name, "loading")
  tell_state()
  owner.start(function()
    local from = owner.new_store()
    local ok, its
    for _ = 1, 5 do
      ok, its = pcall(read_map, from, record, revision)
      if ok or its == "compacted" or owner.maps[record.name] ~= entry then break end
      core.msleep(100)
    end
    if owner.maps[record.name] ~= entry then return end
    if not ok and (its == "compacted" or its == "unavailable") then
      owner.maps[record.name], owner.must_read = nil, true
    elseif not ok then
      set_fault(entry, map.plain(its))
    else
      local pause = owner.pauser()
      local at = 1
      while entry.pending[at] do -- more may come in the pauses
        if not apply_batch(its, entry.pending[at][1], entry.pending[at][2]) then entry.was_passed = true end
        at = at + 1
        pause()
      end
      -- A defect of ours would end this task and leave the map loading for ever.
      ok, its = pcall(open_map, entry, its)
      if not ok then
        set_fault(entry, "it cannot be opened: " .. tostring(its))
      elseif entry.was_passed then
        owner.must_read = true
      end
    end
  end)
end

local function take_record(record, revision, is_heard)
  local entry = owner.maps[record.name]
  local is_new = not entry or entry.record.made ~= record.made or entry.fault or record.fault
  if is_new or entry.map and entry.map.version < record.base then
    load_map(record, revision, is_heard and not entry)
  else
    owner.take_record(entry, record)
  end
end

-- Reads all there is: of what is held already its newer edits alone.
local function read_all()
  local maps, revision = owner.follower:read()
  if not maps then return false end
  for name in pairs(owner.maps) do
    if not maps[name] then forget(name) end
  end
  for name, record in pairs(maps) do
    local known = owner.maps[name]
    -- Edits between the end of the last watch and this revision are not among those that wait for a map that is
    -- loading: all is read again once the map is there.
    if known and known.pending and not known.fault then known.was_passed = true end
    local is_known_fault = known and known.fault and known.record.revision == record.revision
    if not is_known_fault then take_record(record, revision) end
    local entry = owner.maps[name]
    if entry.map then
      local ok, done, why = pcall(owner.follower.read_edits, owner.follower, name, entry.map.version, revision,
        function(first, batch) apply_batch(entry.map, first, batch) end)
      if not ok then
        set_fault(entry, tostring(done))
      elseif not done then
        return false, why
      else
        owner.publish(entry)
      end
    end
  end
  owner.revision, owner.has_read = revision, true
  owner.board:set("/read", "yes") -- what is not there from now on is nowhere
  return true
end

local function on_event(kind, name, first, batch, bytes)
  if kind == "revision" then
    owner.revision = math.max(owner.revision, name)
    return not owner.must_turn and not owner.must_read
  elseif kind == "map" then
    take_record(name, tonumber(name.revision), true)
  elseif kind == "dropped" then
    forget(name)
  elseif kind == "fault" then
    if owner.maps[name] then set_fault(owner.maps[name], first .. " cannot be read") end
  elseif owner.maps[name] then
    owner.apply(owner.maps[name], first, batch, bytes)
  end
end

local function follow()
  local from = owner.follower
  while not owner.is_over do
    owner.must_turn = false
    if owner.must_read or not owner.revision then
      owner.must_read = false -- whoever finds that more is missing, in the midst of it, too, says so again
      if not read_all() then
        owner.must_read = true
        core.msleep(50)
      end
    else
      local result = from:watch(owner.revision + 1, SILENCE, on_event)
      owner.count "astar_watches_total"
      if result == "compacted" then
        owner.must_read = true
      elseif not result or owner.must_turn then
        from.etcd:turn()
        core.msleep(20)
      end
    end
  end
end

-- ---- whether all is heard ----

-- Publishes what could not be, for readers held every copy; whether nothing is left.
local function publish_rest()
  local is_done = true
  for _, entry in pairs(owner.maps) do
    if entry.is_dirty then entry.is_dirty = not entry.map.object:publish() end
    is_done = is_done and not entry.is_dirty
  end
  return is_done
end

-- Whether this instance is about to stop: the unit then makes this file, see astar-haproxy.service.
local function look_for_drain()
  local file = io.open(settings.run .. "/drain")
  if file then file:close() end
  owner.is_draining = file ~= nil
end

-- Ends the watch once HAProxy is to stop and nothing but the watch is left: HAProxy ends when its last stream does.
local function look_for_stop()
  local info = core.get_info()
  local jobs = (tonumber(info.Jobs) or 0) - (tonumber(info["Unstoppable Jobs"]) or 0)
  if tonumber(info.Stopping) ~= 1 or jobs > 1 then return end
  owner.is_over = true
  owner.follower.etcd:hang_up()
end

-- All that a majority had at some moment is here and published: then that moment is told.
local function beat()
  local asks = owner.new_store()
  while true do
    look_for_drain()
    look_for_stop()
    if owner.is_over then return end
    local moment = http.moment()
    local began = moment.now
    local last = owner.revision and not owner.must_read and asks:last_change(owner.revision)
    if last then
      local till = http.now() + 2 * BEAT
      while not (owner.revision and owner.revision >= last and publish_rest()) and http.now() < till do
        core.msleep(5)
      end
      if owner.revision and owner.revision >= last and publish_rest() then
        if owner.heard.wall > 0 then owner.count("astar_stale_seconds_total", owner.seconds_stale()) end
        owner.heard = moment
        owner.board:set("/heard", ("%.3f %.3f"):format(moment.now, moment.wall))
      else
        owner.must_turn = true -- the watch stays behind what another way tells
      end
    end
    tell_state()
    core.msleep(math.max(1, math.floor((began + BEAT - http.now()) * 1000)))
  end
end

-- A task for ever, before all other work of this thread.
local function guarded(name, run)
  core.register_task(function()
    core.set_nice(-1024)
    while not owner.is_over do
      local ok, why = pcall(run)
      if not ok then core.Alert(("astar: %s: %s"):format(name, tostring(why))) end
      core.msleep(100)
    end
  end)
end

guarded("following", follow)
guarded("hearing", beat)

-- ---- services ----

-- The entry of a map by its name in a request. Only etcd's word is taken that there is no such map.
function owner.find(name)
  local entry = owner.maps[http.name(name, "a map's name")]
  if entry and entry.map then return entry end
  if entry and entry.fault then http.fail(409, ("map %q: %s"):format(name, entry.fault), "fault") end
  if not entry and owner.has_read then
    if not owner.heads:has(name) then http.fail(404, ("there is no map %q"):format(name), "no map") end
  end
  http.fail(503, ("map %q is being loaded"):format(name), "loading")
end

function owner.is_heard() return http.age(owner.heard) <= asking.SILENCE end

-- Returns for how many seconds this instance has been stale up to now.
function owner.seconds_stale() return math.max(0, math.min(http.age(owner.heard), 1e9) - asking.SILENCE) end

owner.fair = fair.new(owner.limits.slice / 1000, owner.limits.ms / 1000)

require "astar_service.edits"(owner)
require "astar_service.folds"(owner)
require "astar_service.admin"(owner)
