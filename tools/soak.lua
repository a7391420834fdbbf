-- soak.lua -- make soak: random edits and questions against the oracle. Arguments: how many, seed.

local soak = require "spec.support.soak"

local count = tonumber(arg[1]) or 1000000
local seed = tonumber(arg[2]) or os.time() % 1000000

print(("soak of %d, seed %d: make soak N=%d SEED=%d repeats it"):format(count, seed, count, seed))
local begun = os.clock()
local done = soak.run(count, seed, print)
print(("%d edits and questions without a fault, %.0f s"):format(done, os.clock() - begun))
print "1 passed, 0 failed, 0 skipped"
