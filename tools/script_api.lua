-- script_api.lua -- the module's functions as Defold's editor completes them: lua tools/script_api.lua >x.script_api
--
-- Made of the annotations, as docs/reference.md is. Defold knows tables of functions and no objects, so methods are not
-- among them.

local ANNOTATIONS = "lua/astar/core.d.lua"

-- Text as YAML has it between double quotes.
local function quoted(text)
  return '"' .. text:gsub('[\\"]', "\\%0") .. '"'
end

-- "a: what it is" of what follows `---@param ` or `---@return `.
local function parameter(text)
  local name, optional, rest = text:match "^([%w_%.]+)(%??)%s+(.+)$"
  return { name = name, is_optional = optional == "?", desc = rest }
end

-- The first sentence of what is said of a function.
local function summary(lines)
  local text = table.concat(lines, " "):gsub("%s+", " ")
  return text:match "^(.-%.)%s" or text
end

-- The functions of `astar` and of the tables in it: { { path =, parameters =, desc = } }.
local function read_functions()
  local found, said, parameters = {}, {}, {}
  for line in io.lines(ANNOTATIONS) do
    local text, path = line:match "^%-%-%-(.*)$", line:match "^function ([%l_%.]+)%("
    if text and text:find "^@param " then
      parameters[#parameters + 1] = parameter(text:match "^@param (.*)$")
    elseif text and not text:find "^@" then
      said[#said + 1] = text
    elseif not text then
      if path and path:find "%." then
        found[#found + 1] = { path = path, parameters = parameters, desc = summary(said) }
      end
      said, parameters = {}, {}
    end
  end
  return found
end

local function write_function(f, name, indent)
  io.write(indent, "- name: ", name, "\n", indent, "  type: function\n", indent, "  desc: ", quoted(f.desc), "\n")
  if #f.parameters > 0 then
    io.write(indent, "  parameters:\n")
  end
  for _, p in ipairs(f.parameters) do
    io.write(indent, "    - name: ", quoted(p.name), "\n", indent, "      desc: ", quoted(p.desc), "\n")
    if p.is_optional then
      io.write(indent, "      optional: true\n")
    end
  end
end

io.write "# Made by tools/script_api.lua.\n- name: astar\n  type: table\n  desc: Shortest paths on grids.\n  members:\n"
local tables = {}
for _, f in ipairs(read_functions()) do
  local owner, name = f.path:match "^([%l_]+)%.([%l_]+)$"
  if owner == "astar" then
    write_function(f, name, "    ")
  elseif owner and owner ~= "love" then -- a table within astar
    if not tables[owner] then
      tables[#tables + 1], tables[owner] = owner, {}
    end
    table.insert(tables[owner], { f = f, name = name })
  end
end
for _, owner in ipairs(tables) do
  io.write("    - name: ", owner, "\n      type: table\n      members:\n")
  for _, member in ipairs(tables[owner]) do
    write_function(member.f, member.name, "        ")
  end
end
