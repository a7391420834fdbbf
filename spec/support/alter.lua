-- alter.lua -- alters texts and tables at random, and keeps what reads them from running on.

local alter = {}

-- ---- texts ----

local NUMBERS = { "0", "-1", "1.5", "1e9", "16777216", "16777217", "4294967296", "nan", "", "99999999999999999999" }

local function span(r, text)
  local first = r:int(1, #text)
  return first, math.min(first + r:int(0, r:pick { 0, 2, 20, 200 }), #text)
end

local TEXT = {
  function(r, text) -- another byte
    local at = r:int(1, #text)
    return text:sub(1, at - 1) .. string.char(r:int(0, 255)) .. text:sub(at + 1)
  end,
  function(r, text) -- one bit
    local at, bit = r:int(1, #text), 2 ^ r:int(0, 7)
    local byte = text:byte(at)
    byte = byte + (math.floor(byte / bit) % 2 == 0 and bit or -bit)
    return text:sub(1, at - 1) .. string.char(byte) .. text:sub(at + 1)
  end,
  function(r, text) -- less
    local first, last = span(r, text)
    return text:sub(1, first - 1) .. text:sub(last + 1)
  end,
  function(r, text) -- twice
    local first, last = span(r, text)
    return text:sub(1, last) .. text:sub(first)
  end,
  function(r, text) -- more
    local at, bytes = r:int(0, #text), {}
    for i = 1, r:int(1, 9) do bytes[i] = string.char(r:int(0, 255)) end
    return text:sub(1, at) .. table.concat(bytes) .. text:sub(at + 1)
  end,
  function(r, text) -- one part for another
    local first, last = span(r, text)
    local from, to = span(r, text)
    return text:sub(1, first - 1) .. text:sub(from, to) .. text:sub(last + 1)
  end,
  function(r, text) -- another number
    local numbers = {}
    for at in text:gmatch "()%d+" do numbers[#numbers + 1] = at end
    if #numbers == 0 then return text end
    local at = r:pick(numbers)
    return text:sub(1, at - 1) .. r:pick(NUMBERS) .. text:sub(at):gsub("^%d+", "", 1)
  end,
  function(r, text) -- cut off
    return text:sub(1, r:int(0, #text))
  end,
}

function alter.text(r, text)
  for _ = 1, r:int(1, 4) do
    if #text > 0 then text = r:pick(TEXT)(r, text) end
  end
  return text
end

-- ---- tables ----

local VALUES = {
  function() return nil end,
  function(r) return r:pick { 0, 1, -1, 1.5, 1e9, 2 ^ 24, 2 ^ 31, 2 ^ 53, math.huge, -math.huge, 0 / 0, 1e300 } end,
  function(r) return r:pick { "", "x", "ground", "group", "7", "base64", "\0", ("long"):rep(99) } end,
  function(r) return r:chance(0.5) end,
  function() return {} end,
  function() return { {} } end,
  function() return print end,
}

-- The tables in a table, each once, in an order that is the same on every Lua.
local function tables_in(root)
  local list, seen = {}, {}
  local function visit(value)
    if type(value) ~= "table" or seen[value] then return end
    seen[value] = true
    list[#list + 1] = value
    local keys = {}
    for key in pairs(value) do keys[#keys + 1] = key end
    table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
    for _, key in ipairs(keys) do visit(value[key]) end
  end
  visit(root)
  return list
end

local function any_key(r, owner)
  local keys = {}
  for key in pairs(owner) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  return #keys > 0 and r:pick(keys) or 1
end

-- Alters a table in place: values replaced, left out, or taken from elsewhere in it.
function alter.table(r, root)
  for _ = 1, r:int(1, 3) do
    local list = tables_in(root)
    local owner = r:pick(list)
    local key = any_key(r, owner)
    if r:chance(0.2) then
      owner[key] = r:pick(list) -- perhaps one it lies in
    else
      owner[key] = r:pick(VALUES)(r)
    end
  end
end

function alter.copy(value)
  if type(value) ~= "table" then return value end
  local copied = {}
  for key, item in pairs(value) do copied[key] = alter.copy(item) end
  return copied
end

-- ---- outcomes ----

local INSTRUCTIONS = 2e7

-- Calls 'f', which must return or raise a message of its own, and not run on. Compiled code does
-- not count its instructions, so LuaJIT runs without the limit.
function alter.outcome(f, ...)
  if not rawget(_G, "jit") then
    debug.sethook(function() error("ran on", 0) end, "", INSTRUCTIONS)
  end
  local ok, result = pcall(f, ...)
  debug.sethook()
  if ok then return result end
  if type(result) ~= "string" or result == "" then error("an error without a message", 0) end
  if result:find("got a program (", 1, true) then return nil, result end -- a file's own error, quoted
  for _, text in ipairs { "attempt to", "ran on", "bad argument", "stack overflow", "not enough memory",
    "table index is" } do
    if result:find(text, 1, true) then error("a fault inside: " .. result, 0) end
  end
  return nil, result
end

return alter
