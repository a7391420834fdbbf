-- instance.lua -- one instance of the service in Tarantool: starts it, and gives it the functions that clients call.

local fiber = require "fiber"
local fio = require "fio"
local log = require "log"
local clock = require "clock"

local core = require "astar_service.core"
local election = require "astar_service.tarantool.election"
local rows = require "astar_service.tarantool.rows"
local schema = require "astar_service.tarantool.schema"

local instance = {}

-- Seconds that the writer takes no edits while another instance copies all it has: the engine cannot copy and confirm
-- edits at the same time (Tarantool 2.6.0: "Unknown request type 40").
local JOIN = 2

-- Seconds that following another may hold up a vote: one that is stopped takes a connection and says nothing.
local CONNECT = 0.5

local function uuid_of(id)
  return ("a57a0000-0000-4000-8000-%012d"):format(id)
end

local function is_empty(dir)
  return #fio.glob(fio.pathjoin(dir, "*.snap")) == 0
end

-- Puts the copy aside: of the last one that could not be used something may be learned.
local function put_aside(dir)
  local aside = fio.pathjoin(dir, "aside")
  fio.rmtree(aside)
  fio.mktree(aside)
  for _, pattern in ipairs { "*.snap", "*.xlog", "*.inprogress", "*.vylog" } do
    for _, file in ipairs(fio.glob(fio.pathjoin(dir, pattern))) do
      fio.rename(file, fio.pathjoin(aside, fio.basename(file)))
    end
  end
end

-- Waits for somebody who writes, and takes a copy of what it has.
local function join(config, vote, settings)
  local writer
  repeat
    writer = vote:find_writer()
    if not writer and config.create then return false end
  until writer
  log.info("joining instance %d", writer)
  put_aside(config.dir)
  local joined = false
  vote:call(writer, "astar_hold", JOIN)
  fiber.create(function() -- a large copy takes longer
    for _ = 1, 30 do
      fiber.sleep(JOIN / 2)
      if joined then return end
      vote:call(writer, "astar_hold", JOIN)
    end
  end)
  settings.replication, settings.replication_connect_quorum = { vote.peer_uri(writer) }, 1
  box.cfg(settings)
  box.cfg { replication = {}, replication_connect_quorum = 0 }
  joined = true
  vote:call(writer, "astar_hold", 0)
  return true
end

-- Starts the engine on what this instance has, or has it take a copy of the writer's; true: it made the first of all.
local function start_engine(config, vote, settings)
  local created = false
  if vote:must_join() then
    config.create = false
    join(config, vote, settings)
  elseif is_empty(config.dir) then
    created = not join(config, vote, settings)
    if created then
      settings.read_only = false
      box.cfg(settings)
    end
  else
    vote:begin_reading()
    box.cfg(settings)
  end
  vote:end_reading()
  box.cfg { replication_connect_timeout = CONNECT }
  return created
end

-- ---- what clients call ----

local function who_writes(self)
  return self.vote.is_writer and self.vote.id or self.vote.sees_writer and self.vote.state.writer or nil
end

local function must_write(self)
  if self.vote.is_writer then return end
  error(("not the writer: %s"):format(tostring(who_writes(self) or "nobody is")), 0)
end

local function health(self)
  local lag, upstream
  for _, other in pairs(box.info.replication) do
    if other.upstream then upstream, lag = other.upstream.status, other.upstream.lag end
  end
  return {
    id = self.vote.id, term = self.vote.state.term, writer = who_writes(self), is_writer = self.vote.is_writer,
    ready = self.vote.is_ready or false,
    reached = self.vote.reached, upstream = upstream, lag = lag, maps = self.core:list(), counts = self.core.counts,
    faults = next(self.rows.faults) and self.rows.faults or nil, schema = schema.version(), version = core.VERSION,
    uptime = box.info.uptime, memory = box.slab.info().items_used, cpu = clock.proc(),
  }
end

