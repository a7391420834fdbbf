-- Hosts that lack something, or take it away from their scripts once astar is loaded: each in a process of its own.

local process = require "spec.support.process"

local function run(code)
  local prelude = ("package.path, package.cpath = %q, %q "):format(package.path, package.cpath)
  local output, status = process.run_alone(prelude .. code)
  assert.equal(0, status, output)
  return output
end

-- The first is the C module, the others its twin in plain Lua.
local LOADS = {
  ["the C module"] = "local astar = require 'astar' ",
  ["the twin"] = "io.stderr = { write = function() end } package.cpath = '' local astar = require 'astar' ",
  ["the twin beside the C module"] = "local astar = require 'astar.plain' ",
}

-- Grids, finders, searches, queues and walkers, their errors included.
local USE_GRIDS = [[
  local grid = astar.grid({ "..#.", "..#.", "...." }, { terrain = { ["."] = 1, ["#"] = false } })
  local finder = grid:finder { diagonals = "never", costs = { ["."] = 2 } }
  assert(finder:find_path(1, 1, 4, 1).cost == 14)
  assert(finder:find_nearest(1, 1, { { 4, 1 }, { 2, 2 } }).cost == 4)
  local ok, problem = pcall(grid.finder, grid, { diagonal = "never" })
  assert(not ok and problem:find 'did you mean "diagonals"', problem)
  ok, problem = pcall(astar.grid, 0, 3)
  assert(not ok and problem:find "width must be an integer", problem)
  local queue, walker = astar.queue(), nil
  local ticket = queue:request(finder, 1, 1, 4, 1)
  while not ticket.done do queue:update { expansions = 3 } end
  walker = astar.walker(ticket.found, { speed = 1 })
  for _ = 1, 30 do walker:update(0.5) end
  assert(walker.arrived)
  local path = grid:find_path(1, 1, 4, 1)
  grid:block(2, 3)
  assert(not path:is_valid() and grid:find_path(1, 1, 4, 1) == nil)
]]

-- What a sandbox may leave out.
local TAKEN = "package, require, io, os, debug, coroutine, load, loadstring, loadfile, dofile, setfenv, getfenv, "
  .. "module, collectgarbage, newproxy = nil "

