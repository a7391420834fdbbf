-- rows.lua -- the core's maps kept up with Tarantool's rows, and edits written as rows.
--
-- A row is applied once it is committed, by box.on_commit in the trigger: at the time of on_replace a majority has
-- not got it yet, and it may be rolled back.

local fiber = require "fiber"
local log = require "log"
local map = require "astar_service.map"

local rows = {}

local Rows = {}
Rows.__index = Rows

-- Edits of a map in the log before they are folded into its chunks.
rows.FOLD = 10000

-- ---- reading ----

local function each_chunk(name)
  local index, state, at = box.space.astar_chunks:pairs { name }
  return function()
    local row
    at, row = index(state, at)
    if row then return row.cx, row.cy, row.ground, row.blocks end
  end
end

-- The edits of a map from one version to another.
local function each_edit(name, first, last)
  local index, state, at = box.space.astar_edits:pairs({ name, first }, { iterator = "GE" })
  return function()
    local row
    at, row = index(state, at)
    if row and row.map == name and row.version <= last then return row.version, row.op end
  end
end

-- Makes a map in memory of its rows, of version `last` or what it was folded to. Nothing yields on the way, so no edit
-- falls between.
local function load_map(self, row, last)
  local meta = row.meta
  meta.name, meta.base = row.name, row.base
  local ok, why = pcall(self.core.load, self.core, meta, each_chunk(row.name), each_edit(row.name, 0, last))
  if not ok then
    self.faults[row.name] = tostring(why)
    log.error("map %s: %s", row.name, tostring(why))
  else
    self.faults[row.name] = nil
  end
  self.changed:broadcast()
end

-- Reads a map from its rows again, where what is in memory may not be what was committed.
local function reload(self, name, last)
  local row = box.space.astar_maps:get(name)
  self.core:drop(name)
  if row and row.state == "ready" then load_map(self, row, last) end
end

-- Takes the edits of a map up to a version into the one in memory.
local function take_up_to(self, name, last)
  for version, op in each_edit(name, self.core.maps[name].version + 1, last) do
    local ok, why = pcall(self.core.apply, self.core, name, version, op)
    if not ok then
      log.error("map %s, version %d: %s; read anew", name, tonumber(version), tostring(why))
      return reload(self, name, last)
    end
  end
end

local function take_map(self, row)
  if not self.is_read then return end
  local known = self.core.maps[row.name]
  if row.state == "ready" and not known then
    load_map(self, row, row.base) -- edits after that may be rolled back yet
  elseif row.state == "ready" then
    known.base = row.base -- folded
  elseif row.state == "dropped" then
    self.core:drop(row.name, row.base)
    self.changed:broadcast()
  end
end

-- A committed edit; all before it are, too.
local function take_edit(self, row)
  if self.core.maps[row.map] then take_up_to(self, row.map, row.version) end
  self.changed:broadcast()
end

-- Brings the maps in memory to the versions, by name, that are certain; nil: to all that the rows hold. What an
-- instance finds in its rows when it starts may not have been confirmed, and be rolled back without another word.
function Rows:read(confirmed)
  self.is_read = true
  for _, row in box.space.astar_maps:pairs() do
    local known, last = self.core.maps[row.name], math.huge
    if confirmed then last = confirmed[row.name] end
    if row.state == "ready" and last and known then
      take_up_to(self, row.name, last)
    elseif row.state == "ready" and last and not self.faults[row.name] then
      load_map(self, row, last)
    elseif row.state == "dropped" and not (confirmed and last) then
      self.core:drop(row.name, row.base)
    end
  end
  self.changed:broadcast()
end

local function on_commit(take, self)
  return function(_, new)
    if not new then return end
    if box.is_in_txn() then
      box.on_commit(function() take(self, new) end)
    else
      take(self, new)
    end
  end
end

