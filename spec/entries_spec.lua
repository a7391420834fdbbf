-- Loops over all entries of a table. LuaJIT before April 2022, which Debian 12 and LÖVE 11.4 have, may end a compiled
-- loop over `pairs(t)` or `next, t` early where another runs within it (LuaJIT issue 827). It knows such loops by those
-- names: next by another name is called like any function.

local process = require "spec.support.process"

local function files()
  local names = {}
  for name in process.shell "find lua -name '*.lua'":gmatch "%S+" do
    if not name:find "%.d%.lua$" then names[#names + 1] = name end
  end
  assert.is_true(#names > 40)
  return names
end

local function code_lines(name)
  local lines = {}
  for line in io.lines(name) do
    lines[#lines + 1] = line:gsub("%-%-.*", "")
  end
  return lines
end

describe("a loop over the entries of a table", function()
  it("calls the Lua function next by the local name entries in each file of the module", function()
    local with = 0
    for _, name in ipairs(files()) do
      for number, line in ipairs(code_lines(name)) do
        local iterator = line:match "%f[%w]for [%w_, ]+ in ([%w_]+)"
        assert.is_false(iterator == "pairs" or iterator == "next", name .. ":" .. number .. ": " .. line)
        with = with + (iterator == "entries" and 1 or 0)
      end
    end
    assert.is_true(with > 40, with .. " loops")
  end)

  -- After issue 827: by the name `next` it ends after one entry of five, at some 40,000 rounds of Debian 12's LuaJIT.
  it("runs to its end if the Lua function next has the local name entries", function()
    local entries = next
    local inner = { 1, 2, 3, 4, 5 }
    local outer = { a = inner, b = inner, c = inner, d = inner, e = inner }
    local function interpret(...)
      for _ = 1, 100 do end
      return ...
    end
    for _ = 1, 100000 do
      interpret()
      local count = 0
      for _, each in entries, outer do
        for _ in entries, each do end
        count = count + 1
      end
      assert(count == 5, count)
    end
  end)
end)
