-- cycles.lua -- every cycle of calls in src/, each with what bounds its depth; fails where there is none told.
--
--     cc -E -P one_file.c | lua5.4 tools/cycles.lua [all | none]
--
-- A host's script chooses sizes, lengths of chains, orders of edits; a game runs on threads with little stack. So no
-- call may lead back to itself as deep as a script likes. What is read is all of src/ as one file, preprocessed, as
-- `make lint` makes it. An edge leads from a function to each one it calls or hands on; from one that is handed a
-- function to that; from a call by a field, as in layer->build(...), to every function that this field of such a struct
-- is given, by its name or its place in an initializer. 'all' prints the edges, 'none' knows no bounds.
--
-- What it cannot see: calls through Lua (a callback that asks again). Those every Lua bounds itself, at 200 levels.

-- By edge, "from > to": what bounds how often it is taken on the way down. Without these edges there is no cycle.
local BOUNDS = {
  ["AstarContinuation.free > free_snapshot"] = "once: what is frozen is not frozen again, and the copy's search never is",
  ["AstarContinuation.step > step_on_snapshot"] = "once, the same",
  ["astar_baked_map_release > astar_baked_map_release"] = "a snapshot's original, and its: a worker's, a published map's, the map's",
  ["astar_finder_release > astar_finder_release"] = "once: a lifted finder's is a plain one",
  ["step_flow_on_snapshot > astar_flow_step"] = "once: no edit concerns a twin, so that it is never frozen",
  ["flow_snapshots_bytes > astar_flow_bytes"] = "once, the same",
  ["astar_layer_drop > free_layer"] = "three times: irregular ground and landmarks have large squares, those cells",
  ["astar_layer_drop > free_surplus"] = "three times, the same",
  ["build_from_base > astar_layer_build"] = "once: the base of squares is cells, which have none",
  ["build_nonuniform > astar_layer_build"] = "once: neither squares nor footprints are of irregular ground",
  ["show_own > astar_grid_release"] = "once: published copies are tied to nothing, and no clone is of a clone",
  ["bytes_behind > astar_shared_bytes"] = "once: published copies are of no map of another state",
  ["bytes_of_published > astar_shared_bytes"] = "once, the same",
  ["check_cell_state > next_path_cell"] = "handed on to be compared, not called",
  ["count_in_square > count_in_square"] = "once a level, of which there are eleven at most",
  ["astar_flow_snapshot_free > astar_flow_release"] = "once: a twin is never frozen",
  ["next_path_cell > next_path_cell"] = "handed on to be compared, not called",
  ["open_walkable > astar_layer_take"] = "once: the base of squares is cells, which have none",
  ["descend_into > descend_into"] = "once a level, of which there are eleven at most",
  ["put_column_on_diagonal > put_column_on_diagonal"] = "once: two columns, as one and one",
  ["put_snapshot > astar_grid_release"] = "once: snapshots are tied to nothing",
  ["run_flood > run_flood"] = "once: diagonal runs send out straight ones, and those none",
  ["update_square > update_square"] = "once a level, of which there are eleven at most",
}

-- ---- the source ----

local KEYWORDS = {}
for word in ("if for while switch return sizeof do else case goto"):gmatch "%S+" do KEYWORDS[word] = true end

