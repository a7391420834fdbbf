-- A packed LÖVE game whose processes and threads load the core at the same moment, in real LÖVE.
--
-- What exactly comes between what is decided in spec/love/core_spec.lua; here nothing is played by anything else.

local play = require "spec.support.love"

-- LÖVE has a Lua of its own: which one runs this spec does not matter, so only one does.
local is_once = _VERSION == "Lua 5.4" and not os.getenv "UBSAN_OPTIONS"
local missing = not is_once and "played once only: with make test LUA=5.4" or play.missing()
  or not play.can_pack() and "needs zip" or nil

-- Starts `threads` threads, finds a path in each and in the main thread, and prints which implementation found it.
local MAIN = [[
  local FIND = "local astar = require 'astar' local path = astar.grid(30, 30):find_path(1, 1, 30, 30)"
    .. " local found = astar.implementation .. ' ' .. #path "
  local threads = {}
  for i = 1, %d do
    threads[i] = love.thread.newThread(FIND .. "love.thread.getChannel('found'):push(found)\n")
    threads[i]:start()
  end
  print(loadstring(FIND .. "return found")())
  for _, thread in ipairs(threads) do
    thread:wait()
    print(thread:getError() or love.thread.getChannel("found"):pop())
  end
  love.event.quit()
]]

local TRIALS = 8

describe("a packed LÖVE game that starts many times", function()
  if missing then
    it("starts many times at once", function()
      pending(missing)
    end)
    return
  end

  -- Starts `processes` at once, each with so many threads, TRIALS times: always for the first time, or always again.
  local function try(processes, threads, is_first)
    local folder, bad = play.pack(MAIN:format(threads)), {}
    local expected = ("c 30\n"):rep(threads + 1) .. "status 0\n"
    if not is_first then play.start_together(folder, 1) end
    for _ = 1, TRIALS do
      if is_first then play.remove(folder .. "/saved") end
      for _, output in ipairs(play.start_together(folder, processes)) do
        if output ~= expected then bad[#bad + 1] = output end
      end
    end
    play.remove(folder)
    assert.same({}, bad)
  end

  it("starts for the first time in two processes", function() try(2, 0, true) end)
  it("starts again in two processes", function() try(2, 0, false) end)
  it("starts for the first time with six threads that require astar", function() try(1, 6, true) end)
  it("starts again with six threads that require astar", function() try(1, 6, false) end)
  it("starts for the first time in two processes with three threads each", function() try(2, 3, true) end)
end)
