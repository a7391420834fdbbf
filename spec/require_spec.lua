-- The module under other names, in other places and in hosts that lack something, each in a process of
-- its own.

local process = require "spec.support.process"

-- The module that these specs run with, and where a copy of all is put together.
local CORE = assert(package.cpath:match "[^;]*build[^;]*%?%.so", "no build"):gsub("%?", "astar/core")
local SPEC_FOLDER = os.tmpname()

local function shell(command)
  local pipe = assert(io.popen("{ " .. command .. "; } 2>&1; echo status $?"))
  local output = pipe:read "*a"
  pipe:close()
  assert(output:find "status 0%s*$", output)
end

-- Copies lua/astar without the twin, and the core, to the folder 'to' below SPEC_FOLDER.
local function copy(to)
  local folder = SPEC_FOLDER .. "/" .. to
  shell(("mkdir -p %s && cp -R lua/astar/. %s && rm -r %s/plain"):format(folder, folder, folder))
  shell(("cp %s %s/core.so"):format(CORE, folder))
end

local function prints(expected, path, code)
  local prelude = ("package.path, package.cpath = %q, %q "):format(path, "./?.so")
  local output, status = process.run_alone(prelude .. code, "cd " .. SPEC_FOLDER)
  assert.equal(expected, output)
  assert.equal(0, status)
end

local TRY = [[
  print(#astar.grid(9, 9):find_path(1, 1, 9, 9), astar.queue():count(), astar.walker ~= nil, astar.directions.north.dy)
  print(astar.movingai.parse_map("type octile\nheight 1\nwidth 2\nmap\n..\n"):size())
  print(type(astar.tiled.grid), type(astar.love.view), rawget(_G, "astar"))
]]
local TRIED = "9\t0\ttrue\t-1\n2\t1\nfunction\tfunction\tnil\n"

describe("requiring astar", function()
  before_each(function() shell("rm -rf " .. SPEC_FOLDER .. " && mkdir " .. SPEC_FOLDER) end)
  teardown(function() shell("rm -r " .. SPEC_FOLDER) end)

  it("works if the folder astar was copied, under any name", function()
    copy "lib/astar"
    copy "vendor/paths"
    local both = "./?.lua;./?/init.lua"
    prints(TRIED, both, "local astar = require 'lib.astar' " .. TRY)
    prints(TRIED, both, "local astar = require 'vendor.paths' " .. TRY)
    prints(TRIED, both, "local astar = require 'lib/astar' " .. TRY)
    prints(TRIED, "./lib/?.lua;./lib/?/init.lua",
      "package.cpath = './lib/?.so' local astar = require 'astar' " .. TRY)
    prints("true\ttrue\n", both, [[
      local astar, other = require "lib.astar", require "vendor.paths"
      assert(astar ~= other)
      print(require "lib.astar" == astar, astar.grid(2, 2):finder() ~= nil)
    ]])
  end)

  it("finds the core beside its files even if package.cpath does not lead there", function()
    copy "lib/astar"
    prints(TRIED, "./?/init.lua;./?.lua", "package.cpath = '' local astar = require 'lib.astar' " .. TRY)
  end)

  it("works if the core is installed in another folder", function()
    copy "lib/astar"
    copy "installed/astar"
    shell(("rm %s/lib/astar/core.so"):format(SPEC_FOLDER))
    prints(TRIED, "./?.lua;./?/init.lua",
      "package.cpath = './installed/?.so' local astar = require 'lib.astar' " .. TRY)
  end)

  it("works if package.path lacks ?/init.lua", function()
    copy "astar"
    prints(TRIED .. "true\n", "./?.lua",
      "local astar = require 'astar.init' " .. TRY .. "print(require 'astar' == astar)")
  end)

  it("works for a single module, such as astar.movingai", function()
    copy "lib/astar"
    prints("2\t1\n", "./?.lua", [[
      print(require "lib.astar.movingai".parse_map("type octile\nheight 1\nwidth 2\nmap\n..\n"):size())
    ]])
    prints("function\tfunction\n", "./?.lua", [[
      print(type(require "lib.astar.tiled".graph), type(require "lib.astar.love".view))
    ]])
  end)

  it("raises an error that mentions the core if there is no core", function()
    copy "bare/astar"
    shell(("rm %s/bare/astar/core.so"):format(SPEC_FOLDER))
    prints("false\ttrue\n", "./?.lua;./?/init.lua", [[
      local ok, message = pcall(require, "bare.astar")
      print(ok, message:find "bare.astar.core" ~= nil)
    ]])
  end)

  -- What a core for another Lua has in it, whether it can be loaded or not.
  it("raises an error that names the Lua version that an unusable core was built for", function()
    copy "lib/astar"
    local file = assert(io.open(SPEC_FOLDER .. "/lib/astar/core.so", "wb"))
    file:write "\127ELF and no more, astar core built for Lua 4.0"
    file:close()
    prints("false\ttrue\n", "./?.lua;./?/init.lua", [[
      local ok, message = pcall(require, "lib.astar")
      local expected = "lib/astar/core.so was built for Lua 4.0, this is " .. _VERSION
      print(ok, message:find(expected, 1, true) ~= nil or message)
    ]])
  end)

  it("raises an error that names the core's Lua version even if the core could be loaded", function()
    copy "lib/astar"
    prints("false\ttrue\ttrue\n", "./?.lua;./?/init.lua", [[
      _VERSION = "Lua 4.0"
      local ok, message = pcall(require, "lib.astar")
      print(ok, message:find "built for Lua 5" ~= nil, message:find "this is Lua 4.0" ~= nil)
    ]])
  end)

  it("works without io, except for functions on files, which raise an error", function()
    copy "astar"
    prints(TRIED .. "false true\nfalse true\nfalse true\n", "./?.lua;./?/init.lua",
      "io = nil package.loaded.io = nil local astar = require 'astar' " .. TRY .. [[
      local function try(f, ...)
        local ok, message = pcall(f, ...)
        local says_so = message:find("here: this Lua has no io to open files with", 1, true) ~= nil
        print(tostring(ok) .. " " .. tostring(says_so))
      end
      try(astar.movingai.read_map, "here")
      try(astar.tiled.load, "here")
      try(astar.movingai.write_map, astar.grid(2, 2), "here")
    ]])
  end)

  it("works without io, os and debug", function()
    copy "astar"
    prints(TRIED, "./?.lua;./?/init.lua", "io, os, debug = nil local astar = require 'astar' " .. TRY)
  end)

  it("raises an error that names the missing files if only the core is there", function()
    copy "astar"
    shell(("find %s/astar -name '*.lua' -exec rm {} +"):format(SPEC_FOLDER))
    prints("grid needs astar's Lua files\n", "./?.lua", [[
      local _, message = pcall(require "astar.core".grid, 2, 2)
      print((message:gsub("^.-: ", "")))
    ]])
  end)

  it("keeps an error if the file that would explain the error cannot be loaded", function()
    copy "astar"
    shell(("rm %s/astar/names.lua"):format(SPEC_FOLDER))
    prints('astar grid has no field "findpath"\n', "./?.lua;./?/init.lua", [[
      local grid = require "astar".grid(2, 2)
      local _, message = pcall(function() return grid.findpath end)
      print((message:gsub("^.-: ", "")))
    ]])
  end)
end)
