-- space.lua -- a network, mounts and processes of the test's own, where the system permits it: machines whose cables
-- can be cut, disks that can be filled, and nothing left over when the test ends.
--
-- Each machine is a network namespace with one address; a bridge joins them, and the test itself sits on it. A cable
-- is cut by a false hardware address for who is not to be reached, one way, so that packets get lost as they do with
-- real cables: nobody is told.

local programs = require "programs"

local space = {}

local BRIDGE, NET = "astarbr", "10.77.0."

local KINDS = {
  { name = "root", command = "unshare --net --mount --pid --fork --kill-child --mount-proc" },
  { name = "user", command = "unshare --user --map-root-user --net --mount --pid --fork --kill-child --mount-proc" },
}

local READY = "mount -t tmpfs tmpfs /run && mkdir -p /run/netns && ip link set lo up && "
  .. "ip link add " .. BRIDGE .. " type bridge && ip link set " .. BRIDGE .. " up && ip netns add astartry"

-- Runs this program again in a space of its own and ends with its status; returns where it is in one, or where none
-- is permitted.
function space.enter(arguments)
  if os.getenv "ASTAR_SPACE" then return end
  for _, kind in ipairs(KINDS) do
    if programs.run(kind.command .. " sh -c " .. programs.quote(READY)) then
      local run = READY .. " && ip netns del astartry; " .. programs.command(arguments) .. "; exit $?"
      local _, how, status = os.execute("ASTAR_SPACE=" .. kind.name .. " " .. kind.command .. " sh -c "
        .. programs.quote(run))
      os.exit(how == "exit" and status or 1)
    end
  end
  print "no namespaces here: partitions are pauses, and no disk is filled"
end

space.is_own = os.getenv "ASTAR_SPACE" ~= nil

local function ip(...)
  local ok, text = programs.run("ip " .. table.concat({ ... }, " "))
  if not ok then error("ip " .. table.concat({ ... }, " ") .. ": " .. text) end
end

-- Machine number i: { number, host, exec = what runs a command on it }.
function space.machine(i)
  if not space.is_own then return { number = i, host = "127.0.0." .. i, exec = "" } end
  local name = "m" .. i
  if not programs.run("ip netns exec " .. name .. " true") then
    if i == 1 then ip("addr add", NET .. "254/24 dev", BRIDGE) end
    ip("netns add", name)
    ip("link add v" .. i, "type veth peer name eth0 netns", name)
    ip("link set v" .. i, "master", BRIDGE, "up")
    ip("-n", name, "link set lo up")
    ip("-n", name, "link set eth0 up")
    ip("-n", name, "addr add", NET .. i .. "/24 dev eth0")
  end
  return { number = i, host = NET .. i, exec = "ip netns exec " .. name .. " " }
end

-- Another address of the test's own.
function space.neighbour()
  programs.run(("ip addr add %s253/24 dev %s"):format(NET, BRIDGE))
  return NET .. "253"
end

-- Nothing that machine i sends reaches machine j any more; 254 is the test.
function space.cut(i, j)
  local from = i == 254 and "ip neigh" or "ip -n m" .. i .. " neigh"
  local dev = i == 254 and BRIDGE or "eth0"
  programs.run(("%s replace %s%d lladdr 02:00:00:00:99:99 dev %s nud permanent"):format(from, NET, j, dev))
end

function space.join(i, j)
  local from = i == 254 and "ip neigh" or "ip -n m" .. i .. " neigh"
  local dev = i == 254 and BRIDGE or "eth0"
  programs.run(("%s del %s%d dev %s"):format(from, NET, j, dev))
end

-- A disk of so many MB at `dir`.
function space.disk(dir, megabytes)
  os.execute("mkdir -p " .. dir)
  return (programs.run(("mount -t tmpfs -o size=%dm tmpfs %s"):format(megabytes, dir)))
end

return space
