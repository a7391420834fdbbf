-- page.lua -- docs/service.md, word by word: the commands under "Three machines, step by step" run on three network
-- namespaces as three machines, as the page has them: lua5.3 test/page.lua.
--
-- Each machine has an address of the page, and folders /etc, /opt, /var/lib, /run/astar and /root of its own. What a
-- test must not do is replaced: apt-get does nothing, systemctl is systemctl.lua, and ssh and scp reach the folders
-- of the other machine.

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local space = require "space"
space.enter { os.getenv "ASTAR_TEST_LUA" or "lua5.3", arg[0], table.unpack(arg) }

local http = require "http"
local loop = require "loop"
local machines = require "machines"
local programs = require "programs"
local report = require "report"

local check, quote = report.check, programs.quote

local DIR = os.getenv "ASTAR_TEST_DIR" or "/tmp/astar-page"
local TREE = HERE .. "/../.."
local NET, COUNT = "10.0.0.", 3

local function read(path)
  local file = io.open(path)
  local text = file and file:read "a"
  if file then file:close() end
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

-- ---- the page ----

-- The blocks of commands of a section, each with the machines on which it runs: those that the text before it names in
-- bold. A block before which no machine is named, an excerpt of a file or a command for another day, is left out.
local function blocks_of(page, title, last)
  local section = assert(page:match("\n#+ " .. title .. "\n(.-)\n#+ " .. last .. "\n"), "no section " .. title)
  local blocks, where, block = {}, nil, nil
  for line in (section .. "\n"):gmatch "([^\n]*)\n" do
    local command = line:match "^    (.*)$"
    if command then
      if not block then
        block = { where = where, lines = {} }
        blocks[#blocks + 1] = where and block or nil
      end
      table.insert(block.lines, command)
    elseif line ~= "" then
      if block then where = nil end
      block = nil
      where = line:match "%*%*each machine%*%*" and "each" or line:match "%*%*machine (%d)%*%*" or where
    elseif block then
      table.insert(block.lines, "")
    end
  end
  for _, its in ipairs(blocks) do its.text = table.concat(its.lines, "\n") end
  return blocks
end

-- ---- the machines ----

local STUBS = {
  ["apt-get"] = "exit 0",
  systemctl = 'exec "$ASTAR_LUA_PROGRAM" /opt/astar/service/test/systemctl.lua "$@"',
  -- ssh root@HOST COMMAND, where the only folder that COMMAND names is /root.
  ssh = [[n=${1##*.}; shift; eval "$(printf %s "$*" | sed "s|/root/|$ASTAR_MACHINES/$n/root/|g")"]],
  scp = [[for last do :; done
n=$(echo "$last" | sed 's/^root@10\.0\.0\.\([0-9]\):.*/\1/')
while [ $# -gt 1 ]; do cp "$1" "$ASTAR_MACHINES/$n$(echo "$last" | sed 's/^[^:]*://')"; shift; done]],
  -- The module is built; installing and building it is the concern of setup.lua.
  make = [[[ "$*" = "-C /opt/astar service-module" ] && ln -sfn "$ASTAR_LUA" /opt/astar/build/haproxy]],
}

local function set_up(i)
  local machine = ("%s/%d"):format(DIR, i)
  os.execute("mkdir -p " .. machine)
  local name = "m" .. i
  space.machine(i)
  assert(programs.run(("ip -n %s addr add %s%d/24 dev eth0"):format(name, NET, i)))
  assert(programs.run(("cd %s && mkdir -p root opt/astar/build lib run bin"):format(machine)))
  assert(programs.run(("cp -a /etc %s/etc && rm -rf %s/etc/astar"):format(machine, machine)))
  for word, text in pairs(STUBS) do
    write(("%s/bin/%s"):format(machine, word), "#!/bin/sh\n" .. text .. "\n")
    os.execute(("chmod 755 %s/bin/%s"):format(machine, word))
  end
  for _, folder in ipairs { "service", "lua", "tools" } do
    assert(programs.run(("cp -R %s/%s %s/opt/astar/"):format(TREE, folder, machine)))
  end
  assert(programs.run(("cp -R %s/build/%s %s/opt/astar/build/ && chmod -R a+rX %s/opt %s"):format(TREE, machines.lua(),
    machine, machine, machine)))
  -- One process holds the mounts of the machine; everything else on the machine enters them.
  local mounts = ("cd %s && mkdir -p /run/astar && mount --bind etc /etc && mount --bind opt /opt"
    .. " && mount --bind lib /var/lib && mount --bind run /run/astar && mount --bind root /root && exec sleep 100000")
    :format(machine)
  local pid = programs.start(("ip netns exec %s unshare --mount sh -c %s"):format(name, quote(mounts)),
    machine .. "/mounts.log")
  assert(loop.wait(5, function()
    return programs.run(("nsenter -t %d -m -r sh -c '[ -d /opt/astar/service ] && mountpoint -q /root'"):format(pid))
  end), "machine " .. i .. " has no folders: " .. (read(machine .. "/mounts.log") or ""))
  return pid
end

local keepers = {}

-- Runs commands on a machine as root: whether they ended well, and what they printed.
local function run(i, text)
  local script = ("%s/%d/script"):format(DIR, i)
  write(script, text .. "\n")
  return programs.run(("cd / && nsenter -t %d -n -m -r -w env PATH=%s/%d/bin:$PATH HOME=/root ASTAR_MACHINE=%s/%d"
    .. " ASTAR_MACHINES=%s ASTAR_LUA_PROGRAM=%s ASTAR_LUA=%s sh -e %s </dev/null"):format(keepers[i], DIR, i, DIR, i,
    DIR, os.getenv "ASTAR_TEST_LUA" or "lua5.3", machines.lua(), script))
end

-- Runs a block where the page says. `first` is the block of the page that says which machine it is.
local function follow(first, block)
  for i = 1, COUNT do
    if block.where == "each" or block.where == tostring(i) then
      local own = first.text:gsub("N=1 HOST=10%.0%.0%.1", ("N=%d HOST=%s%d"):format(i, NET, i))
      local ok, text = run(i, own .. "\n" .. block.text)
      check(("machine %d: %s"):format(i, block.lines[1]:sub(1, 70)), ok, text:sub(-1500))
      block.said = text
    end
  end
end

local function get(i, path, method, token, body)
  local connection = http.connect(NET .. i, 8700, 1)
  if not connection then return nil, "no connection" end
  local status, text, headers = connection:request(method or "GET", path, { Authorization = token }, body, 5)
  connection:close()
  return status, text or "", headers
end

local function all_ready(seconds)
  return loop.wait(seconds, function()
    for i = 1, COUNT do
      if get(i, "/readyz") ~= 200 then return false end
    end
    return true
  end, 0.2)
end

local function pid_of(i, name) return tonumber((read(("%s/%d/%s.pid"):format(DIR, i, name)) or ""):match "%d+") end

-- The permissions of a file of a machine, as "600".
local function mode_of(i, path)
  return (select(2, run(i, "stat -c %a " .. path)):match "%d+")
end

local function go()
  local page = read(TREE .. "/docs/service.md")
  local blocks = blocks_of(page, "Three machines, step by step", "TLS between HAProxy and etcd")
  assert(programs.run(("ip addr add %s254/24 dev astarbr"):format(NET)))
  for i = 1, COUNT do keepers[i] = set_up(i) end
  check("the page has a block for each of its steps", #blocks >= 8, #blocks)
  for n, block in ipairs(blocks) do
    if n > 1 then follow(blocks[1], block) end
  end
  local last = blocks[#blocks].said or ""
  check("the page's own query has its answer", last:find '"cost":3' , last)
  check("all three are ready", all_ready(30))

  for i = 1, COUNT do
    check(("machine %d: only root may read the settings"):format(i), mode_of(i, "/etc/astar/env") == "600")
    check("    others may read neither key nor tokens", mode_of(i, "/etc/astar/member.key") == "640"
      and mode_of(i, "/etc/astar/tokens.map") == "640" and mode_of(i, "/etc/astar") == "750")
    check("    the tokens are those of machine 1", read(("%s/%d/etc/astar/tokens.map"):format(DIR, i))
      == read(DIR .. "/1/etc/astar/tokens.map"))
    check("    and the key of the authority is on machine 1 alone",
      (read(("%s/%d/root/astar-keys/ca.key"):format(DIR, i)) ~= nil) == (i == 1))
    local log = read(("%s/%d/astar-etcd.log"):format(DIR, i)) or ""
    check("    its etcd speaks to the others by TLS", log:find("https://10.0.0.", 1, true)
      and not log:find("http://10.0.0.1:2380", 1, true))
  end

  local token = "Bearer " .. read(DIR .. "/1/root/astar-keys/tokens.txt"):match "edit: (%x+)"
  local function edit(i, request)
    return (get(i, "/v1/maps/town/edits", "POST", token,
      ('{"client":"page","request":%d,"edits":[["block",4,2]]}'):format(request)))
  end
  check("an edit with one of the tokens is done by another machine", edit(2, 1) == 200)
  run(1, "systemctl reload astar-haproxy")
  loop.sleep(1)
  check("machine 1 is reloaded: ready", loop.wait(10, function() return get(1, "/readyz") == 200 end))
  local began = loop.now()
  local ok, text = run(2, "systemctl stop astar-haproxy")
  check(("machine 2: systemctl stop (%.1f s)"):format(loop.now() - began), ok, text)
  check("    it is gone, and the others go on", get(2, "/readyz") == nil and edit(3, 2) == 200)
  run(2, "systemctl start astar-haproxy")
  check("    started again: ready", all_ready(20))

  print "---- a backup, and a restore of it"
  local day_blocks = blocks_of(page, "Stop, reload, upgrade", "Limits")
  local backup, restore
  for _, block in ipairs(day_blocks) do
    if block.text:find("snapshot save", 1, true) then backup = block end
    if block.text:find("snapshot restore", 1, true) then restore = block end
  end
  backup.text = "cd /root\n" .. backup.text
  follow(blocks[1], backup)
  check("an edit after the backup is done", edit(1, 3) == 200)
  for i = 1, COUNT do run(i, "systemctl stop astar-haproxy; systemctl stop astar-etcd") end
  for i = 2, COUNT do programs.run(("cp %s/1/root/astar.db %s/%d/root/"):format(DIR, DIR, i)) end
  restore.text = "cd /root\n" .. restore.text
  follow(blocks[1], restore)
  for i = 1, COUNT do run(i, "systemctl start --no-block astar-etcd astar-haproxy") end
  check("all three are ready with what was restored", all_ready(60))
  local _, described = get(3, "/v1/maps/town", "GET", token)
  check("    at the version of the backup", http.json(described or "").version == 2, described)

  print "---- a machine is lost"
  run(3, "systemctl stop astar-haproxy; systemctl stop astar-etcd; rm -rf /var/lib/astar/etcd")
  local commands = page:match "    export ETCDCTL_API=3\n(    etcdctl[^\n]*member list.-)\n\n"
  commands = commands:gsub("10%.0%.0%.4", "10.0.0.3")
  local _, list = run(1, "ETCDCTL_API=3 etcdctl --endpoints 10.0.0.1:2379 member list")
  local identifier = list:match "(%x+), [^\n]*10%.0%.0%.3:2380"
  check("the lost member is listed", identifier, list)
  local changed, said = true, nil
  for line in commands:gsub("IDENTIFIER", identifier or "none"):gmatch "[^\n]+" do
    -- As the page says, etcd adds no member for some seconds after another change.
    changed = changed and loop.wait(30, function()
      local is_done
      is_done, said = run(1, "export ETCDCTL_API=3\n" .. line)
      return is_done
    end, 1)
  end
  check("    removed, and a new one is added in its place", changed, said)
  run(3, "sed -i s/STATE=new/STATE=existing/ /etc/astar/env; systemctl start --no-block astar-etcd astar-haproxy")
  check("    which is ready", all_ready(60))
  check("    and edits", loop.wait(10, function() return edit(3, 4) == 200 end))

  print "---- TLS between HAProxy and etcd"
  for _, block in ipairs(blocks_of(page, "TLS between HAProxy and etcd", "TLS for clients")) do
    follow(blocks[1], block)
  end
  check("all three are ready over TLS", all_ready(60))
  check("    and edit", loop.wait(10, function() return edit(1, 5) == 200 end))
  local _, plain = run(1, "curl -s -m 2 http://10.0.0.2:2379/version || echo refused")
  check("    etcd speaks no plain HTTP any more", not plain:find "etcdserver", plain)
  _, plain = run(1, "curl -s -m 2 --cacert /etc/astar/ca.pem https://10.0.0.2:2379/version || echo refused")
  check("    and answers nobody without a certificate", plain:find "refused", plain)
  -- Machine 2's etcd under the name of machine 1 must not be taken for it.
  changed = run(1, "sed -i 's/verifyhost e[123]/verifyhost other/' /etc/astar/etcd.cfg"
    .. " && systemctl restart astar-haproxy")
  loop.sleep(3)
  local status = get(1, "/readyz")
  check("an instance takes no etcd whose certificate has another name", changed and status == 503, status)
  for i = 1, COUNT do
    check(("machine %d: both programs run"):format(i), programs.is_alive(pid_of(i, "astar-etcd") or 0)
      and programs.is_alive(pid_of(i, "astar-haproxy") or 0))
  end
end

if not space.is_own or os.getenv "ASTAR_SPACE" ~= "root" then
  report.skip("the page on three machines", "needs root and namespaces")
  report.passed = 1
else
  os.execute("rm -rf " .. DIR .. " && mkdir -p " .. DIR)
  report.part("the page", function() loop.run(go) end)
  for i = 1, COUNT do
    for _, name in ipairs { "astar-haproxy", "astar-etcd" } do
      local pid = pid_of(i, name)
      if pid and programs.is_alive(pid) then
        for _, child in ipairs(programs.children(pid)) do programs.adopt(child) end
        programs.adopt(pid)
      end
    end
  end
  programs.kill_all()
end
local is_good = report.summary()
if is_good and not os.getenv "KEEP" then os.execute("rm -rf " .. DIR) end
os.exit(is_good and 0 or 1)
