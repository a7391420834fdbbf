-- options.lua -- writes the files that follow from src/rules/options.def, the table of options: lua tools/options.lua
--
-- `lua tools/options.lua --check` writes nothing. It prints what the other files lack, and fails if they lack anything.
--
-- `make options` runs it. It writes the fields of AstarOptions and AstarQueryOptions into src/astar/finder.h, and the
-- list of options for Lua, lua/astar/option_table.lua. As a module it returns a table of functions; a spec compares
-- what they return with the files.

local options = {}

local TABLE, HEADER, LIST = "src/rules/options.def", "src/astar/finder.h", "lua/astar/option_table.lua"

-- Columns of a row, as the comment at the head of options.def describes them.
local COLUMNS = {
  "name", "kind", "type", "least", "most", "otherwise", "need", "plain", "flow", "crowd", "world", "route", "twin",
  "saved",
}
local OWN_COLUMNS = { "name", "type", "lua", "world", "route", "twin" }
local KINDS = { NUMBER = true, COUNT = true, WHOLE = true, FLAG = true, NAME = true }

local function read_file(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function split(text)
  local list = {}
  for each in (text .. ","):gmatch "%s*(.-)%s*," do list[#list + 1] = each end
  return list
end

--- Returns the rows of options and those of needs, from the text of options.def. Each row has its columns by name, the
-- `macro`, and the `comment` above it.
function options.rows(text)
  local rows, needs, comment, open = {}, {}, {}, nil
  for line in (text or read_file(TABLE)):gmatch "([^\n]*)\n" do
    local said = line:match "^//%s?(.*)"
    if said then
      comment[#comment + 1] = said
    elseif open or line:find "^[%u_]+%(" then
      open = (open or "") .. " " .. line
      if open:find "%)%s*$" then
        local macro, inner = open:gsub("/%*.-%*/", ""):match "([%u_]+)%((.*)%)"
        local row, names = { macro = macro, comment = table.concat(comment, " ") }, COLUMNS
        if macro == "OWN_OPTION" then names = OWN_COLUMNS end
        if macro == "NEED" then names = { "name", "words", "status", "auto", "astar", "dijkstra", "jps", "jpsw" } end
        local values = split(inner)
        for i, column in ipairs(names) do row[column] = values[i] end
        if macro ~= "NEED" then
          local is_query = macro == "QUERY_OPTION"
          local expected = macro == "OWN_OPTION" and #OWN_COLUMNS or is_query and #COLUMNS or #COLUMNS - 1
          assert(#values == expected, ("%s: %s has %d columns, not %d"):format(TABLE, row.name, #values, expected))
          assert(macro == "OWN_OPTION" or KINDS[row.kind], ("%s: %s has no valid kind"):format(TABLE, row.name))
          if macro ~= "OWN_OPTION" then row.lua = row.name end
          if row.lua == "NONE" then row.lua = nil end
        end
        table.insert(macro == "NEED" and needs or rows, row)
        open, comment = nil, {}
      end
    else
      comment = {}
    end
  end
  return rows, needs
end

-- The fields of the structs in finder.h.

-- Returns a comment as lines of at most 100 columns, indented for a field of a struct.
local function comment_of(text)
  local lines, line = {}, "    //"
  for word in text:gmatch "%S+" do
    if #line + 1 + #word > 100 then
      lines[#lines + 1] = line
      line = "    //"
    end
    line = line .. " " .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n") .. "\n"
end

--- Returns the text of finder.h with the fields of both structs in place of those in `text`.
function options.header(rows, text)
  local all, of_query = {}, {}
  for _, row in ipairs(rows) do
    local field = ("    %s%s%s;\n"):format(row.type, row.type:find "%*$" and "" or " ", row.name)
    all[#all + 1] = comment_of(row.comment) .. field
    if row.macro == "QUERY_OPTION" then of_query[#of_query + 1] = field end
  end
  local function put(name, fields)
    local _, first = assert(text:find("typedef struct " .. name .. " {\n", 1, true))
    local last = assert(text:find("} " .. name .. ";", first, true))
    text = text:sub(1, first) .. table.concat(fields) .. text:sub(last)
  end
  put("AstarOptions", all)
  put("AstarQueryOptions", of_query)
  return text
end

-- The list for Lua.

-- Returns the numbers of the enumerators in a header, and the values of its macros that are numbers.
local function constants_of(...)
  local numbers = {}
  for _, text in ipairs { ... } do
    text = text:gsub("//[^\n]*", "")
    for name, value in text:gmatch "#define (ASTAR_[%u%d_]+) ([%d.]+)" do numbers[name] = value end
    for inner in text:gmatch "typedef enum %w+ (%b{})" do
      local number = 0
      for name in inner:gmatch "[%u][%u%d_]+" do
        numbers[name] = ("%d"):format(number)
        number = number + 1
      end
    end
  end
  numbers.INFINITY, numbers.UINT64_MAX, numbers.ASTAR_SQRT2 = "math.huge", "math.huge", "math.sqrt(2)"
  numbers["false"] = "false"
  return numbers
end

-- Returns the name of a value of an enumeration as Lua spells it, from its enumerator.
local function name_of(row)
  return (row.otherwise:gsub("^ASTAR_", ""):lower():gsub("^" .. row.name .. "_", ""))
end

--- Returns the text of option_table.lua. `header` is the text of finder.h, `core` that of astar.h.
function options.list(rows, needs, header, core)
  local numbers, lines, jumps = constants_of(header, core), {}, {}
  for _, need in ipairs(needs) do jumps[need.name] = need.jps end
  local function number_of(row, column)
    local value = row[column]
    return numbers[value] or value:find "^%-?[%d.]+$" and value
      or error(("%s: %s: %s is no number: %s"):format(TABLE, row.name, column, value))
  end
  for _, row in ipairs(rows) do
    local parts = {}
    local function add(name, value) parts[#parts + 1] = name .. " = " .. value end
    if row.lua then
      add("name", ('"%s"'):format(row.lua))
      add("kind", ('"%s"'):format(row.kind and row.kind:lower() or "own"))
      if row.kind == "NAME" then
        local least, otherwise = number_of(row, "least"), number_of(row, "otherwise")
        add("first", least)
        add("unnamed", otherwise)
        if tonumber(otherwise) >= tonumber(least) then add("otherwise", ('"%s"'):format(name_of(row))) end
      elseif row.kind == "FLAG" then
        add("otherwise", row.otherwise)
      elseif row.kind then
        add("least", number_of(row, "least"))
        add("most", row.kind == "COUNT" and row.most == "UINT64_MAX" and "2 ^ 53" or number_of(row, "most"))
        add("otherwise", number_of(row, "otherwise"))
      end
      if row.macro == "QUERY_OPTION" then add("of_query", "true") end
      add("flow", ('"%s"'):format(row.flow or "H"))
      if jumps[row.need] == "R" then add("jps", '"R"') end
      for _, column in ipairs { "world", "route", "twin" } do add(column, ('"%s"'):format(row[column])) end
      local line = "  { " .. table.concat(parts, ", ") .. " },"
      if #line > 120 then -- break before the columns of letters
        line = line:gsub(", flow = ", ",\n    flow = ")
      end
      lines[#lines + 1] = line
    end
  end
  return ([[
-- option_table.lua -- the options of a finder and of a query, in the order of src/rules/options.def.
--
-- `make options` writes this file from options.def, which describes the columns. `jps` is "R" if jump point search
-- cannot honour the option.

return {
%s
}
]]):format(table.concat(lines, "\n"))
end

--- Returns a table of the texts that follow from options.def, by the names of their files.
function options.texts()
  local header = read_file(HEADER)
  local rows, needs = options.rows()
  return {
    [HEADER] = options.header(rows, header),
    [LIST] = options.list(rows, needs, header, read_file "src/astar.h"),
  }
end

-- The check of the files that are written by hand.

-- Options of a query that are not options of a finder.
local OF_QUERIES_ALONE = { suppose_blocked = true, schedule = true }

-- How the annotations describe the type of an option of each kind.
local ANNOTATED = { NUMBER = "^number", COUNT = "^integer", WHOLE = "^integer", FLAG = "^boolean", NAME = "^astar%.%u" }

-- Returns the annotated fields of a class: the type of each, and the comment above it.
local function fields_of(class, annotations)
  local fields, comment = {}, ""
  local text = assert(annotations:match("%-%-%-@class astar%." .. class .. "\n(.-)\n\n"), class)
  for line in text:gmatch "[^\n]+" do
    local name, kind = line:match "^%-%-%-@field ([%w_]+)%? (.*)$"
    if name then
      fields[name], comment = { kind = kind, comment = comment }, ""
    else
      comment = comment .. " " .. line:sub(4)
    end
  end
  return fields
end

-- Returns the text of all files that a shell command names.
local function texts_of(command)
  local process = assert(io.popen(command))
  local texts = {}
  for name in process:lines() do texts[#texts + 1] = read_file(name) end
  process:close()
  return table.concat(texts, "\n")
end

--- Returns a list of sentences, one for each place in which a file differs from options.def: the files that `make
-- options` writes, the annotations, the sources that use the options, and the twin.
function options.problems()
  local problems, rows = {}, (options.rows())
  local function expect(holds, message, ...)
    if not holds then problems[#problems + 1] = message:format(...) end
  end
  for name, text in pairs(options.texts()) do
    expect(read_file(name) == text, "%s differs from %s: run `make options`", name, TABLE)
  end
  local annotations = read_file "lua/astar/core.d.lua"
  local finder, query = fields_of("FinderOptions", annotations), fields_of("Query", annotations)
  local core = texts_of "find src -name '*.[ch]' ! -path 'src/astar/*' ! -name 'options.*'"
  local twin = texts_of "ls lua/astar/plain/*.lua"
  local known = {}
  for _, row in ipairs(rows) do
    local name, field = row.lua or row.name, finder[row.lua]
    known[name] = true
    expect(core:find("[.>]" .. row.name .. "%f[^%w_]"), "no source of src/ reads the option %s", name)
    if row.lua then
      expect(field, "core.d.lua: FinderOptions lacks the option %s", name)
      expect(row.twin ~= "H" or twin:find("%f[%w_]" .. name .. "%f[^%w_]"), "lua/astar/plain/ lacks the option %s",
        name)
      expect(not query[name] == (row.macro ~= "QUERY_OPTION"),
        "core.d.lua: Query and options.def differ about the option %s", name)
    end
    if field then
      expect(field.comment:find "[Dd]efault", "core.d.lua: FinderOptions states no default of %s", name)
      local kind = ANNOTATED[row.kind]
      expect(not kind or field.kind:find(kind) or field.kind:find "DirectionName",
        "core.d.lua: %s is of the type %s, not a %s", name, field.kind, row.kind and row.kind:lower())
    end
  end
  for name in pairs(finder) do expect(known[name], "options.def lacks the option %s", name) end
  for name in pairs(query) do
    expect(known[name] or OF_QUERIES_ALONE[name], "options.def lacks the option %s of a query", name)
  end
  table.sort(problems)
  return problems
end

if arg and arg[0] and arg[0]:find "options%.lua$" and ... == "--check" then
  local problems = options.problems()
  for _, problem in ipairs(problems) do print(problem) end
  os.exit(#problems == 0)
elseif arg and arg[0] and arg[0]:find "options%.lua$" and not ... then
  for name, text in pairs(options.texts()) do
    local file = assert(io.open(name, "wb"))
    file:write(text)
    file:close()
  end
end

return options