-- Follows the rows, once they were read. `core` is astar_service.core's; `changed` a condition to wait at for any
-- change. may_write() raises where this instance does not write; resign() has another write.
function rows.new(service, may_write, resign, fold_after)
  local self = setmetatable({
    core = service, changed = fiber.cond(), faults = {}, fold_after = fold_after or rows.FOLD,
    held_until = 0, lock = fiber.channel(1), may_write = may_write, resign = resign,
  }, Rows)
  box.space.astar_maps:on_replace(on_commit(take_map, self))
  box.space.astar_edits:on_replace(on_commit(take_edit, self))
  return self
end

-- ---- writing ----

-- Tarantool 2.6 answers a commit before its confirmation is in the log, and when that is written wakes whoever waits
-- for the next commit, which takes it for a write that failed. So commits go one at a time, each after the
-- confirmation of the one before.
local IS_OLD = tostring(_TARANTOOL):find "^2%.[56]%." ~= nil

local function wait_for_confirmation(lsn)
  local till = fiber.clock() + 1
  while box.info.lsn < lsn and fiber.clock() < till do fiber.sleep(0) end
  fiber.sleep(0)
end

-- Runs `deed`, which returns how many rows it wrote, as one transaction; an error of the engine is one of ours, in
-- words.
local function commit(self, deed)
  local before = box.info.lsn
  box.begin()
  local ok, why = pcall(deed)
  local count = why
  if ok then ok, why = pcall(box.commit) end
  if ok then
    if IS_OLD and count > 0 then wait_for_confirmation(before + count + 1) end
    return
  end
  box.rollback()
  why = tostring(why)
  if why:find "[Qq]uorum" or why:find "rolled back" or why:find "rollback" then
    -- One that stopped following may still bring it to the next writer.
    error("no majority of the instances took it in time: send it again to know", 0)
  end
  if why:find "[Ww]rite to disk" then
    self.resign()
    error("not the writer: this one's disk takes no more", 0)
  end
  error(why, 0)
end

-- Does one of the things below that write, alone, while this instance writes.
function Rows:alone(name, ...)
  self.lock:put(true)
  while fiber.clock() < self.held_until do fiber.sleep(0.005) end
  local ok, result = pcall(self.may_write)
  if ok then ok, result = pcall(self[name], self, ...) end
  self.lock:get()
  if not ok then error(map.plain(result), 0) end
  return result
end

local function ready_map(name)
  local row = box.space.astar_maps:get(tostring(name))
  if not row or row.state ~= "ready" then error(("there is no map %q"):format(tostring(name)), 0) end
  return row
end

local function last_version(row)
  local last = box.space.astar_edits.index.version:max { row.name }
  return last and last.map == row.name and tonumber(last.version) or tonumber(row.base)
end

-- Waits until an edit that was sent before, and is sent again, is committed; false: it was rolled back.
local function wait_for(self, name, version)
  while true do
    local known = self.core.maps[name]
    if known and known.version >= version then return true end
    if not box.space.astar_edits:get { name, version } then return false end
    self.changed:wait(0.05)
  end
end

-- The version of an edit that this client sent before under this number; nil: it never came.
local function done_before(self, client, number)
  local row = box.space.astar_clients:get(client)
  if not row or row.number < number then return nil end
  if row.number > number then error("an edit of this client with a greater number came before", 0) end
  if wait_for(self, row.map, tonumber(row.version)) then return tonumber(row.version) end
end

-- Edits a map, all of the list or none. Returns the version that holds them, once a majority has it.
function Rows:edit(name, client, number, ops)
  if type(client) ~= "string" or #client > 64 or type(number) ~= "number" or number % 1 ~= 0 or number < 1 then
    error("an edit needs a client's name of at most 64 characters and a number from 1 on", 0)
  end
  if type(ops) ~= "table" or #ops == 0 or #ops > self.core.limits.batch then
    error(("edits must be a list of 1 to %d"):format(self.core.limits.batch), 0)
  end
  local before = done_before(self, client, number)
  if before then return before end
  local row = ready_map(name)
  self.core:check(name, ops)
  local version = last_version(row)
  local ok, why = pcall(commit, self, function()
    for _, op in ipairs(ops) do
      version = version + 1
      box.space.astar_edits:insert { name, version, op, client, number }
    end
    box.space.astar_clients:replace { client, number, name, version, math.floor(fiber.time()) }
    return #ops + 1
  end)
  if not ok then
    self.core:forget_drafts(name)
    error(why, 0)
  end
  return version
