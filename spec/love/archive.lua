-- archive.lua -- plays the archive for LÖVE that make dist puts together as it was unpacked, packed as a .love
-- file, and fused with LÖVE: lua5.4 spec/love/archive.lua build/dist/astar-1.0.0-love.zip

package.path = "./?.lua;" .. package.path
local play = require "spec.support.love"

local SCRIPT = [[
  player.tell("version", require("lib.astar")._VERSION, love.filesystem.isFused())
  player.click(game.view:to_pixel(12, 8))
  player.wait_for(function() return game.x == 12 and game.y == 8 end)
  player.tell("walked", game.x, game.y)
]]

local pipe = assert(io.popen(("folder=$(mktemp -d) && unzip -q %s -d $folder && ls -d $folder/*"):format(arg[1])))
local folder = assert(pipe:read(), "not unpacked")
pipe:close()
local packed, fused = play.play_packed(folder, SCRIPT)
for _, told in ipairs { play.play_folder(folder, SCRIPT), packed, fused } do
  assert(told.walked == "12 8" and told.version, told.output)
  print(told.version, told.walked)
end
os.execute("rm -r " .. folder)
