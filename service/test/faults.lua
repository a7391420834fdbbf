-- faults.lua -- what can go wrong, as a table: each fault breaks something, waits, and mends it.
--
-- 'keeps': a majority and a way to it are left, so edits must go on while it lasts; where it does not, they must once
-- it is mended.

local loop = require "loop"
local space = require "space"

local faults = {}

local function others(machines, i)
  local list = {}
  for k = 1, machines.count do
    if k ~= i then list[#list + 1] = k end
  end
  return list
end

local function pause_for(dice, least, most)
  loop.sleep(least + dice() * (most - least))
end

local function killed(what)
  return function(machines, dice, i)
    machines:kill(what, i)
    pause_for(dice, 0, 2)
    machines:start(what, i)
  end
end

local function paused(what)
  return function(machines, dice, i)
    machines:pause(what, i)
    pause_for(dice, 0.1, 3)
    machines:resume(what, i)
  end
end

-- Cuts cables, each { from, to }, for a while; pauses machine i where there are none.
local function cut(cables_of)
  return function(machines, dice, i)
    if not space.is_own then return paused "both"(machines, dice, i) end
    local cables = cables_of(machines, i, dice)
    for _, cable in ipairs(cables) do space.cut(cable[1], cable[2]) end
    pause_for(dice, 0.5, 5)
    for _, cable in ipairs(cables) do space.join(cable[1], cable[2]) end
  end
end

local function both_ways(i, list)
  local cables = {}
  for _, k in ipairs(list) do
    cables[#cables + 1] = { i, k }
    cables[#cables + 1] = { k, i }
  end
  return cables
end

local function leader_or(machines, i)
  return machines:leader() or i
end

local LIST = {
  { name = "kill etcd", keeps = true, run = killed "etcd" },
  { name = "kill haproxy", keeps = true, run = killed "haproxy" },
  { name = "kill both of a machine", keeps = true, run = killed "both" },
  { name = "kill the etcd that leads", keeps = true,
    run = function(machines, dice, i) killed "etcd"(machines, dice, leader_or(machines, i)) end },
  { name = "kill the machine that leads", keeps = true,
    run = function(machines, dice, i) killed "both"(machines, dice, leader_or(machines, i)) end },
  { name = "pause etcd", keeps = true, run = paused "etcd" },
  { name = "pause haproxy", keeps = true, run = paused "haproxy" },
  { name = "pause both of a machine", keeps = true, run = paused "both" },
  { name = "pause the etcd that leads", keeps = true,
    run = function(machines, dice, i) paused "etcd"(machines, dice, leader_or(machines, i)) end },
  { name = "cut a machine off the others", keeps = true,
    run = cut(function(machines, i) return both_ways(i, others(machines, i)) end) },
  { name = "cut the machine that leads off the others", keeps = true,
    run = cut(function(machines, i)
      i = leader_or(machines, i)
      return both_ways(i, others(machines, i))
    end) },
  { name = "cut a machine off the others and the clients", keeps = true,
    run = cut(function(machines, i)
      local list = others(machines, i)
      list[#list + 1] = 254
      return both_ways(i, list)
    end) },
  { name = "cut a cable between two", keeps = true,
    run = cut(function(machines, i, dice) return both_ways(i, { others(machines, i)[dice(machines.count - 1)] }) end) },
  { name = "cut what a machine sends", keeps = true,
    run = cut(function(machines, i)
      local cables = {}
      for _, k in ipairs(others(machines, i)) do cables[#cables + 1] = { i, k } end
      return cables
    end) },
  { name = "fill the disk", keeps = true, once = true,
    run = function(machines, dice)
      local i = machines.disk
      if not i then return killed "etcd"(machines, dice, 1) end
      local ballast = machines.disk_dir .. "/ballast"
      os.execute(("dd if=/dev/zero of=%s bs=1M count=400 2>/dev/null"):format(ballast))
      pause_for(dice, 1, 4)
      os.remove(ballast)
      machines:kill("etcd", i) -- it may have ended by itself, or wait for ever
      machines:start("etcd", i)
    end },
  { name = "pause two etcds",
    run = function(machines, dice, i)
      for _, k in ipairs(others(machines, i)) do machines:pause("etcd", k) end
      pause_for(dice, 0.5, 4)
      for _, k in ipairs(others(machines, i)) do machines:resume("etcd", k) end
    end },
  { name = "cut all from all",
    run = cut(function()
      return { { 1, 2 }, { 1, 3 }, { 2, 1 }, { 2, 3 }, { 3, 1 }, { 3, 2 } }
    end) },
  { name = "kill all etcds",
    run = function(machines, dice)
      for k = 1, machines.count do machines:kill("etcd", k) end
      pause_for(dice, 0, 1)
      for k = 1, machines.count do machines:start("etcd", k) end
    end },
  { name = "kill all haproxies",
    run = function(machines, dice)
      for k = 1, machines.count do machines:kill("haproxy", k) end
      pause_for(dice, 0, 1)
      for k = 1, machines.count do machines:start("haproxy", k) end
    end },
  { name = "kill all", run = function(machines, dice)
    for k = 1, machines.count do machines:kill("both", k) end
    pause_for(dice, 0, 1)
    for k = 1, machines.count do machines:start("both", k) end
  end },
  { name = "fold, compact, then kill all", run = function(machines, dice, _, load)
    load:fold()
    machines:compact()
    for k = 1, machines.count do machines:kill("both", k) end
    pause_for(dice, 0, 1)
    for k = 1, machines.count do machines:start("both", k) end
  end },
  { name = "fold and compact without end", keeps = true, run = function(machines, _, _, load)
    for _ = 1, 10 do
      load:fold()
      machines:compact()
      loop.sleep(0.2)
    end
  end },
  { name = "compact past a paused haproxy", keeps = true, run = function(machines, dice, i, load)
    machines:pause("haproxy", i)
    pause_for(dice, 0.5, 2)
    load:fold()
    machines:compact()
    pause_for(dice, 0, 0.5)
    machines:resume("haproxy", i)
  end },
  { name = "defragment etcd", keeps = true, run = function(machines, _, i)
    machines:etcd(i, "/v3/maintenance/defragment", "{}", 10)
  end },
  { name = "the alarm of a full quota", run = function(machines, dice)
    machines:alarm("ACTIVATE")
    pause_for(dice, 0.5, 2)
    machines:alarm("DEACTIVATE")
  end },
  { name = "a haproxy two days ahead", keeps = true, run = function(machines, dice, i)
    machines:set_clock(i, dice(2) == 1 and "+2d" or "-2d")
    machines:kill("haproxy", i)
    machines:start("haproxy", i)
    pause_for(dice, 1, 3)
    machines:set_clock(i, nil)
    machines:kill("haproxy", i)
    machines:start("haproxy", i)
  end },
}

faults.LIST = LIST

-- Draws faults without end: each list of all in an order of its own, one after another.
function faults.draw(dice)
  local bag = {}
  return function()
    if #bag == 0 then
      for i, fault in ipairs(LIST) do bag[i] = fault end
    end
    return table.remove(bag, dice(#bag))
  end
end

return faults
