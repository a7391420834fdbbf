-- circles.lua -- files of src/ that use each other in circles; fails where any do.
--
--     lua5.4 tools/circles.lua src/*/*.[ch]
--
-- A circle of files is one thing in several files: none of them can be read, tested or changed without the others. x.c
-- and x.h are one file. A file uses another where it names a function, or an object, that is defined there. 'edges'
-- as the first argument prints who uses whom by what, within the circles.

local prints_edges = arg[1] == "edges"
if prints_edges then table.remove(arg, 1) end

-- By name, what the macros with arguments stand for: who writes one uses that.
local macros = {}

-- The code alone: without comments, strings and lines of the preprocessor.
local function read_code(name)
  local file = assert(io.open(name))
  local text = file:read "*a"
  file:close()
  text = ("\n" .. text):gsub("\\\n", " "):gsub("/%*.-%*/", " "):gsub("'\\?.'", "0"):gsub('\\["\\]', "")
    :gsub('"[^"\n]*"', "0"):gsub("//[^\n]*", "")
  for macro, meaning in text:gmatch "\n *# *define +([%w_]+)%b()([^\n]*)" do macros[macro] = meaning end
  return (text:gsub("\n *#[^\n]*", "\n"))
end

-- The name of the function or object that a head before a brace defines for other files; nil for none.
local function name_of_head(head, is_header)
  local is_static = head:find "%f[%w_]static%f[^%w_]"
  if is_static and not is_header then return nil end
  head = head:gsub("%b[]", "")
  return head:match "([%w_]+)%s*=%s*$" or head:match "([%w_]+)%s*%b()%s*$"
end

-- Calls visit(name, body) for all that stands in braces at file scope; of types and of what is of the file alone the
-- name is nil. Declarations are passed over: they use nothing.
local function each_body(code, is_header, visit)
  local at = 1
  while true do
    local brace = code:find("{", at, true)
    if not brace then return end
    local name = name_of_head(code:sub(at, brace - 1):match "[^;]*$", is_header)
    local _, last = code:find("%b{}", brace)
    visit(name, code:sub(brace, assert(last, "braces do not match")))
    at = last + 1
  end
end

local function room_of(name) return name:match "^(.*)%.[ch]$" end

-- By room, its bodies; by name, the rooms that define it: several where the preprocessor leaves some of them out.
local function read_rooms(names)
  local rooms, codes, homes = {}, {}, {}
  for _, name in ipairs(names) do
    local room, code = room_of(name), read_code(name)
    if not codes[room] then rooms[#rooms + 1] = room end
    codes[room] = codes[room] or ""
    each_body(code, name:match "%.h$", function(defined, body)
      codes[room] = codes[room] .. body
      if not defined then return end
      homes[defined] = homes[defined] or {}
      homes[defined][room] = true
    end)
  end
  return rooms, codes, homes
end

-- By room, the rooms that it uses, each by one of the names.
local function edges_of(rooms, codes, homes)
  local edges = {}
  for _, room in ipairs(rooms) do
    edges[room] = {}
    local code = codes[room]:gsub("[%a_][%w_]*", function(name) return macros[name] and name .. macros[name] end)
    for before, name in code:gmatch "(.)%f[%w_]([%a_][%w_]*)" do
      local is_field = before == "." or before == ">"
      for home in pairs(not is_field and homes[name] or {}) do
        if home ~= room and not homes[name][room] then edges[room][home] = name end
      end
    end
  end
  return edges
end

-- Of each room in a circle, which one, by R. Tarjan's algorithm.
local function circles_of(rooms, edges)
  local index, low, is_on, stack, count, circle_of = {}, {}, {}, {}, 0, {}
  local function connect(room)
    count = count + 1
    index[room], low[room], is_on[room] = count, count, true
    stack[#stack + 1] = room
    for to in pairs(edges[room]) do
      if not index[to] then
        connect(to)
        low[room] = math.min(low[room], low[to])
      elseif is_on[to] then
        low[room] = math.min(low[room], index[to])
      end
    end
    if low[room] < index[room] then return end
    local is_alone = stack[#stack] == room
    repeat
      local top = table.remove(stack)
      is_on[top] = false
      if not is_alone then circle_of[top] = index[room] end
    until top == room
  end
  for _, room in ipairs(rooms) do
    if not index[room] then connect(room) end
  end
  return circle_of
end

local rooms, codes, homes = read_rooms(arg)
local edges = edges_of(rooms, codes, homes)
local circle_of = circles_of(rooms, edges)

local members = {}
for _, room in ipairs(rooms) do
  local folder = room:match "([^/]*)/[^/]*$" or "."
  if circle_of[room] then
    members[folder] = members[folder] or {}
    table.insert(members[folder], room)
    for _, to in ipairs(prints_edges and rooms or {}) do
      if circle_of[to] == circle_of[room] and edges[room][to] then print(room .. " > " .. to, edges[room][to]) end
    end
  end
end

local folders = {}
for folder in pairs(members) do folders[#folders + 1] = folder end
table.sort(folders)
for i, folder in ipairs(folders) do
  io.stderr:write(("%d files of %s stand in circles:\n  %s\n"):format(#members[folder], folder,
    table.concat(members[folder], " ")))
  folders[i] = folder .. " " .. #members[folder]
end
print(("%d files, in circles: %s"):format(#rooms, #folders > 0 and table.concat(folders, ", ") or "none"))
os.exit(#folders + (#rooms == 0 and 1 or 0) == 0 and 0 or 1)
