-- crowd.lua -- many connections of one address, held open: lua5.3 crowd.lua ADDRESS HOST PORT COUNT SECONDS TEXT.
-- Sends TEXT on each as it is opened, and prints how many were opened as soon as all were tried.

local socket = require "socket"

local ADDRESS, HOST, PORT, COUNT, SECONDS, TEXT = arg[1], arg[2], tonumber(arg[3]), tonumber(arg[4]), tonumber(arg[5]),
  arg[6]

local list = {}
for _ = 1, COUNT do
  local sock = socket.tcp()
  sock:settimeout(1)
  if not sock:bind(ADDRESS, 0) then error("no address " .. ADDRESS) end
  if sock:connect(HOST, PORT) and sock:send(TEXT) then list[#list + 1] = sock else sock:close() end
end
print(#list)
io.flush()
socket.sleep(SECONDS)
