-- settings.lua -- what the Lua of an instance is told: a file of Lua, read once as HAProxy starts.
local endpoints = {}
for endpoint in (os.getenv "ASTAR_ETCD" or "127.0.0.1:2379"):gmatch "[^,]+" do endpoints[#endpoints + 1] = endpoint end

return {
  run = os.getenv "ASTAR_RUN",
  -- The nearest endpoint first. With user = and password = where etcd wants them.
  etcd = {
    endpoints = endpoints, prefix = "astar/",
    user = os.getenv "ASTAR_ETCD_USER", password = os.getenv "ASTAR_ETCD_PASSWORD",
  },
  -- A line of the log for each edit, and for each map that is made, dropped or folded.
  audit = os.getenv "ASTAR_AUDIT" ~= "off",
  -- See astar_service/limits.lua.
  limits = { fold = tonumber(os.getenv "ASTAR_FOLD") },
}
