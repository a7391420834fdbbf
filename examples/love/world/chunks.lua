-- What a thread runs: it makes the chunks that the game orders, one after the other, as a disk or a server would.

local folder = ...

require "love.image"
require "love.math"
local land = love.filesystem.load(folder .. "land.lua")()

local orders, made = love.thread.getChannel "chunks ordered", love.thread.getChannel "chunks made"

-- A chunk's keys in a string, and a picture of it.
local function make_chunk(cx, cy)
  local keys, image = {}, love.image.newImageData(64, 64)
  for y = 0, 63 do
    for x = 0, 63 do
      local key = land.ground(64 * cx + x, 64 * cy + y)
      keys[#keys + 1] = key
      local color, shade = land.COLORS[key], 0.94 + 0.06 * ((x + y) % 2)
      image:setPixel(x, y, color[1] * shade, color[2] * shade, color[3] * shade, 1)
    end
  end
  return table.concat(keys), image
end

while true do
  local order = orders:demand()
  if not order then break end
  local keys, image = make_chunk(order.cx, order.cy)
  made:push { cx = order.cx, cy = order.cy, keys = keys, image = image }
end
