-- reader.lua -- a thread's Lua state of HAProxy: answers questions about grids that the owner's state shares.
--
-- lua-load-per-thread reader.lua

local settings = dofile(os.getenv "ASTAR_SETTINGS")

local astar = require "astar"

local asking = require "astar_service.asking"
local board = require "astar_service.board"
local http = require "astar_service.http"
local limits = require "astar_service.limits"
local map = require "astar_service.map"
local store = require "astar_service.store"
local versions = require "astar_service.versions"

local told = board.open(settings.board)

-- The maps by name that this state has asked, as the board told of them last.
local maps = {}

local Shared = setmetatable({}, { __index = map.class })
Shared.__index = Shared

function Shared:stamp()
  return self.object:version()
end

-- The version of a stamp. The owner tells it before it publishes, so it is there.
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
  if not share then return nil, "loading" end
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

local asked = asking.new {
  find = find, board = told, store = store.new(settings.etcd), limits = limits.of(settings.limits),
}

http.service("ask", function(applet, text) return asked:handle(applet, text) end)

-- What was counted here, for /metrics, once a second.
core.register_task(function()
  while true do
    core.msleep(1000)
    told:set("/counts/" .. core.thread, http.encode(asked.counts))
  end
end)