describe("a host program", function()
  for name, load in pairs(LOADS) do
    it("may leave out the coroutine library, with " .. name, function()
      run("coroutine = nil package.loaded.coroutine = nil " .. load .. USE_GRIDS .. [[
        local reached
        local asked = queue:request(finder, 1, 1, 2, 1, function(found) reached = found end)
        queue:update { expansions = 1000 }
        assert(asked.done and reached.cost == 2)
        ok, problem = pcall(queue.await, queue, finder, 1, 1, 2, 1)
        assert(not ok and problem:find "await needs coroutines, which this host leaves out", problem)
      ]])
    end)

    it("sees no coroutine created, resumed or ended while astar's files are loaded, with " .. name, function()
      run([[
        for _, name in ipairs { "create", "resume", "wrap", "yield", "status", "running" } do
          coroutine[name] = coroutine[name] and function() error("coroutine." .. name .. " is called", 2) end
        end
      ]] .. load .. "astar.preload()")
    end)

    it("may remove any global after preloading, with " .. name, function()
      run(load .. "astar.preload() " .. TAKEN .. USE_GRIDS .. [[
        assert(grid:draw(finder:find_path(1, 1, 2, 1)))
        local map = astar.movingai.parse_map "type octile\nheight 1\nwidth 3\nmap\n...\n"
        assert(map:find_path(0, 0, 2, 0).cost == 2)
        local tile = { id = 0, properties = { cost = 3 } }
        local town = astar.tiled.grid {
          orientation = "orthogonal", width = 2, height = 1, tilewidth = 8, tileheight = 8,
          tilesets = { { firstgid = 1, name = "set", tilecount = 1, columns = 1, tiles = { tile } } },
          layers = { { name = "floor", type = "tilelayer", width = 2, height = 1, data = { 1, 1 } } } }
        assert(town:find_path(1, 1, 2, 1).cost == 3)
        ok, problem = pcall(astar.tiled.load, "town.lua")
        assert(not ok and problem:find "this Lua has no io", problem)
        assert(astar.love.view(grid) and astar.goals(grid, { { 1, 1 } }))
      ]])
    end)

    it("may remove `require`: grids still work, and other parts raise errors with a remedy, with " .. name, function()
      run(load .. TAKEN .. USE_GRIDS .. [[
        ok, problem = pcall(function() return astar.tiled end)
        assert(not ok and problem:find("astar[%w.]*%.tiled cannot be loaded: this host has removed `require`; "
          .. "call astar%.preload%(%) before that"), problem)
      ]])
    end)
  end

  -- nginx runs each request in a coroutine. Its own coroutines are run by the same scheduler: to resume one is to yield
  -- to that, which cannot be done from within `require`.
  it("may run coroutines with a scheduler of its own, as nginx does", function()
    run([[
      local create, yield, resume = coroutine.create, coroutine.yield, coroutine.resume
      local function call_scheduler(...) return yield("call", ...) end
      function coroutine.resume(...) return call_scheduler("resume", ...) end
      function coroutine.yield(...) return call_scheduler("yield", ...) end
      function coroutine.wrap(f)
        local thread = create(f)
        local function result(ok, ...)
          if not ok then error(..., 0) end
          return ...
        end
        return function(...) return result(coroutine.resume(thread, ...)) end
      end
      -- Runs a thread until it yields to who resumed it, or ends.
      local function schedule(thread, ...)
        local function go_on(ok, kind, what, ...)
          if not ok or kind ~= "call" then return ok, kind, what, ... end
          if what == "yield" then return true, ... end
          return go_on(resume(thread, schedule(...)))
        end
        return go_on(resume(thread, ...))
      end
      local done = false
      local ok, problem = schedule(create(function()
        ]] .. LOADS["the C module"] .. [[ astar.preload()
        ]] .. USE_GRIDS .. [[
        local of_request, found = nil, nil
        of_request = coroutine.wrap(function() found = queue:await(finder, 1, 1, 2, 1) end)
        of_request()
        queue:update { expansions = 1000 }
        assert(found and found.cost == 2, "not woken")
        done = true
      end))
      assert(ok, problem)
      assert(done)
    ]])
  end)

  it("can run every example in scripts from which `require` and more globals were removed", function()
    run([[
      local names = {}
      for name in io.popen "ls examples/*.lua":lines() do names[#names + 1] = name end
      assert(#names > 30)
      local chunks, env = {}, { io = io, os = os, collectgarbage = collectgarbage, coroutine = coroutine,
        package = package, debug = debug, arg = {} }
      env.io = setmetatable({ write = function() end }, { __index = io })
      env.print = function() end
      local astar = require "astar"
      local loaded = { astar = astar, ["astar.core"] = require "astar.core" } -- with a clock for examples
      function env.require(name) return assert(loaded[name], name) end
      setmetatable(env, { __index = _G })
      for i, name in ipairs(names) do
        chunks[i] = setfenv and setfenv(assert(loadfile(name)), env) or assert(loadfile(name, "t", env))
      end
      local collect = collectgarbage
      astar.preload()
    ]] .. TAKEN:gsub("io, ", "") .. [[ -- some examples read files
      for i, chunk in ipairs(chunks) do
        local ok, problem = pcall(chunk)
        if not ok then error(names[i] .. ": " .. tostring(problem), 0) end
        collect()
      end
    ]])
  end)
end)

describe("astar.preload", function()
  it("loads every file of the folder and of its subfolders", function()
    local files = {}
    for path in process.shell "ls lua/astar/*.lua lua/astar/*/*.lua":gmatch "lua/astar/([%w_./]+)%.lua" do
      local is_other = path == "love/core" or path == "core.d" or path:find "^plain/"
      files[#files + 1] = not is_other and "astar." .. path:gsub("/", ".") or nil
    end
    assert.is_true(#files > 60, #files .. " files")
    local output = run(("local files = { %q } "):format(table.concat(files, '", "')):gsub('\\"', '"') .. [[
      local astar = require "astar"
      assert(select("#", astar.preload()) == 0)
      for _, name in ipairs(files) do
        if not package.loaded[name] then print(name) end
      end
    ]])
    assert.equal("", output)
  end)

  it("raises an error if it gets arguments", function()
    local astar = require "astar"
    local ok, problem = pcall(astar.preload, "tiled")
    assert.is_false(ok)
    assert.matches('preload takes no arguments, got "tiled" as argument 1$', problem)
  end)

  it("skips files that a game has left out, and raises errors of files that exist", function()
    local folder = os.tmpname()
    os.remove(folder)
    process.shell(("mkdir %s && cp -R lua/astar %s && cd %s/astar && rm -r love* tiled/xml.lua"):format(folder, folder,
      folder))
    local code = ("package.path = %q local astar = require 'astar' print(pcall(astar.preload)) "):format(
      folder .. "/?.lua;" .. folder .. "/?/init.lua;")
    assert.equal("true\n", run(code .. "assert(package.loaded['astar.tiled'] and not package.loaded['astar.love'])"))
    process.shell(("echo 'error \"broken\"' >%s/astar/time/tours.lua"):format(folder))
    assert.matches("^false\t.*tours%.lua:1: broken\n$", run(code))
    process.shell("rm -r " .. folder)
  end)
end)
