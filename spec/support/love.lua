-- love.lua -- plays a prototype of examples/love in real LÖVE, without a screen.
--
-- play(name, script) runs `script`, Lua text that is called with the player of spec/love/conf.lua and
-- what the game's main.lua returned, and returns what it told: { [name] = "words" }. run(script, files) does
-- so in a game that has astar's folder, copies of those files, and nothing else.

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
  local output = run "env -u LD_PRELOAD make -s love-games SANITIZE= && echo made"
  return not output:find "made\n$" and "needs the module for LuaJIT: " .. output or nil
end

local function write(name, text)
  local file = assert(io.open(name, "wb"))
  file:write(text)
  file:close()
end

-- Plays the game in a folder and removes that.
local function play_in(folder, script)
  run(("cp spec/love/conf.lua %s"):format(folder))
  write(folder .. "/script.lua", "local player, game = ...\n" .. script)
  local output = run(love.command(folder, folder))
  local told = { output = output }
  for word, rest in output:gmatch "([%w_]+) ([^\n]*)" do
    told[word] = rest
  end
  run("rm -rf " .. folder)
  assert(not told.error, output)
  return told
end

-- The command that starts a game, which saves files under `folder`, and ends it after some time.
function love.command(game, folder, program)
  return ("env -u LD_PRELOAD -u LUA_PATH -u LUA_CPATH SDL_VIDEODRIVER=offscreen ALSOFT_DRIVERS=null "
    .. "XDG_DATA_HOME=%s/saved timeout -k 5 100 %s %s"):format(folder, program or "love", game)
end

function love.folder()
  return run("mktemp -d"):match "%S+"
end

love.shell, love.write = run, write

function love.play(name, script)
  local folder = love.folder()
  run(("cp -R build/love/%s/. %s && mv %s/conf.lua %s/conf_of_game.lua"):format(name, folder, folder, folder))
  return play_in(folder, script)
end

function love.run(script, files)
  local folder = love.folder()
  run(("cp -R build/love/gallery/astar %s %s"):format(table.concat(files or {}, " "), folder))
  write(folder .. "/main.lua", "return {}")
  write(folder .. "/conf_of_game.lua", "function love.conf(t) t.window.width, t.window.height = 160, 120 end")
  return play_in(folder, script)
end

return love
