local full = require "spec.support.full"
local soak = require "spec.support.soak"

local FIRST_SEED = tonumber(os.getenv "ASTAR_SEED") or 1
local SOAKS = full.is_full and 5 or 1

describe("a long run of edits and queries", function()
  for seed = FIRST_SEED, FIRST_SEED + SOAKS - 1 do
    it("returns the costs of a plain Dijkstra search while its memory stays constant, seed " .. seed, function()
      assert.is_true(soak.run(6000, seed) >= 6000)
    end)
  end
end)