-- Names, numbers and signs; "->" is ".". Strings and characters are left out.
local function tokens_of(text)
  local tokens, at = {}, 1
  text = text:gsub("\n *#[^\n]*", ""):gsub("%->", ".")
  while true do
    local first, last = text:find("[%w_]+", at)
    local sign = text:find("[^%w_%s]", at)
    if sign and (not first or sign < first) then
      local char = text:sub(sign, sign)
      if char == '"' or char == "'" then
        repeat
          sign = assert(text:find('[\\' .. char .. ']', sign + 1), "a string without an end")
          local is_end = text:sub(sign, sign) == char
          sign = is_end and sign or sign + 1
        until is_end
      else
        tokens[#tokens + 1] = char
      end
      at = sign + 1
    elseif first then
      tokens[#tokens + 1] = text:sub(first, last)
      at = last + 1
    else
      return tokens
    end
  end
end

local OPEN = { ["("] = ")", ["{"] = "}", ["["] = "]" }

-- Of each opening token the place of the one that closes it.
local function partners_of(tokens)
  local partners, stack = {}, {}
  for i, token in ipairs(tokens) do
    if OPEN[token] then
      stack[#stack + 1] = i
    elseif token == ")" or token == "}" or token == "]" then
      local from = table.remove(stack)
      assert(from and OPEN[tokens[from]] == token, "brackets do not match")
      partners[from] = i
    end
  end
  return partners
end

-- The name of the function whose head the tokens are, from 'first' up to a brace at 'brace'; nil for other things.
local function name_in_head(tokens, partners, first, brace)
  local i, name = first, nil
  if tokens[brace - 1] ~= ")" then return nil end
  while i < brace do
    if tokens[i] == "=" then return nil end
    if tokens[i] == "(" then
      if partners[i] == brace - 1 and tokens[i - 1]:match "^[%a_]" then name = tokens[i - 1] end
      i = partners[i]
    end
    i = i + 1
  end
  return name
end

-- The parts of src/: functions {name, first, last}, and what else stands at file scope {first, last}.
local function parts_of(tokens, partners)
  local functions, others, first, i = {}, {}, 1, 1
  while i <= #tokens do
    local token = tokens[i]
    if token == "{" then
      local name = name_in_head(tokens, partners, first, i)
      if name then
        functions[#functions + 1] = { name = name, head = first, first = i, last = partners[i] }
        first = partners[i] + 1
      end
      i = partners[i]
    elseif OPEN[token] then
      i = partners[i]
    elseif token == ";" then
      others[#others + 1] = { first = first, last = i }
      first = i + 1
    end
    i = i + 1
  end
  return functions, others
end

-- ---- structs ----

-- Adds a struct's members, in their order, between braces: their names, and by name their types.
local function members_of(tokens, partners, first, last, tag)
  local members, i, name, kind = { tag = tag, types = {} }, first + 1, nil, nil
  while i < last do
    local token = tokens[i]
    if token == "(" and tokens[i + 1] == "*" and tokens[i + 2]:match "^[%a_]" then
      name = tokens[i + 2] -- a pointer to a function
      i = partners[i]
      if tokens[i + 1] == "(" then i = partners[i + 1] end
    elseif OPEN[token] then
      i = partners[i]
    elseif token == "," or token == ";" then
      members[#members + 1] = name
      if name then members.types[name] = kind end
      if token == ";" then name, kind = nil, nil end
    elseif token:match "^[%a_]" and token ~= "const" and token ~= "struct" then
      if name and not kind then kind = name end
      name = token
    end
    i = i + 1
  end
  return members
end

local function structs_of(tokens, partners, others)
  local structs = {}
  for _, part in ipairs(others) do
    for i = part.first, part.last do
      if tokens[i] == "struct" and tokens[i + 2] == "{" then
        local close = partners[i + 2]
        local members = members_of(tokens, partners, i + 2, close, tokens[i + 1])
        structs[tokens[i + 1]] = members
        if tokens[close + 1]:match "^[%a_]" then structs[tokens[close + 1]] = members end
      elseif tokens[i] == "typedef" and tokens[i + 1] == "struct" and tokens[i + 4] == ";" then
        structs[tokens[i + 3]] = structs[tokens[i + 3]] or { alias = tokens[i + 2], types = {} }
      end
    end
  end
  for name, members in pairs(structs) do
    if members.alias then structs[name] = structs[members.alias] or members end
  end
  return structs
end

-- ---- the graph ----

local function new_graph(functions)
  local graph = { edges = {}, names = {}, is_function = {}, openers = {} }
  for _, part in ipairs(functions) do graph.is_function[part.name] = true end
  return graph
end

local function add_edge(graph, from, to)
  if not graph.edges[from] then
    graph.edges[from] = {}
    graph.names[#graph.names + 1] = from
  end
  graph.edges[from][to] = true
end

-- Gives the fields of an initializer in braces the functions that stand at their places, or by their names.
local function add_initializer(graph, tokens, partners, brace, members)
  local place, i = 1, brace + 1
  while i < partners[brace] do
    local token, field = tokens[i], members[place]
    if token == "{" then
      add_initializer(graph, tokens, partners, i, members) -- of an array of these
      i = partners[i]
    elseif OPEN[token] then
      i = partners[i]
    elseif token == "," then
      place = place + 1
    elseif graph.is_function[token] and tokens[i - 1] ~= "." then
      if tokens[i - 1] == "=" then field = tokens[i - 2] end
      if field then add_edge(graph, (members.tag or "?") .. "." .. field, token) end
    end
    i = i + 1
  end
end

-- The names that a function gives to what it declares, and the types of those: no functions of that name are meant.
local function declared_in(tokens, part)
  local types = {}
  for i = part.head + 1, part.last do
    local at = i
    if tokens[at]:match "^[%a_]" and not KEYWORDS[tokens[at]] and tokens[at] ~= part.name then
      while tokens[at - 1] == "*" do at = at - 1 end
      if at > part.head and tokens[at - 1]:match "^[%a_]" and not KEYWORDS[tokens[at - 1]] and
        tokens[i - 1] ~= "." and (tokens[i + 1] ~= "(" or i < part.first) then
        types[tokens[i]] = types[tokens[i]] or tokens[at - 1]
      end
    end
  end
  return types
end

-- The structs that may have the field at 'i', of a.b.field or a[1].field: the one, or all that have it.
local function owners_of(graph, tokens, i, structs, types)
  local chain, at = {}, i - 2
  while at > 0 do
    if tokens[at] == "]" then at = graph.openers[at] - 1 end
    if not tokens[at]:match "^[%a_]" then break end
    table.insert(chain, 1, tokens[at])
    if tokens[at - 1] ~= "." then break end
    at = at - 2
  end
  local kind = chain[1] and types[chain[1]]
  for k = 2, #chain do kind = structs[kind] and structs[kind].types[chain[k]] end
  if structs[kind] then return { structs[kind] } end
  local owners, seen = {}, {}
  for _, members in pairs(structs) do
    for _, name in ipairs(members) do
      if name == tokens[i] and not seen[members] then
        seen[members] = true
        owners[#owners + 1] = members
      end
    end
  end
  return owners
end

-- Whether the name at 'i' is compared, or is what a field gets.
local function is_only_named(tokens, i)
  if tokens[i - 1] ~= "=" then return tokens[i + 1] == "=" and tokens[i + 2] == "=" end
  return tokens[i - 2] == "=" or tokens[i - 2] == "!" or tokens[i - 3] == "."
end

-- Adds what the tokens of a part name: edges from it, from those that it calls, and from fields.
local function add_part(graph, tokens, partners, part, structs)
  local types = part.name and declared_in(tokens, part) or {}
  local callees, ends, stored = {}, {}, 0 -- the calls around; where an initializer ends
  for i = part.first, part.last do
    while #ends > 0 and i > ends[#ends] do
      table.remove(ends)
      table.remove(callees)
    end
    local token, after = tokens[i], tokens[i + 1]
    if tokens[i - 1] == "." then
      local gets = after == "=" and graph.is_function[tokens[i + 2]] and not types[tokens[i + 2]]
      if part.name and (after == "(" or gets) and tokens[i - 2]:match "^[%w_%])]" then
        for _, members in ipairs(owners_of(graph, tokens, i, structs, types)) do
          local field = (members.tag or "?") .. "." .. token
          add_edge(graph, gets and field or part.name, gets and tokens[i + 2] or field)
        end
      end
    elseif graph.is_function[token] and not types[token] then
      local is_called = after == "("
      if part.name and (is_called or i > stored and not is_only_named(tokens, i)) then
        add_edge(graph, part.name, token)
      end
      if is_called then
        callees[#callees + 1], ends[#ends + 1] = token, partners[i + 1]
      elseif part.name and #callees > 0 then
        add_edge(graph, callees[#callees], token)
      end
    elseif structs[token] then
      local brace = i + 1
      while brace <= part.last and tokens[brace]:match "^[%w_%[%])=*]" do
        brace = tokens[brace] == "[" and partners[brace] + 1 or brace + 1
      end
      if tokens[brace] == "{" and (tokens[brace - 1] == "=" or tokens[brace - 1] == ")") then
        add_initializer(graph, tokens, partners, brace, structs[token])
        stored = partners[brace]
      end
    end
  end
end

local function graph_of(text)
  local tokens = tokens_of(text)
  local partners = partners_of(tokens)
  local functions, others = parts_of(tokens, partners)
  local structs, graph = structs_of(tokens, partners, others), new_graph(functions)
  for from, to in pairs(partners) do graph.openers[to] = from end
  for _, list in ipairs { functions, others } do
    for _, part in ipairs(list) do add_part(graph, tokens, partners, part, structs) end
  end
  table.sort(graph.names)
  return graph, #functions
end

-- ---- cycles ----

local function sorted_keys(set)
  local keys = {}
  for key in pairs(set) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end

-- Calls visit(names) for the names of each cycle that is left without the bounded edges, by R. Tarjan's algorithm.
local function each_cycle(graph, bounds, visit)
  local index, low, is_on, stack, count = {}, {}, {}, {}, 0
  local function connect(name)
    count = count + 1
    index[name], low[name], is_on[name] = count, count, true
    stack[#stack + 1] = name
    local is_own = false
    for _, to in ipairs(sorted_keys(graph.edges[name] or {})) do
      if not bounds[name .. " > " .. to] then
        is_own = is_own or to == name
        if not index[to] then
          connect(to)
          low[name] = math.min(low[name], low[to])
        elseif is_on[to] then
          low[name] = math.min(low[name], index[to])
        end
      end
    end
    if low[name] < index[name] then return end
    local names = {}
    repeat
      local top = table.remove(stack)
      is_on[top] = false
      names[#names + 1] = top
    until top == name
    if #names > 1 or is_own then visit(names) end
  end
  for _, name in ipairs(graph.names) do
    if not index[name] then connect(name) end
  end
end

-- ---- the report ----

local bounds = arg[1] == "none" and {} or BOUNDS
local graph, count = graph_of(io.read "*a")
if arg[1] == "all" then
  for _, from in ipairs(graph.names) do
    for _, to in ipairs(sorted_keys(graph.edges[from])) do print(from .. " > " .. to) end
  end
end

local failed, cycles, cycle_of = 0, 0, {}
each_cycle(graph, {}, function(names)
  cycles = cycles + 1
  for _, name in ipairs(names) do cycle_of[name] = cycles end
end)
each_cycle(graph, bounds, function(names)
  failed = failed + 1
  table.sort(names)
  local set = {}
  for _, name in ipairs(names) do set[name] = true end
  io.stderr:write "a cycle of calls, whose depth nothing in tools/cycles.lua bounds:\n"
  for _, from in ipairs(names) do
    for _, to in ipairs(sorted_keys(graph.edges[from])) do
      if set[to] then io.stderr:write("  ", from, " > ", to, "\n") end
    end
  end
end)
for _, edge in ipairs(sorted_keys(bounds)) do
  local from, to = edge:match "^(%S+) > (%S+)$"
  if not (graph.edges[from] and graph.edges[from][to] and cycle_of[from] and cycle_of[from] == cycle_of[to]) then
    failed = failed + 1
    io.stderr:write("tools/cycles.lua bounds ", edge, ", which is in no cycle any more\n")
  end
end
print(("%d functions, %d cycles"):format(count, cycles))
os.exit(failed == 0 and count > 0 and 0 or 1)