-- The functions by name, as they are called through the engine: arguments are data, and are checked by who takes
-- them.
local function make_functions(self)
  local service, store, vote = self.core, self.rows, self.vote
  -- What was read at the start may hold an edit that no majority had, until somebody who writes was heard.
  local function must_be_ready()
    if not vote.is_ready then error("not ready", 0) end
  end
  rawset(_G, "astar_ask", function(name, question, options)
    must_be_ready()
    return service:ask(name, question, options)
  end)
  rawset(_G, "astar_ask_many", function(name, list, options)
    must_be_ready()
    return service:ask_many(name, list, options)
  end)
  rawset(_G, "astar_maps", function() return service:list() end)
  rawset(_G, "astar_health", function() return health(self) end)
  rawset(_G, "astar_peer", function() return vote:tell() end)
  rawset(_G, "astar_vote", function(...) return vote:vote(...) end)
  rawset(_G, "astar_hold", function(seconds) return store:hold(seconds) end)
  rawset(_G, "astar_upgrade", function()
    must_write(self)
    schema.upgrade()
    return schema.version()
  end)
  for _, name in ipairs { "edit", "make", "put", "open", "drop" } do
    rawset(_G, "astar_" .. name, function(...) return store:alone(name, ...) end)
  end
  rawset(_G, "astar_copy", function(...)
    must_write(self)
    return store:copy(...)
  end)
end

local function tidy_now_and_then(self)
  fiber.create(function()
    fiber.name "astar_tidy"
    while true do
      fiber.sleep(1)
      if self.vote.is_writer then
        local ok, why = pcall(self.rows.tidy, self.rows)
        if not ok then log.error("tidying: %s", tostring(why)) end
      end
    end
  end)
end

-- Starts instance `config.id` of:
--   uris      host:port of each, by id                 dir      where its rows are kept
--   users     { name =, password =, role = } each; the one of the role "peer" is the instances' own
--   create    makes the first copy of all where there is none anywhere; of one instance, once
--   fold_after  edits of a map in its log before they are folded into its chunks (10,000)
--   limits    see core.LIMITS                          engine   more of Tarantool's own settings (box.cfg)
function instance.start(config)
  config.dir = fio.abspath(config.dir) -- the engine changes the working directory
  fio.mktree(config.dir)
  local peer
  for _, user in ipairs(config.users) do
    if user.role == "peer" then peer = user end
  end
  if not peer then error 'config.users needs one of the role "peer"' end
  if not (peer.name .. peer.password):find "^[%w_.-]+$" then
    error "the peers' name and password must be letters, digits, '_', '.' or '-': they are part of an address"
  end
  local self = {}
  local vote = election.new {
    id = config.id, uris = config.uris, dir = config.dir, uuid_of = uuid_of,
    peer_uri = function(id) return ("%s:%s@%s"):format(peer.name, peer.password, config.uris[id]) end,
    on_change = function(is_writer)
      if is_writer then
        self.rows:read() -- all that a majority has is confirmed by now, and the rest rolled back
      else
        self.rows:stop_writing()
      end
    end,
    on_confirmed = function(versions) self.rows:read(versions) end,
    last_versions = function() return self.rows and self.rows.last_versions() or {} end,
    confirmed_versions = function() return self.rows and self.rows:confirmed_versions() or {} end,
    compare = function(theirs) return self.rows.compare(theirs) end,
  }
  local settings = {
    listen = config.uris[config.id], work_dir = config.dir, instance_uuid = uuid_of(config.id),
    replicaset_uuid = uuid_of(0), replication = {}, replication_connect_quorum = 0, read_only = true,
    replication_timeout = 0.5, replication_synchro_quorum = math.floor(#config.uris / 2) + 1,
    replication_synchro_timeout = 2, memtx_max_tuple_size = 16 * 1024 * 1024, checkpoint_count = 2,
    memtx_memory = 256 * 1024 * 1024,
  }
  for name, value in pairs(config.engine or {}) do settings[name] = value end
  local created = start_engine(config, vote, settings)
  if created then
    -- No other copy exists yet: nobody can confirm.
    box.cfg { replication_synchro_quorum = 1 }
    schema.upgrade(config.schema)
    schema.make_users(config.users)
    box.cfg { replication_synchro_quorum = settings.replication_synchro_quorum }
  end
  while not (box.space.astar_clients and box.space.astar_clients.index.client) do fiber.sleep(0.05) end
  self.vote = vote
  local changed -- the rows' condition, once there are any
  self.core = core.new {
    limits = config.limits, clock = clock.monotonic, yield = fiber.yield,
    wait = function(_, seconds) changed:wait(seconds) end,
  }
  self.rows = rows.new(self.core, function() must_write(self) end, function() vote:resign() end, config.fold_after)
  changed = self.rows.changed
  make_functions(self)
  if created then vote:begin_first() end
  vote:run()
  tidy_now_and_then(self)
  log.info("instance %d is ready", config.id)
  return self
end

return instance
