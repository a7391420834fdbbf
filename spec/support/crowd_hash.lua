-- crowd_hash.lua -- one number for thousands of beats of crowds, to compare machines, compilers and Luas.
--
-- As a module: crowd_hash.compute() -> hash, count of beats. As a script, for a module built into a folder
-- of its own:
--
--     lua5.1 spec/support/crowd_hash.lua build/5.1

local CROWDS, BEATS, MODULUS = 50, 50, 2147483647

local crowd_hash = {}

function crowd_hash.compute()
  local astar = require "astar"
  local crowd_soak = require "spec.support.crowd_soak"
  local hash, count = 1, 0
  for seed = 1, CROWDS do
    local more, beats = crowd_soak.run(astar, seed, BEATS)
    hash, count = (hash * 4099 + more) % MODULUS, count + beats
  end
  return hash, count
end

local is_script = arg and arg[0] and arg[0]:find("crowd_hash.lua", 1, true)
if is_script then
  local build = assert(arg[1], "usage: lua spec/support/crowd_hash.lua <build folder>")
  package.path = "./lua/?.lua;./lua/?/init.lua;./?.lua;" .. package.path
  package.cpath = ("./%s/?.so;./%s/?.dll;"):format(build, build) .. package.cpath
  print(("hash %d over %d beats"):format(crowd_hash.compute()))
end

return crowd_hash
