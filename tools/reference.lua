-- reference.lua -- docs/reference.md from the annotations: lua tools/reference.lua >docs/reference.md
--
-- A run of `---` lines in lua/astar/core.d.lua is what is said of the function, class or alias that
-- follows it; `-- ---- name ----` begins a section. `make reference` writes the page, and a spec
-- compares it.

local ANNOTATIONS = "lua/astar/core.d.lua"

local OPENING = [[
# Reference

Made from `lua/astar/core.d.lua`, which editors with LuaCATS read, too. A name followed by `?` may be left out.

```lua
local grid = astar.grid "...\n.#.\n..."
print(grid:draw(grid:find_path(1, 1, 3, 3)))
--> S**
--> .#*
--> ..G
```
]]

-- What a class's local table is called in calls.
local OBJECTS = {
  movingai = "astar.movingai", tiled = "astar.tiled", love = "astar.love", graph = "astar.graph",
  GraphFinder = "finder", GraphPath = "path", GraphSearch = "search", GraphReach = "reach", JoinedGraph = "joined",
  WorldFinder = "finder", RouteSearch = "search",
}

local function object_name(name)
  return OBJECTS[name] or name:lower()
end

-- The runs of `---` lines, each with the line after it: { { lines =, follows =, section = } }.
local function read_runs(name)
  local runs, run, section = {}, {}, "the module"
  for line in io.lines(name) do
    local text = line:match "^%-%-%-(.*)$"
    if text then
      run[#run + 1] = text
    else
      if #run > 0 and run[1] ~= "@meta astar" then
        runs[#runs + 1] = { lines = run, follows = line, section = section }
      end
      run = {}
      section = line:match "^%-%- %-%-%-%- (.-) %-%-%-%-$" or section
    end
  end
  return runs
end

-- A type may hold blanks within brackets or quotes: what ends it is a blank before a word that is no type.
local function split_type(text)
  local depth, quoted = 0, false
  for i = 1, #text do
    local c = text:sub(i, i)
    if c == '"' then
      quoted = not quoted
    elseif not quoted and c:find "[%(%[{<]" then
      depth = depth + 1
    elseif not quoted and c:find "[%)%]}>]" then
      depth = depth - 1
    elseif c == " " and depth == 0 and not quoted and not text:sub(i - 1, i - 1):find "[:,|]" then
      return text:sub(1, i - 1), text:sub(i + 1)
    end
  end
  return text, ""
end

local function code(text)
  return "`" .. text .. "`"
end

local function line_of(name, type, text)
  text = text:gsub("^# ", "")
  return ("- %s %s%s"):format(code(name), code(type), text ~= "" and ": " .. text or "")
end

-- Takes a run apart: description, parameters, results, fields and what else there is.
local function parse(run)
  local parts = { text = {}, params = {}, returns = {}, overloads = {}, fields = {}, values = {} }
  local pending = {} -- what is said of the field to come
  local is_class = false
  for _, line in ipairs(run.lines) do
    local tag, rest = line:match "^@(%w+) ?(.*)$"
    if tag == "class" then
      parts.class, is_class = rest:match "^[%w_.]+", true
      parts.text, pending = pending, {}
    elseif tag == "alias" then
      local name, type = rest:match "^([%w_.]+) ?(.*)$"
      parts.aliases = parts.aliases or {}
      parts.aliases[#parts.aliases + 1] = { name = name, type = type, text = pending }
      pending = {}
    elseif tag == "field" then
      local name, more = rest:match "^(%b[]%??) (.*)$"
      if not name then
        name, more = rest:match "^([%w_]+%??) (.*)$"
      end
      local type, text = split_type(more)
      parts.fields[#parts.fields + 1] = line_of(name, type,
        (#pending > 0 and table.concat(pending, " ") or text))
      pending = {}
    elseif tag == "param" then
      local name, more = rest:match "^([%w_]+%??) (.*)$"
      local type, text = split_type(more)
      parts.params[#parts.params + 1] = line_of(name, type, text)
    elseif tag == "return" then
      local type, text = split_type(rest)
      parts.returns[#parts.returns + 1] = { type = type, text = text }
    elseif tag == "overload" then
      parts.overloads[#parts.overloads + 1] = rest
    elseif not tag then
      if line:find "^| " and parts.aliases then
        local alias = parts.aliases[#parts.aliases]
        alias.type = alias.type .. (alias.type == "" and "" or "|") .. line:sub(3)
      else
        pending[#pending + 1] = line
      end
    end
  end
  if not is_class then
    parts.text = pending
  end
  return parts
end

-- "Grid:get(x, y)" as "grid:get(x, y)".
local function call_of(follows)
  local object, rest = follows:match "^function ([%w_]+)(.-) end$"
  if object then
    return object_name(object) .. rest
  end
end

local function results_of(returns)
  local list = {}
  for i, result in ipairs(returns) do
    local name = result.text:match "^[%w_]+"
    list[i] = code(result.type) .. (name and " " .. result.text or "")
  end
  return table.concat(list, ", ")
end

local function add(out, lines)
  if #lines > 0 then
    for _, line in ipairs(lines) do out[#out + 1] = line end
    out[#out + 1] = ""
  end
end

local function show_function(out, call, parts)
  add(out, { "### " .. code(call) })
  add(out, parts.text)
  local lines = {}
  for _, line in ipairs(parts.params) do lines[#lines + 1] = line end
  for _, overload in ipairs(parts.overloads) do lines[#lines + 1] = "- also " .. code(overload) end
  if #parts.returns > 0 then
    lines[#lines + 1] = "- returns " .. results_of(parts.returns)
  end
  add(out, lines)
end

local function show(out, run)
  local parts, call = parse(run), call_of(run.follows)
  for _, alias in ipairs(parts.aliases or {}) do
    add(out, { "### " .. code(alias.name) })
    add(out, alias.text)
    add(out, { code(alias.type) })
  end
  if parts.class then
    add(out, { "### " .. code(parts.class) })
    add(out, parts.text)
    add(out, parts.fields)
  end
  if call then
    show_function(out, call, parts)
  end
end

-- The page.
local function reference()
  local out, section = {}, nil
  for _, run in ipairs(read_runs(ANNOTATIONS)) do
    if run.section ~= section then
      section = run.section
      add(out, { "## " .. section:sub(1, 1):upper() .. section:sub(2) })
    end
    show(out, run)
  end
  return OPENING .. "\n" .. table.concat(out, "\n")
end

if arg and arg[0] and arg[0]:find "reference%.lua$" then
  io.write(reference())
end

return reference
