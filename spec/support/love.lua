-- love.lua -- plays a prototype of examples/love in real LÖVE, without a screen.
--
-- play(name, script) runs `script`, Lua text that is called with the player of spec/love/conf.lua and
-- what the game's main.lua returned, and returns what it told: { [name] = "words" }, and the folder
-- where LÖVE saved files.

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

function love.play(name, script, environment)
  local folder = run("mktemp -d"):match "%S+"
  run(("cp -R build/love/%s/. %s && mv %s/conf.lua %s/conf_of_game.lua && cp spec/love/conf.lua %s"):format(
    name, folder, folder, folder, folder))
  write(folder .. "/script.lua", "local player, game = ...\n" .. script)
  local output = run(("env -u LD_PRELOAD -u LUA_PATH -u LUA_CPATH SDL_VIDEODRIVER=offscreen ALSOFT_DRIVERS=null "
    .. "XDG_DATA_HOME=%s/saved %s timeout -k 5 100 love %s"):format(folder, environment or "", folder))
  local told = { output = output }
  for word, rest in output:gmatch "([%w_]+) ([^\n]*)" do
    told[word] = rest
  end
  run("rm -rf " .. folder)
  assert(not told.error, output)
  return told
end

return love
