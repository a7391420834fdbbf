-- A collector that runs in the middle of a call may run a finalizer that closes, by hand, what the call
-- is about, and so may a callback. The call then ends with an error or as if nothing had been; the process goes on.
local closing = require "spec.support.closing"
local full = require "spec.support.full"
local process = require "spec.support.process"
local public = require "spec.support.public"

-- At how many places of each call an object is closed, one place a time.
local MOST = full.is_full and 8 or 1
-- A part tries one of so many cases of each method, and each call with one kind of objects. A case is a call, what is
-- closed and in which way. The number is coprime to 2 and 3, since the ways of closing repeat with those periods.
local STRIDE = full.is_full and 1 or 5

describe("a finalizer or a callback in the middle of a call", function()
  it("is tested with every method of every class and with each module function that takes an object", function()
    for _, method in ipairs(public.methods) do
      local calls = closing.calls[method.class] or {}
      assert(method.name:find "^__" or method.name == "close" or calls[method.name],
        ("%s:%s is not in spec/support/closing.lua"):format(method.class, method.name))
    end
  end)

  for class in pairs(closing.calls) do
    it("may close the object whose method is running, for the class " .. class, function()
      local script = 'require("spec.support.closing").try_class(%q, %d, %d)'
      local output, status = process.run(script:format(class, MOST, STRIDE))
      assert.matches("closed %d+ times, as it may\n$", output)
      assert.equal(0, status)
    end)
  end
end)
