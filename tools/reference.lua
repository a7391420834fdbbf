-- reference.lua -- docs/reference.md and the pages of docs/reference/, one a class, from the annotations and the
-- examples beside the pages: lua tools/reference.lua docs
--
-- A run of `---` lines in lua/astar/core.d.lua is what is said of the function, class or alias that
-- follows it; `-- ---- name ----` begins a section. Functions stand on the page of their class, those of the module on
-- that of what they return, options and aliases on that of what follows them. `make reference` writes the pages, and a
-- spec compares them.

local ANNOTATIONS = "lua/astar/core.d.lua"
local EXAMPLES = "docs/reference/examples.lua"

local OPENING = [[
# Reference

This part of the manual describes every function, field and option, with a page for each class. The reference is generated from
`lua/astar/core.d.lua`, which editors with LuaCATS read as well. An option or argument whose name ends with `?` may be left out. An error is
raised at the line of the caller. Every example follows the first example of its page and `local astar = require "astar"`. A comment with `-->` shows
what the line prints.

```lua
local grid = astar.grid "...\n.#.\n..."
print(grid:draw(grid:find_path(1, 1, 3, 3)))
--> S**
--> .#*
--> ..G
```
]]

-- The first version that had a call, where its annotation does not say `@since`.
local SINCE = "1.0"

-- What a class's local table is called in calls.
local OBJECTS = {
  DesireMap = "desires", TimedPath = "timed", movingai = "astar.movingai", tiled = "astar.tiled", love = "astar.love", graph = "astar.graph",
  ldtk = "astar.ldtk", jumper = "astar.jumper",
  GraphFinder = "finder", GraphPath = "path", GraphSearch = "search", GraphReach = "reach", JoinedGraph = "joined",
  JoinedSearch = "search", WorldFinder = "finder", RouteSearch = "search", Resolving = "job",
}

-- What a page is called where that is not what its objects are called.
local TITLES = {
  movingai = "astar.movingai", tiled = "astar.tiled", love = "astar.love", ldtk = "astar.ldtk", jumper = "astar.jumper",
  graph_finder = "finder of a graph", graph_path = "path over a graph", graph_search = "search over a graph",
  graph_reach = "reach over a graph", joined_graph = "joined graph", joined_search = "search over a joined graph",
  world_finder = "finder of a world",
  route_search = "search for a route", resolving = "job of crowd:resolving", baked = "baked data",
}

-- The pages of the manual that explain a class, by their paths in docs/.
local GUIDES = {
  grid = "grids layers links hexagons cores", field = "fields tactics/desires",
  finder = "finders questions size tactics/sight tactics/breaking tactics/building baking/baking",
  flow = "flows tactics/building",
  desire_map = "tactics/desires", job = "slices",
  baked = "baking/baking", search = "slices", workers = "workers/workers", queue = "slices workers/workers", ticket = "slices",
  path = "paths straighter", walker = "walkers", crowd = "crowd/crowds", resolving = "crowd/crowds", unit = "crowd/crowds",
  tower = "links", goals = "tactics/desires", schedule = "schedules", timed_path = "schedules",
  graph = "graph/graphs", graph_finder = "graph/graphs", graph_path = "graph/graphs", graph_search = "graph/graphs",
  graph_reach = "graph/graphs", joined_graph = "graph/graphs", joined_search = "graph/graphs",
  world = "world/worlds", world_finder = "world/worlds", route_search = "world/worlds", route = "world/worlds",
  movingai = "files", tiled = "tiled", love = "love", view = "love",
  ldtk = "ldtk", jumper = "from_jumper",
}

local function object_name(name)
  return OBJECTS[name] or name:lower()
end

local function page_name(name)
  return (name:gsub("(%l)(%u)", "%1_%2"):lower())
end

-- { [page] = { opening =, is_run =, [call] = } }
local function read_examples(name)
  local pages, page, call = {}, nil, nil
  for line in io.lines(name) do
    local title, rest = line:match "^%-%-# ([%w_]+)(.*)$"
    if title then
      page, call = { is_run = rest == "" }, "opening"
      pages[title] = page
    elseif line:find "^%-%-: " then
      call = line:match "^%-%-: (%S+)$"
    elseif page then
      page[call] = (page[call] or "") .. line .. "\n"
    end
  end
  return pages
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

