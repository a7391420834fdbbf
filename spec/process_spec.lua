-- What takes a process of its own: small stacks, little memory, huge worlds, two builds of the
-- module, states that end. More of the latter is in bad_input_spec.lua; several states and threads
-- are the matter of spec/faults/threads.c.

local full = require "spec.support.full"
local process = require "spec.support.process"

local function prints(expected, code, before)
  local output, status = process.run(code, before)
  assert.equal(0, status, output)
  assert.equal(expected, output)
end

-- Prints the most memory that the process used, in kB.
local PEAK = [[
  local status = io.open "/proc/self/status"
  print(status and status:read "*a":match "VmHWM:%s*(%d+)" or "unknown")
]]

local function assert_peak_below(most, code)
  if process.is_sanitized then
    return pending "a sanitizer does not return freed memory"
  end
  local output, status = process.run(code .. PEAK)
  assert.equal(0, status, output)
  if output:find "unknown" then
    return pending "there is no /proc here to read the memory used from"
  end
  assert.is_true(tonumber(output) < most, output .. " kB at the peak")
end

local SMALL_STACK = "ulimit -s 256"

describe("on a stack of 256 kB", function()
  full.only(it)("a path along a corridor of ten million cells is walked, smoothed and saved", function()
    prints("10000000\t3\tfalse\n", [[
      local grid = astar.grid(10000000, 1)
      local finder = grid:finder()
      local path = finder:find_path(1, 1, 10000000, 1)
      assert(finder:raycast(1, 1, 10000000, 1) and finder:reachable(1, 1, 10000000, 1))
      assert(#path:reverse() == #path and path:is_valid())
      local smooth = path:smooth()
      grid:block(5000000, 1)
      assert(finder:find_path(1, 1, 10000000, 1) == nil)
      print(#path, path:cell(1) + #smooth:waypoints(), (path:is_valid()))
    ]], SMALL_STACK)
  end)

  full.only(it)("a search expands all of 4096 x 4096 cells", function()
    prints("4096\t4096\ttrue\tunreachable\n", [[
      local grid = astar.grid(4096, 4096)
      local finder = grid:finder { algorithm = "dijkstra" }
      local path = finder:find_path(1, 1, 4096, 4096)
      grid:fill(4095, 4095, 1, 2, "#")
      grid:set(4096, 4095, "#")
      local x, y = path:cell(#path)
      print(x, y, path.expanded > 16000000, select(2, finder:find_path(1, 1, 4096, 4096)))
    ]], SMALL_STACK)
  end)

  it("all algorithms find the path out of a spiral", function()
    prints("true\ttrue\ttrue\n", [[
      local side = 301
      local grid = astar.grid(side, side)
      for ring = 2, 149, 2 do -- walls around each other with a gap at either end in turn
        local far = side + 1 - ring
        grid:block(ring, ring, far - ring + 1, 1)
        grid:block(ring, far, far - ring + 1, 1)
        grid:block(ring, ring, 1, far - ring + 1)
        grid:block(far, ring, 1, far - ring + 1)
        if ring % 4 == 0 then grid:unblock(ring, 151) else grid:unblock(far, 151) end
      end
      local best = grid:find_path(1, 1, 151, 151, { algorithm = "dijkstra" })
      local found = {}
      for _, name in ipairs { "astar", "jps", "auto" } do
        local path = grid:find_path(1, 1, 151, 151, { algorithm = name })
        found[#found + 1] = math.abs(path.cost - best.cost) < 1e-6 and #path > 10000
      end
      print(found[1], found[2], found[3])
    ]], SMALL_STACK)
  end)

  it("endless nesting of callbacks is an error, and the next query is right", function()
    prints("true\t4\n", [[
      local grid, finder = astar.grid(5, 5), nil
      local ends = false
      finder = grid:finder { cost = function(_, _, _, cost)
        if not ends then finder:find_path(1, 1, 5, 1) end
        return cost
      end }
      local _, message = pcall(finder.find_path, finder, 1, 1, 5, 1)
      ends = true
      print(message:find "searches nested too deeply" ~= nil, ("%g"):format(finder:find_path(1, 1, 5, 1).cost))
    ]], SMALL_STACK)
  end)
end)

describe("with little memory", function()
  local it_limits = process.is_sanitized and function(name)
    pending(name .. " (a sanitizer needs more than there would be)")
  end or it

  it_limits("what does not fit is an error, and what fits works on", function()
    prints("not enough memory\tnot enough memory\tnot enough memory\ttrue\n", [[
      local function message_of(f, ...)
        local kept = {}
        for i = 1, 1000 do
          local ok, result = pcall(f, ...)
          if not ok then return result end
          kept[i] = result
        end
        return "all fitted"
      end
      local grid = astar.grid(1000, 1000)
      local finder = grid:finder { algorithm = "astar" }
      local of_grids = message_of(astar.grid, 4000, 4000)
      collectgarbage() collectgarbage()
      local of_fields = message_of(astar.field, 3000, 3000)
      collectgarbage() collectgarbage()
      local of_searches = message_of(function()
        local search = finder:search(1, 1, 1000, 1000)
        search:step(3e5)
        return search
      end)
      collectgarbage() collectgarbage()
      -- What malloc keeps of all that, in pieces, leaves room for a smaller one.
      local path = astar.grid(200, 200):find_path(1, 1, 200, 200, { diagonals = "never" })
      print(of_grids, of_fields, of_searches, #path == 399)
    ]], "ulimit -v 300000")
  end)

  it("ten thousand dropped grids do not exhaust the memory", function()
    assert_peak_below(300000, "for _ = 1, 10000 do astar.grid(300, 300) end")
  end)

  it("dropped fields, searches and paths of large grids do not exhaust the memory", function()
    assert_peak_below(500000, [[
      for _ = 1, 300 do astar.field(500, 500) end
      local grid = astar.grid(500, 500)
      local finder = grid:finder { algorithm = "dijkstra" }
      for _ = 1, 30 do finder:search(1, 1, 500, 500):step(20000) end
      for _ = 1, 300 do grid:clone():finder():reachable(1, 1, 500, 500) end
    ]])
  end)
end)

describe("two builds of the module in one state", function()
  it("work side by side, and refuse objects of the other build", function()
    prints("9\t9\ttrue\ttrue\ttrue\n", [[
      local name = assert(package.cpath:match "[^;]*build[^;]*%?%.so", "no build"):gsub("%?", "astar/core")
      local copy = os.tmpname()
      local from, to = assert(io.open(name, "rb")), assert(io.open(copy, "wb"))
      to:write(from:read "*a")
      from:close() to:close()
      local other = assert(package.loadlib(copy, "luaopen_astar_core"))()
      other.set_helper(function(file, ...) return require("astar." .. file)(...) end)
      os.remove(copy)
      local mine, theirs = astar.grid(9, 1), other.grid(9, 1)
      local refused, message = pcall(mine.get, theirs, 1, 1)
      local forged = pcall(mine.finder, mine, { avoid = other.field(9, 1) })
      local path = theirs:find_path(1, 1, 9, 1)
      collectgarbage()
      print(#mine:find_path(1, 1, 9, 1), #path, not refused, message:find "astar grid expected" ~= nil, not forged)
    ]])
  end)

  it("may be loaded many times alternately", function()
    prints("true\t9\n", [[
      local first, path = astar, astar.grid(9, 9):find_path(1, 1, 9, 9)
      for _ = 1, 50 do
        for loaded in pairs(package.loaded) do
          if type(loaded) == "string" and loaded:find "^astar" then package.loaded[loaded] = nil end
        end
        astar = require "astar"
        assert(#astar.walker(path).path == 9 and astar.queue():count() == 0)
        collectgarbage()
      end
      print(astar ~= first, #astar.grid(9, 9):find_path(1, 1, 9, 9))
    ]])
  end)
end)

describe("a state that ends", function()
  local AT_CLOSE = [[
    local function at_close(deed)
      if newproxy then
        local proxy = newproxy(true)
        getmetatable(proxy).__gc = deed
        return proxy
      end
      return setmetatable({}, { __gc = deed })
    end
  ]]

  it("may run finalizers that use any object", function()
    local output, status = process.run(AT_CLOSE .. [[
      local grid, finder, path, search, field, queue, ticket, walker, cells, seen
      local function use()
        for _, deed in ipairs {
          function() field:stamp(2, 2, 2, 3) end,
          function() return field:get(1, 1) end,
          function() return grid:finder { avoid = field }:find_path(1, 1, 5, 5) end,
          function() return grid:link(1, 1, 5, 5), grid:wall(2, 2, "east"), grid:links() end,
          function() return queue:update { expansions = 9 } end,
          function() return queue:request(finder, 1, 1, 5, 5), ticket:path(), ticket:cancel() end,
          function() return walker:update(1) end,
          function() return cells() end,
          function() return seen() end,
          function() return finder:find_nearest(1, 1, { { 5, 5 } }) end,
          function() return finder:find_nearest(1, 1, function() collectgarbage() return false end) end,
          function() return finder:bake(), finder:clearance(1, 1), finder:raycast(1, 1, 5, 5) end,
          function() return path:repair { optimal = true }, path:reverse(), grid:draw(path), grid:dump() end,
          function() return search:step(1), grid:draw(search) end,
        } do pcall(deed) end
      end
      kept = { at_close(use) }
      grid = astar.grid(5, 5)
      field = astar.field(grid)
      kept[2] = at_close(use)
      finder = grid:finder { cost = function(_, _, _, cost) return cost end }
      path = finder:find_path(1, 1, 5, 5)
      walker, cells = astar.walker(path), path:cells()
      kept[3] = at_close(use)
      search = finder:search(1, 1, 5, 4)
      search:step(3)
      seen = search:cells()
      queue = astar.queue()
      ticket = queue:request(finder, 1, 1, 5, 5, use)
      kept[4] = at_close(use)
      kept[5] = { grid, field, finder, path, search, queue, ticket, walker, cells, seen }
    ]], "export ASAN_OPTIONS=detect_leaks=0") -- what is made while it closes is never finalized
    assert.equal(0, status, output)
  end)

  -- Lua 5.1 unloads libraries before it runs finalizers of what was made earlier.
  it("continues if a finalizer calls functions of the unloaded module", function()
    local output, status = process.run_alone(("package.path = %q package.cpath = %q"):format(package.path,
      package.cpath) .. AT_CLOSE .. [[
      local grid, size
      kept = at_close(function() print(pcall(size, grid)) end)
      grid = require("astar").grid(5, 5)
      size = grid.size
    ]])
    assert.equal(0, status, output)
    assert.matches("grid is closed", output)
  end)

  it("may end in any call of a callback", function()
    for _, option in ipairs { "cost", "step_cost", "heuristic" } do
      local output, status = process.run(([[
        local options = { %s = function() os.exit(0, true) end }
        local grid = astar.grid(9, 9)
        local search = grid:finder(options):search(1, 1, 9, 9)
        coroutine.wrap(function() search:step(99) end)()
      ]]):format(option))
      assert.equal(0, status, output)
    end
  end)
end)

-- A chroot may have no /proc. What is told there is then not asked, and fails nothing.
describe("on a system without /proc", function()
  local HIDDEN = "unshare -m sh -c 'mount -t tmpfs none /proc && { %s; }'"

  local function run_hidden(command)
    if process.is_sanitized then return pending "a sanitizer reads /proc itself" end
    if select(2, process.shell(HIDDEN:format ":")) ~= 0 then
      return pending "needs root and the program unshare to hide /proc"
    end
    return process.shell(HIDDEN:format(command))
  end

  full.only(it)("specs that read the memory in use are pending", function()
    local name = os.tmpname()
    local file = assert(io.open(name, "w"))
    file:write 'require("busted.runner")({ standalone = false })'
    file:close()
    local COMMAND = "%s %s --lpath=\"%s\" --cpath=\"%s\" -o spec/support/summary.lua %s spec/%s_spec.lua"
    local READERS = { { "process", "little memory" }, { "bad_input", "dropped" }, { "soak", "" } }
    for _, pair in ipairs(READERS) do
      local output = run_hidden(COMMAND:format(process.interpreter(), name, package.path, package.cpath,
          pair[2] ~= "" and '--filter="' .. pair[2] .. '"' or "", pair[1]))
      assert.is_nil(output:find("FAILED", 1, true), output)
      assert.is_truthy(pair[1] == "soak" or output:find("there is no /proc here", 1, true), output)
    end
    os.remove(name)
  end)

  it("the bench measures everything except memory", function()
    local output, status = run_hidden(('LUA_PATH="%s" LUA_CPATH="%s" %s bench/bench.lua quick targets target=memory')
      :format(package.path, package.cpath, process.interpreter()))
    if not status then return end -- pending
    assert.equal(0, status, output)
    assert.matches("\n8 of 8 rows are met", output)
  end)

  it("the C programs of the specs that read mapped memory pass", function()
    local readers = process.shell "grep -l /proc spec/unit/*.c spec/c/*.c"
    for source in readers:gmatch "%S+" do
      local program = source:gsub("%.c$", ""):gsub("^spec/unit/", "build/core/bin/unit/")
        :gsub("^spec/c/", "build/core/bin/")
      local _, status = process.make(program)
      if status ~= 0 then return pending "needs a C compiler" end
      local output
      output, status = run_hidden(program)
      assert.equal(0, status, output)
      assert.is_truthy(output:find("no /proc", 1, true), output)
    end
    assert.is_truthy(readers:find("mapped_blocks", 1, true), readers)
  end)
end)
