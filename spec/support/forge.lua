-- forge.lua -- puts the hash at the end of a grid's dump, or of baked data, right: FNV-1a of 64 bits, in four parts of
-- 16, which doubles multiply exactly on every Lua.

local forge = {}

local function xor_byte(a, b)
  local result, bit = 0, 1
  for _ = 1, 8 do
    if a % 2 ~= b % 2 then result = result + bit end
    a, b, bit = math.floor(a / 2), math.floor(b / 2), bit * 2
  end
  return result
end

local XOR = {} -- [a * 256 + b]
for a = 0, 255 do
  for b = 0, 255 do XOR[a * 256 + b] = xor_byte(a, b) end
end

-- The low parts first. The prime is 2^40 + 0x1B3.
local function hash(text)
  local a, b, c, d = 0x2325, 0x8422, 0x9CE4, 0xCBF2
  for i = 1, #text do
    a = a - a % 256 + XOR[a % 256 * 256 + text:byte(i)]
    local high_c, high_d = a % 256 * 256, math.floor(a / 256) + b % 256 * 256
    local low_a = a * 0x1B3
    local low_b = b * 0x1B3 + math.floor(low_a / 65536)
    local low_c = c * 0x1B3 + math.floor(low_b / 65536) + high_c
    local low_d = d * 0x1B3 + math.floor(low_c / 65536) + high_d
    a, b, c, d = low_a % 65536, low_b % 65536, low_c % 65536, low_d % 65536
  end
  return a, b, c, d
end

-- The same where Lua has whole numbers of 64 bits.
local native = (loadstring or load)([[ -- luacheck: ignore 113
  return function(body)
    local hash = 0xCBF29CE484222325
    for i = 1, #body do hash = (hash ~ body:byte(i)) * 0x100000001B3 end
    return body .. string.pack("<I8", hash)
  end
]])
native = native and native()

-- A dump, or baked data, without its hash, with the right one.
function forge.dump(body)
  if native then return native(body) end
  local bytes = {}
  for i, part in ipairs { hash(body) } do
    bytes[2 * i - 1], bytes[2 * i] = part % 256, math.floor(part / 256)
  end
  return body .. string.char((table.unpack or unpack)(bytes)) -- luacheck: ignore 113 143
end

function forge.body(dump)
  return dump:sub(1, -9)
end

return forge
