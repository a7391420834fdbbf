-- All of the Lua in one file with the core beside it, as tools/one_file.sh makes it for games to copy: required under
-- several names by this Lua, and in a LÖVE game that is written as docs/first_game.md says.

local documents = require "spec.support.documents"
local play = require "spec.support.love"
local process = require "spec.support.process"

-- Returns the core that this Lua loads.
local function core_file()
  for template in package.cpath:gmatch "[^;]+" do
    local name = template:gsub("%?", "astar/core")
    local file = io.open(name, "rb")
    if file then
      file:close()
      return name
    end
  end
end

-- Makes a folder with lib/astar.lua in it and, with `core`, the core beside it.
local function make_folder(core)
  local folder = process.shell "mktemp -d":match "%S+"
  local output, status = process.shell(("LUA_PROGRAM=%s sh tools/one_file.sh %s/lib %s"):format(process.interpreter(),
    folder, core or ""))
  assert(status == 0, output)
  return folder
end

local RUN = [[
  package.path, package.cpath = %q, ""
  local astar = require %q
  local path = astar.grid("...\n.#.\n..."):find_path(1, 1, 3, 3)
  print(astar.implementation, path.cost == 4, astar.jumper.Grid "00" ~= nil)
  print(require(%q .. ".plain").implementation)
  print(pcall(function() astar.grid(0, 3) end))
  print(pcall(function() local _ = require(%q .. ".plain").grid(0, 3) end))
  astar.preload()
  print(package.loaded.astar == (%q == "astar" and astar or nil))
]]

describe("all of the Lua in one file", function()
  local core = core_file()
  local with_core, without = make_folder(core), make_folder()
  teardown(function() process.shell(("rm -r %s %s"):format(with_core, without)) end)

  -- Runs the lines above where astar is `name`; what they print.
  local function run(path, name)
    return (process.run_alone(RUN:format(path, name, name, name, name)))
  end

  for _, case in ipairs { { "", "lib.astar" }, { "", "lib/astar" }, { "/lib", "astar" } } do
    it(("finds the core beside it as %s"):format(case[2]), function()
      local output = run(with_core .. case[1] .. "/?.lua", case[2])
      local problem = "false\t[^\n]*:%d+: width must be an integer from 1 to 16777216, got 0\n"
      assert.matches("^c\ttrue\ttrue\nlua\n" .. problem .. problem .. "true\n$", output)
    end)
  end

  it("falls back to the implementation in plain Lua that it contains if there is no core", function()
    local output = run(without .. "/?.lua", "lib.astar")
    assert.matches("astar: [^\n]* plain Lua stands in[^\n]*\nlua\ttrue\ttrue\nlua\n", output)
  end)

  it("loads no core in a browser, where loading a library would stop LÖVE", function()
    local prelude = 'love = { system = { getOS = function() return "Web" end } } '
    local output = process.run_alone(prelude .. RUN:format(with_core .. "/?.lua", "lib.astar", "lib.astar", "lib.astar",
      "lib.astar"))
    assert.matches("astar: a browser loads no C module: its twin[^\n]*\nlua\ttrue\ttrue\n", output)
  end)

  it("does not replace a module of the game that is also named astar", function()
    process.shell(("echo 'return { is_of_game = true }' >%s/astar.lua"):format(with_core))
    local output = process.run_alone(([[
      package.path, package.cpath = %q, ""
      local mine, astar = require "astar", require "lib.astar"
      print(mine.is_of_game, astar.implementation, astar.tiled ~= nil, require "astar" == mine)
    ]]):format(with_core .. "/?.lua"))
    assert.equal("true\tc\ttrue\ttrue\n", output)
  end)

  it("supports the two files that replace Jumper's files and lie beside it", function()
    local output = process.run_alone(([[
      package.path, package.cpath = %q, ""
      local Grid, Pathfinder = require "lib.jumper.grid", require "lib.jumper.pathfinder"
      print(Pathfinder(Grid "000", "JPS", "0"):getPath(1, 1, 3, 1):getLength() == 2)
    ]]):format(with_core .. "/?.lua"))
    assert.equal("true\n", output)
  end)
end)

local is_once = _VERSION == "Lua 5.4" and not os.getenv "UBSAN_OPTIONS"
local missing = not is_once and "played once only: with make test LUA=5.4" or play.missing()

describe("the first game, with one file and the core", function()
  if missing then
    it("is run as the manual shows it", function() pending(missing) end)
    return
  end

  -- Writes the game of the page, whose snippets under "The game" go into main.lua one after the other.
  local function write_game()
    local folder = process.shell "mktemp -d":match "%S+"
    process.shell(("mkdir %s/lib && cp build/lib/astar.lua build/lib/astar_core.so %s/lib"):format(folder, folder))
    local page, pieces = documents.read "docs/first_game.md", {}
    for _, block in ipairs(documents.blocks(page, "lua")) do pieces[#pieces + 1] = documents.text_of(page, block) end
    assert(#pieces >= 4)
    pieces[#pieces + 1] = "return { grid = grid, player = player, view = view, zombies = zombies,"
      .. " implementation = astar.implementation }"
    local file = assert(io.open(folder .. "/main.lua", "w"))
    file:write(table.concat(pieces, "\n"))
    file:close()
    process.shell(("echo 'function love.conf() end' >%s/conf.lua"):format(folder))
    return folder
  end

  local SCRIPT = [[
    player.click(game.view:to_pixel(18, 2))
    player.wait_for(function() return game.player.arrived and game.player:cell() == 18 end)
    player.tell("arrived", game.implementation, game.player:cell())
  ]]

  it("runs from a folder, as a .love file, and fused with LÖVE", function()
    local folder = write_game()
    local packed, fused = play.play_packed(folder, SCRIPT)
    for _, told in ipairs { play.play_folder(folder, SCRIPT), packed, fused } do
      assert.equal("c 18 2", told.arrived, told.output)
    end
    process.shell("rm -r " .. folder)
  end)

  it("leads a zombie around an obstacle that blocks its step", function()
    local folder = write_game()
    local told = play.play_folder(folder, [[
      local zombie = game.zombies[1]
      player.wait_for(function() return not zombie.arrived and zombie.x % 1 + zombie.y % 1 > 0 end)
      game.grid:block(zombie:cell())                  -- the cell that the zombie walks to
      player.wait_for(function() return game.grid:distance(2, 2, zombie:cell()) == 0 end)
      player.tell("reached", zombie:cell())
    ]])
    assert.equal("2 2", told.reached, told.output)
    process.shell("rm -r " .. folder)
  end)
end)
