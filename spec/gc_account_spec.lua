-- What objects hold outside of Lua's sight is charged to its collector, so that those a script has
-- dropped are collected in time, by whatever Lua and in either mode.

local full = require "spec.support.full"
local process = require "spec.support.process"

-- Makes and drops so many grids of a megabyte, of which the last few are in use, beside so many
-- tables. What those not yet collected took at most, and what Lua takes itself, both in kB.
local function drop(mode, dropped, kept, tables)
  local output, status = process.run(([[
    local mode, dropped, kept, tables = %q, %d, %d, %d
    if mode ~= "" then collectgarbage(mode) end
    local live = {}
    for i = 1, tables do live[i] = {} end
    collectgarbage()
    local a_grid = astar.grid(1000, 1000):bytes() / 1024
    local last, there, most = {}, setmetatable({}, { __mode = "v" }), 0
    for i = 1, dropped do
      local grid = astar.grid(1000, 1000)
      there[i], last[i %% kept] = grid, grid
      if i %% 20 == 0 then
        local count = 0
        for _ in pairs(there) do count = count + 1 end
        most = math.max(most, count * a_grid)
      end
    end
    last = nil
    collectgarbage()
    print(("%%.0f %%.0f"):format(most, collectgarbage "count"))
  ]]):format(mode, dropped, kept, tables))
  assert.equal(0, status, output)
  local most, own = output:match "^(%d+) (%d+)\n$"
  return assert(tonumber(most), output), tonumber(own)
end

local MODES = _VERSION >= "Lua 5.4" and { "incremental", "generational" } or { "" }

-- The same of flows that are completed by steps with so many milliseconds, and nothing else. How many
-- there were at most; whether what was garbage before the first flow was still there after the step that
-- completed it, beside so many tables.
local function drop_flows(mode, dropped, tables)
  local output, status = process.run(([[
    local mode, dropped, tables = %q, %d, %d
    if mode ~= "" then collectgarbage(mode) end
    local live = {}
    for i = 1, tables do live[i] = {} end
    local finder = astar.grid(700, 700):finder()
    collectgarbage()
    local garbage, there, most, is_left = setmetatable({}, { __mode = "k" }), setmetatable({}, { __mode = "k" }), 0, nil
    garbage[{}] = true
    for i = 1, dropped do
      local flow = finder:flow(1, 1)
      local job = flow:completing()
      there[flow] = true
      while job:step { ms = 2 } == "running" do end
      if i == 1 then is_left = next(garbage) ~= nil end
      local count = 0
      for _ in pairs(there) do count = count + 1 end
      most = math.max(most, count)
    end
    print(most, is_left)
  ]]):format(mode, dropped, tables))
  assert.equal(0, status, output)
  local most, is_left = output:match "^(%d+)%s+(%a+)\n$"
  return assert(tonumber(most), output), is_left == "true"
end

for _, mode in ipairs(MODES) do
  describe(("dropped flows, with the garbage collector %s,"):format(mode == "" and "as it is" or mode), function()
    it("are freed so early that at most 30 flows are in memory", function()
      assert.is_true(drop_flows(mode, 100, 0) <= 30)
    end)

    if mode ~= "generational" then
      it("are not all freed in the step that completes a flow", function()
        local _, is_left = drop_flows(mode, 1, 300000)
        assert.is_true(is_left)
      end)
    end
  end)
end

for _, mode in ipairs(MODES) do
  describe(("dropped grids, with the garbage collector %s,"):format(mode == "" and "as it is" or mode), function()
    for _, tables in ipairs { 0, 300000 } do
      for _, kept in ipairs { 1, 40 } do
        local define = kept == 40 and tables > 0 and it or full.only(it)
        define(("are freed so early that few remain, with %d in use beside %d tables"):format(kept, tables), function()
          local most, own = drop(mode, 500, kept, tables)
          local limit = kept * 1000 + 30000 + 5 * own
          assert.is_true(most <= limit, ("%d kB of grids, beside %d kB of Lua's own"):format(most, own))
        end)
      end
    end
  end)
end
