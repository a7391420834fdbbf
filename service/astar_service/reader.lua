-- reader.lua -- the Lua state of a thread that answers queries about grids, which the owner's state shares; that of the
-- workshop makes their dumps.
--
-- lua-load-per-thread reader.lua

local settings = dofile(os.getenv "ASTAR_SETTINGS")

local http = require "astar_service.http"

if core.thread == 1 then
  http.services_elsewhere("ask", "dump", "ready")
  return
end

local astar = require "astar"
local mime = require "mime.core"

local asking = require "astar_service.asking"
local board = require "astar_service.board"
local fair = require "astar_service.fair"
local heads = require "astar_service.heads"
local limits = require "astar_service.limits"
local map = require "astar_service.map"
local store = require "astar_service.store"
local versions = require "astar_service.versions"

local told = board.open(settings.run)
local most = limits.of(settings.limits)

http.begin_when(function() return told:get "/begun" ~= nil end)

-- The maps by name that this state has been asked about, as the board told of them last.
local maps = {}

local Shared = setmetatable({}, { __index = map.class })
Shared.__index = Shared

function Shared:stamp()
  return self.object:version()
end

-- The version of a stamp. The owner writes it on the board before it publishes, so it is there.
function Shared:version_of(stamp)
  for _ = 1, 2 do
    for i = #self.stamps - 1, 1, -2 do
      if self.stamps[i] == stamp then return self.stamps[i + 1] end
    end
    self:read(told:get(self.name) or "")
  end
  http.fail(503, "the map is being read anew", "loading")
end

-- Takes in what the board tells: "grid SHARE LINKS STAMP VERSION STAMP VERSION ...".
function Shared:read(text)
  if text == self.text then return end
  self.text, self.stamps = text, {}
  for number in text:gmatch " (%d+)" do self.stamps[#self.stamps + 1] = math.tointeger(tonumber(number)) end
  self.has_links = table.remove(self.stamps, 1) == 1
end

local function find(name)
  local text = told:get(name)
  if not text then
    maps[name] = nil
    return nil, not told:get "/read" and "loading" or nil
  end
  local share = text:match "^grid (%S+)"
  if not share then return nil, text == "fault" and text or "loading" end
  local found = maps[name]
  if not found or found.share ~= share then
    local object = astar.shared(share)
    if not object then return nil, "loading" end
    found = versions.begin(setmetatable({ share = share, stamps = {}, is_ready = true }, Shared), name, object, 0)
    maps[name] = found
  end
  found:read(text)
  return found
end

local asks = heads.new(function() return store.new(settings.etcd) end)

local asked = asking.new {
  find = find, all = function() return maps end, board = told, limits = most, heads = asks,
  fair = fair.new(most.slice / 1000, most.ms / 1000),
}

http.service("ask", most.body, function(applet, text) return asked:handle(applet, text) end)

-- GET /readyz
http.service("ready", 0, function()
  local state = told:get "/state"
  if not state or asking.silence(told) > asking.SILENCE then
    return { reason = state and "etcd was not heard for a second" or "maps are being read" }, 503
  end
  local text = state:match "^ready (.*)$"
  if text then return text, 200 end
  if state == "draining" then return { reason = "this instance is about to stop" }, 503 end
  return state, 503
end)

-- ---- dumps ----

local PART = 3 * 2 ^ 16 -- bytes of a dump that are encoded in one go: a multiple of three

-- The dump of a map in base64 and its version. It is kept until the map is edited or another one is asked for.
local kept = {}

local function dump_of(found, turn)
  local object = found.object
  for _ = 1, 10 do
    local stamp = found:stamp()
    if kept.share == found.share and kept.stamp == stamp then return kept.text, kept.version end
    local version = found:version_of(stamp)
    local bytes = object:dump()
    if found:stamp() == stamp then
      local parts = {}
      for at = 1, #bytes, PART do
        parts[#parts + 1] = (mime.b64(bytes:sub(at, at + PART - 1)))
        asked.fair:pause(turn)
      end
      kept = { share = found.share, stamp = stamp, version = version, text = table.concat(parts) }
      return kept.text, version
    end
    asked.fair:pause(turn)
  end
  http.fail(503, "the map was edited too often while it was dumped", "busy")
end

local function dump(applet, turn)
  local name = http.name(applet.path:match "^/v1/maps/([^/]+)$", "a map's name")
  local parameters = http.parameters(applet, { dump = "^1$", stale = "^1$" })
  if not parameters.stale and asking.silence(told) > asking.SILENCE then
    http.fail(503, "this instance has not heard of etcd for a second", "stale")
  end
  local found, why = find(name)
  if not found and not why and asked.fair:outside(turn, asks.has, asks, name) == false then
    http.fail(404, ("there is no map %q"):format(name), "no map")
  end
  if why == "fault" then http.fail(409, ("map %q cannot be read: see /readyz"):format(name), "fault") end
  if not found then http.fail(503, ("map %q is being loaded"):format(name), "loading") end
  local width, height = found.object:size()
  if width * height > most.dump then
    http.fail(413, ("a dump is made of at most %d cells, got %d x %d"):format(most.dump, width, height))
  end
  local text, version = dump_of(found, turn)
  local record = http.parse(told:get("/record/" .. name) or "{}")
  record.version, record.dump = version, text
  return http.encode(record)
end

-- GET /v1/maps/NAME?dump=1
http.service("dump", 0, function(applet)
  local turn = asked.fair:enter(http.client(applet))
  local ok, answer = pcall(dump, applet, turn)
  asked.fair:leave(turn)
  if not ok then error(answer, 0) end
  return answer
end)

-- ---- counts ----

-- What was counted here, for /metrics, once a second.
core.register_task(function()
  while true do
    core.msleep(1000)
    http.counts[('astar_lua_bytes{thread="%d"}'):format(core.thread)] = collectgarbage "count" * 1024
    http.counts[('astar_requests_waiting{thread="%d"}'):format(core.thread)] = asked.fair:waiting()
    told:set("/counts/" .. core.thread, http.encode(http.counts))
  end
end)
