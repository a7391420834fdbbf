-- A collector that runs in the middle of a call may run a finalizer that closes, by hand, what the call
-- is about. The call then ends with an error or as if nothing had been; the process goes on.
local closing = require "spec.support.closing"
local full = require "spec.support.full"
local process = require "spec.support.process"

local ROUNDS = full.is_full and 16 or 8

describe("a finalizer in the middle of a call", function()
  for kind in pairs(closing.calls) do
    it("may close the " .. kind .. " that the call is about", function()
      local output, status = process.run(('require("spec.support.closing").try(%q, %d)'):format(kind, ROUNDS))
      assert.equal("as it may\n", output)
      assert.equal(0, status)
    end)
  end
end)
