-- snippets.lua -- the manual's snippets, a section a script, and the examples, with what they print here: the name,
-- script and output of one after another, each as the number of its bytes, a line break and those.

local documents = require "spec.support.documents"

local function read(name)
  local file = assert(io.open(name))
  local text = file:read "*a"
  file:close()
  return text
end

-- { { name =, script = } }
local function scripts()
  local list = {}
  for _, document in ipairs(documents.all()) do
    local needs_love = document.text:find("function love.", 1, true)
    for _, block in ipairs(needs_love and {} or documents.blocks(document, "lua")) do
      local name, last = document.name .. ": " .. block.section, list[#list]
      if not last or last.name ~= name then
        last = { name = name, script = 'local astar = require "astar"\n' }
        list[#list + 1] = last
      end
      last.script = last.script .. documents.text_of(document, block) .. "\n"
    end
  end
  local pipe = assert(io.popen "ls examples/*.lua")
  for name in pipe:lines() do list[#list + 1] = { name = name, script = read(name) } end
  pipe:close()
  return list
end

-- What it prints; nil where it is not to be run without more, such as a file or LÖVE.
local function run(script)
  local printed = {}
  local function write(...)
    for i = 1, select("#", ...) do printed[#printed + 1] = tostring((select(i, ...))) end
  end
  local environment = setmetatable({ io = setmetatable({ write = write }, { __index = io }) }, { __index = _G })
  function environment.print(...)
    for i = 1, select("#", ...) do write(i > 1 and "\t" or "", (select(i, ...))) end
    write "\n"
  end
  local chunk = load(script, "=script", "t", environment)
  return chunk and pcall(chunk) and table.concat(printed) or nil
end

local function put(text) io.write(#text, "\n", text) end

for _, one in ipairs(scripts()) do
  local begun = os.clock()
  local output = run(one.script)
  if output and os.clock() - begun > 1 then
    io.stderr:write("too long for the page: ", one.name, "\n")
  elseif output then
    put(one.name)
    put(one.script)
    put(output)
  else
    io.stderr:write("not by itself: ", one.name, "\n")
  end
end
