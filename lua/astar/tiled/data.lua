-- data.lua -- Decodes the tile numbers of a layer from the formats in which Tiled writes them.
--
-- A layer's data is a list of numbers, or a string in base64 that contains little-endian 32-bit numbers and may be
-- compressed. This file decodes base64. Compressed data are inflated by LÖVE, by lua-zlib if it is installed, or by a
-- function of the script.

local require = require -- kept, because a host may remove the global later

local data = {}

local CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

local DIGITS = {}
for i = 1, #CHARACTERS do
  DIGITS[CHARACTERS:byte(i)] = i - 1
end

-- Returns the bytes that a base64 text encodes, nil if it is not base64.
local function decode_base64(text)
  text = text:gsub("%s", "")
  if #text % 4 ~= 0 or text:find "[^%w+/=]" or text:find "=[^=]" or text:find "===" then
    return nil
  end
  local bytes, count = {}, 0
  for i = 1, #text, 4 do
    local a, b, c, d = text:byte(i, i + 3)
    local group = (DIGITS[a] or 0) * 262144 + (DIGITS[b] or 0) * 4096 + (DIGITS[c] or 0) * 64 + (DIGITS[d] or 0)
    count = count + 1
    bytes[count] = string.char(math.floor(group / 65536), math.floor(group / 256) % 256, group % 256)
  end
  local padding = #text:match "=*$"
  return table.concat(bytes):sub(1, -1 - padding)
end

-- Compressions that LÖVE and lua-zlib can inflate.
local KNOWN = { zlib = true, gzip = true }

-- Returns LÖVE's function that inflates data, nil outside LÖVE.
local function inflate_by_love()
  local love = rawget(_G, "love")
  if not (love and love.data and love.data.decompress) then
    return nil
  end
  return function(bytes, compression)
    return love.data.decompress("string", compression, bytes)
  end
end

-- Returns a function that inflates data by lua-zlib, nil if that is not installed. lua-zlib itself distinguishes zlib
-- and gzip. The bytes are passed to it in pieces, until the result is too long: a few bytes can inflate to very many.
local function inflate_by_zlib()
  local ok, zlib = pcall(require, "zlib")
  if not ok or type(zlib) ~= "table" or not zlib.inflate then
    return nil
  end
  return function(bytes, _, most)
    local stream, parts, length = zlib.inflate(), {}, 0
    for i = 1, #bytes, 1024 do
      local part, is_over = stream(bytes:sub(i, i + 1023))
      parts[#parts + 1] = part
      length = length + #part
      if is_over or length > most then
        break
      end
    end
    return table.concat(parts)
  end
end

-- Returns the inflated bytes, or nil and a text that says what was expected. Inflating may stop after more than
-- `most` bytes.
local function inflate(bytes, compression, by_caller, most)
  local export_plain = 'set the map\'s "Tile Layer Format" to CSV in Tiled'
  local inflater = by_caller or KNOWN[compression] and (inflate_by_love() or inflate_by_zlib())
  if not inflater then
    local advice = KNOWN[compression] and "nothing here inflates it: install lua-zlib, "
      or "neither LÖVE nor lua-zlib inflates it: "
    return nil, ("data that is not %s compressed (%s%s, or give the option inflate)"):format(compression, advice,
      export_plain)
  end
  local ok, result = pcall(inflater, bytes, compression, most)
  if not ok or type(result) ~= "string" then
    return nil, ("data that can be inflated (%s compressed: %s)"):format(compression, export_plain)
  end
  return result
end

local function read_numbers(bytes)
  local numbers = {}
  for i = 1, #bytes - 3, 4 do
    local a, b, c, d = bytes:byte(i, i + 3)
    numbers[#numbers + 1] = a + b * 256 + c * 65536 + d * 16777216
  end
  return numbers
end

-- Returns the list of the tile numbers in the text of a layer or chunk, or nil and a text that says what was
-- expected. There must be width * height numbers.
function data.decode(text, encoding, compression, by_caller, width, height)
  if encoding ~= nil and encoding ~= "base64" then
    return nil, 'the encoding "lua" or "base64"'
  end
  local bytes = decode_base64(text)
  if not bytes then
    return nil, "base64 data"
  end
  if compression ~= nil and compression ~= "" then
    local inflated, expected = inflate(bytes, tostring(compression), by_caller, 4 * width * height)
    if not inflated then
      return nil, expected
    end
    bytes = inflated
  end
  local count = math.floor(#bytes / 4)
  if count ~= width * height then
    return nil, ("%d x %d tiles, got %d"):format(width, height, count)
  end
  return read_numbers(bytes)
end

return data