end

-- Takes no edits for so many seconds, 0 ends that; returns once none is under way.
function Rows:hold(seconds)
  self.held_until = fiber.clock() + math.min(seconds, 5)
  local till = fiber.clock() + 0.3
  while self.lock:is_full() and fiber.clock() < till do fiber.sleep(0.001) end
end

-- Delete a map's rows, of its log those up to a version; how many there were.
local function delete_chunks(name)
  local list = {}
  for _, chunk in box.space.astar_chunks:pairs { name } do list[#list + 1] = { name, chunk.cx, chunk.cy } end
  for _, key in ipairs(list) do box.space.astar_chunks:delete(key) end
  return #list
end

local function delete_edits(name, version)
  local list = {}
  for _, edit in box.space.astar_edits:pairs { name } do
    if edit.version > version then break end
    list[#list + 1] = { name, edit.version }
  end
  for _, key in ipairs(list) do box.space.astar_edits:delete(key) end
  return #list
end

-- Begins a map: its chunks are to be put, then it is opened. Of a name that was dropped versions go on.
function Rows:make(meta)
  self.core:check_meta(meta)
  local old = box.space.astar_maps:get(meta.name)
  if old and old.state == "ready" then error(("there is a map %q already"):format(meta.name), 0) end
  if not old and box.space.astar_maps:count() >= self.core.limits.maps then error("there are too many maps", 0) end
  local base = old and tonumber(old.base) + 1 or 0
  commit(self, function()
    local count = delete_chunks(meta.name)
    box.space.astar_maps:replace { meta.name, "loading", base, meta }
    return count + 1
  end)
  return base
end

-- Puts chunks of a map that is not opened yet: a list of { cx, cy, ground [, blocks] }.
function Rows:put(name, list)
  local row = box.space.astar_maps:get(tostring(name))
  if not row or row.state ~= "loading" then error(("no map %q is being made"):format(tostring(name)), 0) end
  if type(list) ~= "table" or #list > self.core.limits.batch then
    error(("chunks must be a list of at most %d"):format(self.core.limits.batch), 0)
  end
  local meta = row.meta
  if meta.graph then error("a graph has no chunks", 0) end
  local across, down = math.ceil(meta.width / map.CHUNK), math.ceil(meta.height / map.CHUNK)
  for i, chunk in ipairs(list) do
    local cx, cy = chunk[1], chunk[2]
    if type(cx) ~= "number" or type(cy) ~= "number" or cx % 1 ~= 0 or cy % 1 ~= 0 or cx < 0 or cy < 0
      or cx >= across or cy >= down then
      error(("chunks[%d] must begin with cx, cy from 0 to %d, %d"):format(i, across - 1, down - 1), 0)
    end
    -- Tried on a grid of that chunk alone, which says what is wrong.
    local w, h = math.min(map.CHUNK, meta.width - cx * map.CHUNK), math.min(map.CHUNK, meta.height - cy * map.CHUNK)
    map.new({ name = name, width = w, height = h, x0 = 0, y0 = 0, base = 0, palette = meta.palette })
      :put_chunk(0, 0, chunk[3], chunk[4] or {})
  end
  commit(self, function()
    for _, chunk in ipairs(list) do
      local blocks = setmetatable(chunk[4] or {}, { __serialize = "seq" })
      box.space.astar_chunks:replace { name, chunk[1], chunk[2], chunk[3], blocks }
    end
    return #list
  end)
end

-- Opens a map that was made: it answers from now on, on all instances.
function Rows:open(name)
  local row = box.space.astar_maps:get(tostring(name))
  if not row or row.state ~= "loading" then error(("no map %q is being made"):format(tostring(name)), 0) end
  commit(self, function()
    box.space.astar_maps:update(name, { { "=", 2, "ready" } })
    return 1
  end)
  return tonumber(row.base)
end

-- Drops a map and its rows; the row of its name stays, so that versions of a later one of that name go on.
function Rows:drop(name)
  local row = ready_map(name)
  commit(self, function()
    local version = last_version(row)
    local count = delete_chunks(name) + delete_edits(name, version)
    box.space.astar_maps:update(name, { { "=", 2, "dropped" }, { "=", 3, version }, { "=", 4, {} } })
    return count + 1
  end)
end

local function put_all(self, name, from)
  local across, down = from:chunk_count()
  local list = {}
  for cy = 0, down - 1 do
    for cx = 0, across - 1 do
      list[#list + 1] = { cx, cy, from:chunk(cx, cy) }
      if #list == 64 or cy == down - 1 and cx == across - 1 then
        self:alone("put", name, list)
        list = {}
      end
    end
  end
end

-- Makes a map that is a copy of another as it is now, while others are served.
function Rows:copy(name, to)
  ready_map(name)
  local from = self.core.maps[name]
  local still = setmetatable({ object = from:copy() }, { __index = from })
  local meta = still:meta()
  meta.name, meta.base = to, nil
  self:alone("make", meta)
  put_all(self, to, still)
  return self:alone("open", to)
end

-- Folds a map's log into its chunks, as one transaction.
function Rows:fold(name)
  local known = self.core.maps[name]
  local meta, version = known:meta(), known.version
  local touched = known:take_touched()
  local chunks = {}
  for i, at in ipairs(touched) do
    local ground, blocks = known:chunk(at[1], at[2])
    chunks[i] = { name, at[1], at[2], ground, setmetatable(blocks, { __serialize = "seq" }) }
  end
  local ok, why = pcall(commit, self, function()
    for _, chunk in ipairs(chunks) do box.space.astar_chunks:replace(chunk) end
    box.space.astar_maps:update(name, { { "=", 3, version }, { "=", 4, meta } })
    return #chunks + 1 + delete_edits(name, version)
  end)
  if ok then return end
  known:touch_again(touched)
  log.error("map %s was not folded: %s", name, why)
end

-- Forgets clients that were not heard of for a day.
function Rows:forget_clients()
  local old = math.floor(fiber.time()) - 86400
  local list = {}
  for _, row in box.space.astar_clients.index.time:pairs(old, { iterator = "LT" }) do
    if #list < 1000 then list[#list + 1] = row.client end
  end
  if #list > 0 then
    commit(self, function()
      for _, client in ipairs(list) do box.space.astar_clients:delete(client) end
      return #list
    end)
  end
end

-- Folds logs that have grown long, and forgets clients that were not heard of for a day; for who writes, now and
-- then.
function Rows:tidy()
  for name, known in pairs(self.core.maps) do
    if known.version - known.base > self.fold_after then self:alone("fold", name) end
  end
  if box.space.astar_clients.index.time then self:alone "forget_clients" end
end

-- What the log of each map ends with, edits that are not committed yet included.
function Rows.last_versions()
  local list = {}
  for _, row in box.space.astar_maps:pairs() do
    if row.state == "ready" then list[row.name] = last_version(row) end
  end
  return list
end

-- The version of each map that is certain here.
function Rows:confirmed_versions()
  local list = {}
  for name, known in pairs(self.core.maps) do list[name] = known.version end
  return list
end

-- Does the log here hold more than `theirs`, which was told later? What then is wrong, or nothing.
function Rows.compare(theirs)
  for name, version in pairs(Rows.last_versions()) do
    if theirs and theirs[name] and version > theirs[name] then
      return ("map %s: version %d here, %d where it is written"):format(name, version, theirs[name])
    end
  end
end

-- This instance does not write any more: what it had tried out will not come.
function Rows:stop_writing()
  for name in pairs(self.core.maps) do self.core:forget_drafts(name) end
end

return rows