-- Takes a run apart: description, parameters, results, fields and what else there is.
local function parse(run)
  local parts = { text = {}, params = {}, returns = {}, overloads = {}, fields = {}, values = {} }
  local pending = {} -- what is said of the field to come
  local is_class, last = false, nil -- the parameter that a line further in goes on about
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
      parts.fields[#parts.fields + 1] = { name = name, type = type, text =
        (#pending > 0 and table.concat(pending, " ") or text) }
      pending = {}
    elseif tag == "param" then
      local name, more = rest:match "^([%w_.]+%??) (.*)$"
      local type, text = split_type(more)
      last = { name = name, type = type, text = text }
      parts.params[#parts.params + 1] = last
    elseif tag == "return" then
      local type, text = split_type(rest)
      parts.returns[#parts.returns + 1] = { type = type, text = text }
    elseif tag == "since" then
      parts.since = rest
    elseif tag == "overload" then
      parts.overloads[#parts.overloads + 1] = rest
    elseif not tag then
      if line:find "^| " and parts.aliases then
        local alias = parts.aliases[#parts.aliases]
        alias.type = alias.type .. (alias.type == "" and "" or "|") .. line:sub(3)
      elseif last and line:find "^  " then
        last.text = last.text .. line:sub(2)
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

-- "Grid:get(x, y)" is "Grid", "grid:get", "(x, y)".
local function call_of(follows)
  local object, name, parameters = follows:match "^function ([%w_]+)([.:][%w_]+)(%b()) end$"
  if object then
    return object, object_name(object) .. name, parameters
  end
end

-- ---- where what stands ----

-- The class that a function of the module gives an object of.
local function class_returned(parts)
  return parts.returns[1] and parts.returns[1].type:match "^astar%.(%w+)"
end

-- All there is to tell, with its page: { { page =, parts =, call =, parameters = } }, and the pages in their order.
local function read_entries()
  local entries, pages, is_page, section = {}, {}, {}, nil
  local function add_page(name)
    if not is_page[name] then pages[#pages + 1] = name end
    is_page[name] = true
  end
  for i, run in ipairs(read_runs(ANNOTATIONS)) do
    local parts, object, call, parameters = parse(run), call_of(run.follows)
    local owner = run.follows:match "^local ([%w_]+) = {}$"
    if object == "astar" then object = class_returned(parts) end
    local page = (owner or object) and page_name(owner or object)
    entries[i] = { page = page, parts = parts, call = call, parameters = parameters, section = run.section,
      is_class = owner ~= nil and owner ~= "graph" }
  end
  for i = #entries, 1, -1 do -- what has no page of its own goes with what follows
    local entry, after = entries[i], entries[i + 1]
    entry.page = entry.page or (after and after.section == entry.section and after.page) or "astar"
  end
  for _, entry in ipairs(entries) do add_page(entry.page) end
  return entries, pages
end

local function anchor_of(heading)
  return (heading:lower():gsub("[^%w _-]", ""):gsub(" ", "-"))
end

local function file_of(page)
  return page == "astar" and "reference.md" or "reference/" .. page .. ".md"
end

-- From one page to another.
local function link_to(page, from)
  if from == "astar" then return file_of(page) end
  return page == "astar" and "../reference.md" or page .. ".md"
end

-- Where types are told of: { ["astar.Key"] = { page =, anchor = } }.
local function places_of(entries)
  local places = {}
  for _, entry in ipairs(entries) do
    for _, alias in ipairs(entry.parts.aliases or {}) do
      places[alias.name] = { page = entry.page, anchor = "#" .. anchor_of(alias.name) }
    end
    if entry.parts.class then
      places[entry.parts.class] = { page = entry.page, anchor = entry.is_class and "" or "#" .. anchor_of(entry.parts.class) }
    end
  end
  return places
end

-- ---- what it looks like ----

local places -- as places_of tells

-- A type as code, a link where it is one of ours.
local function type_code(type, page)
  local name = type:gsub("%?$", ""):gsub("|nil$", ""):gsub("%[%]$", "")
  local place = places[name]
  if not place or (place.page == page and place.anchor == "") then return code(type) end
  return ("[%s](%s%s)"):format(code(type), place.page == page and "" or link_to(place.page, page), place.anchor)
end

local function line_of(item, page)
  local text = item.text:gsub("^# ", "")
  return ("- %s %s%s"):format(code(item.name), type_code(item.type, page), text ~= "" and ": " .. text or "")
end

local function results_of(returns, page)
  local list = {}
  for i, result in ipairs(returns) do
    local name = result.text:match "^[%w_]+"
    list[i] = type_code(result.type, page) .. (name and " " .. result.text or "")
  end
  return table.concat(list, ", ")
end

local function add(out, lines)
  if #lines > 0 then
    for _, line in ipairs(lines) do out[#out + 1] = line end
    out[#out + 1] = ""
  end
end

local function add_items(out, items, page)
  local lines = {}
  for i, item in ipairs(items) do lines[i] = line_of(item, page) end
  add(out, lines)
end

-- "(x, y, w, h)" with a "?" at what may be left out.
local function signature(entry)
  local optional = {}
  for _, item in ipairs(entry.parts.params) do
    local name = item.name:match "^([%w_]+)%?$"
    if name then optional[name] = name .. "?" end
  end
  return entry.call .. entry.parameters:gsub("[%w_]+", optional)
end

local function add_example(out, examples, text)
  if text then -- "Lua": code to look at, which nobody runs
    add(out, { "```" .. (examples.is_run and "lua" or "Lua"), (text:gsub("\n+$", "")), "```" })
  end
end

local function show_function(out, entry, examples)
  local parts, lines = entry.parts, {}
  add(out, { "## " .. entry.call })
  add(out, { code(signature(entry)) .. " · since " .. (parts.since or SINCE) })
  add(out, parts.text)
  for i, item in ipairs(parts.params) do lines[i] = line_of(item, entry.page) end
  for _, overload in ipairs(parts.overloads) do lines[#lines + 1] = "- also " .. code(overload) end
  if #parts.returns > 0 then
    lines[#lines + 1] = "- returns " .. results_of(parts.returns, entry.page)
  end
  add(out, lines)
  add_example(out, examples, examples[entry.call])
end

local function show_types(out, entry)
  for _, alias in ipairs(entry.parts.aliases or {}) do
    add(out, { "## " .. alias.name })
    add(out, alias.text)
    add(out, { code(alias.type) })
  end
  if entry.parts.class and not entry.is_class then
    add(out, { "## " .. entry.parts.class })
    add(out, entry.parts.text)
    add_items(out, entry.parts.fields, entry.page)
  end
end

local function guides_of(page)
  local list = {}
  for name in GUIDES[page]:gmatch "%S+" do
    list[#list + 1] = ("[%s](../%s.md)"):format(name:match("[^/]*$"):gsub("_", " "), name)
  end
  return "Explained in: " .. table.concat(list, ", ") .. ". All classes: [reference](../reference.md)."
end

local function title_of(page)
  return TITLES[page] or page
end

-- What the page of a class begins with; what can be called and the types follow.
local function show_page(page, entries, examples)
  local out = { "# " .. title_of(page), "" }
  for _, entry in ipairs(entries) do
    if entry.page == page and entry.is_class then
      add(out, entry.parts.text)
      add(out, { guides_of(page) })
      add_items(out, entry.parts.fields, page)
    end
  end
  add_example(out, examples, examples.opening)
  for _, entry in ipairs(entries) do
    if entry.page == page and entry.call then show_function(out, entry, examples) end
  end
  for _, entry in ipairs(entries) do
    if entry.page == page and not entry.call then show_types(out, entry) end
  end
  return table.concat(out, "\n")
end

local function calls_of(page, entries)
  local list = {}
  for _, entry in ipairs(entries) do
    if entry.page == page and entry.call then
      local name = entry.call:gsub("^.*:", "")
      list[#list + 1] = ("[%s](%s#%s)"):format(code(name), file_of(page), anchor_of(entry.call))
    end
  end
  return table.concat(list, ", ")
end

local function show_index(pages, entries)
  local out = { OPENING, "## Classes", "", "| class | methods and functions |", "| --- | --- |" }
  for _, page in ipairs(pages) do
    if page ~= "astar" then
      out[#out + 1] = ("| [%s](%s) | %s |"):format(title_of(page), file_of(page), calls_of(page, entries))
    end
  end
  add(out, { "", "## astar" })
  for _, entry in ipairs(entries) do
    if entry.page == "astar" and entry.is_class then
      add(out, entry.parts.text)
      add_items(out, entry.parts.fields, "astar")
    end
  end
  for _, entry in ipairs(entries) do
    if entry.page == "astar" then show_types(out, entry) end
  end
  return table.concat(out, "\n")
end

-- { [file's name within docs/] = its text }
local function reference()
  local entries, pages = read_entries()
  local examples = read_examples(EXAMPLES)
  places = places_of(entries)
  local texts = { ["reference.md"] = show_index(pages, entries) }
  for _, page in ipairs(pages) do
    if page ~= "astar" then texts[file_of(page)] = show_page(page, entries, examples[page] or {}) end
  end
  return texts
end

if arg and arg[0] and arg[0]:find "reference%.lua$" then
  for name, text in pairs(reference()) do
    local file = assert(io.open(arg[1] .. "/" .. name, "w"))
    file:write(text)
    file:close()
  end
end

return reference
