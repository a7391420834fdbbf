-- love.lua -- plays a prototype of examples/love in real LÖVE, without a screen.
--
-- play(name, script) runs `script`, Lua text that is called with the player of spec/love/conf.lua and
-- what the game's main.lua returned, and returns what it told: { [name] = "words" }. run(script, files) does
-- so in a game that has astar's folder, copies of those files, and nothing else.

local process = require "spec.support.process"

local love = {}

local function run(command)
  local pipe = assert(io.popen("{ " .. command .. "; } 2>&1"))
  local output = pipe:read "*a"
  pipe:close()
  return output
end

-- Why there is nothing to play with, nil where there is.
function love.missing()
  if not run("command -v love"):find "%S" then
    return "needs love, LÖVE 11 (Debian: love)"
  end
  local output, status = process.make "love-games"
  return status ~= 0 and "needs the module for LuaJIT: " .. output or nil
end

local function write(name, text)
  local file = assert(io.open(name, "wb"))
  file:write(text)
  file:close()
end

-- Starts a game without a screen, which saves files under `folder`, and ends it after some time; what it told.
local function start(program, folder)
  local output = run(("env -u LD_PRELOAD -u LUA_PATH -u LUA_CPATH SDL_VIDEODRIVER=offscreen ALSOFT_DRIVERS=null "
    .. "XDG_DATA_HOME=%s/saved timeout -k 5 100 %s"):format(folder, program))
  local told = { output = output }
  for word, rest in output:gmatch "([%w_]+) ([^\n]*)" do
    told[word] = rest
  end
  return told
end

local function add_player(folder, script)
  run(("mv %s/conf.lua %s/conf_of_game.lua; cp spec/love/conf.lua %s"):format(folder, folder, folder))
  write(folder .. "/script.lua", "local player, game = ...\n" .. script)
end

local function play_in(folder, script)
  add_player(folder, script)
  local told = start("love " .. folder, folder)
  run("rm -rf " .. folder)
  assert(not told.error, told.output)
  return told
end

local function new_folder()
  return run("mktemp -d"):match "%S+"
end

function love.play_folder(source, script)
  local folder = new_folder()
  run(("cp -R %s/. %s"):format(source, folder))
  return play_in(folder, script)
end

function love.play(name, script)
  return love.play_folder("build/love/" .. name, script)
end

function love.run(script, files)
  local folder = new_folder()
  run(("cp -R build/love/gallery/astar %s %s"):format(table.concat(files or {}, " "), folder))
  write(folder .. "/main.lua", "return {}")
  write(folder .. "/conf.lua", "function love.conf(t) t.window.width, t.window.height = 160, 120 end")
  return play_in(folder, script)
end

-- Plays a folder's game packed, as game.love and fused with LÖVE: what both told.
function love.play_packed(source, script)
  local folder = new_folder()
  local game = folder .. "/mygame"
  run(("cp -R %s %s"):format(source, game))
  add_player(game, script)
  run(("cd %s && zip -qr ../game.love ."):format(game))
  run(("cd %s && cat \"$(command -v love)\" game.love >game && chmod +x game && rm -r mygame"):format(folder))
  local packed, fused = start("love " .. folder .. "/game.love", folder), start(folder .. "/game", folder)
  run("rm -rf " .. folder)
  assert(not (packed.error or fused.error), packed.output .. fused.output)
  return packed, fused
end

function love.can_pack()
  return run("command -v zip"):find "%S" ~= nil
end

return love
