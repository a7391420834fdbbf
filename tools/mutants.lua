-- mutants.lua -- do the specs notice when the core is wrong? Changes one thing at a time in src/*/*.c, a
-- comparison, a sum, a check, and runs the specs until one fails.
--
--     lua5.4 tools/mutants.lua [count=100] [seed=1] [part=1/2] [only=src/finder/costs.c] [at=src/finder/costs.c:120]
--
-- Two copies of the project can share the work: part=1/2 is every other of those drawn, part=2/2 the rest.
-- Needs the objects that `make mutants` lays under build/mutants; the tree itself is never touched. Of a
-- mutant only its own file is compiled. One that compiles to the same code is no mutant and another is
-- drawn. Specs that are likely to notice run first, then the C programs, then all others; whichever
-- fails, dies or takes too long has killed it. What survives is printed and left out of account only if
-- SURVIVORS, below, gives a reason why it changes nothing that can be seen.

local BUILD = "build/mutants"
local LUA = "lua5.4"

-- A mutant may loop for ever or ask for all memory there is: seconds for the specs that run first, which
-- take a few, for a C program, which takes up to forty, and for all other specs, and kilobytes.
local SECONDS, SECONDS_FOR_PROGRAM, SECONDS_FOR_ALL, KILOBYTES = 80, 200, 1500, 6000000

-- What the specs are likely to notice first, by the beginning of a file's name; else FAST.
local RELEVANT = {
  { "graph", "graph/graph graph/random hostile" }, { "graph_frozen", "graph/random" }, { "keys", "graph/graph graph/random" },
  { "lua_graph", "graph/graph graph/random bad_input" }, { "flow", "flow job" }, { "prepare", "search job queue" }, { "lua_flow", "flow" }, { "lua_job", "job search" },
  { "lua_dump", "dump" }, { "lua_cell_keys", "grid" }, { "serialise", "dump hostile" }, { "archive", "dump hostile graph/graph" }, { "lua_draw", "draw" }, { "lua_links_and_walls", "links walls dump" },
  { "lua_search", "search queue" }, { "lua_field", "field" }, { "lua_nearest", "nearest finding_nearest" },
  { "lua_path", "path repair" }, { "lua_query", "callbacks" }, { "lua_make_grid", "grid" },
  { "lua_keys", "grid finder" }, { "lua_grid", "grid" }, { "lua_util", "grid finder" }, { "lua_options", "bad_input finder" },
  { "lua_gc_account", "gc_account" }, { "lua_finder", "finder field" }, { "inspect", "search draw" },
  { "nearest", "nearest nearest_random finding_nearest" }, { "candidates", "nearest nearest_random finding_nearest" }, { "goal_set", "nearest nearest_random" },
  { "distance_transform", "nearest nearest_random" }, { "goal_range", "nearest flow_random" },
  { "goal", "search finder nearest" },
  { "resume", "search queue" },
  { "snapshot", "snapshot clone share" }, { "repair", "repair repairing" },
  { "path_validity", "path repair smooth" }, { "smooth", "smooth any_angle" }, { "path_segments", "smooth links" },
  { "raycast", "raycast smooth" }, { "landmark", "baking/bake baking/landmark_file" }, { "subgoals", "baking/baking" },
  { "subgoal_graph", "baking/baking" }, { "pruned_search", "baking/baking" }, { "labels", "baking/baking" },
  { "hierarchy", "baking/baking" }, { "baked_map", "baking/baking" }, { "baked_file", "baking/baking" }, { "baked_head", "baking/baking" }, { "baking", "baking/baking" },
  { "baked_route", "baking/baking" }, { "label_route", "baking/baking" }, { "hierarchy_route", "baking/baking" }, { "subgoal_scan", "baking/baking" }, { "sights", "baking/baking" },
  { "active_landmarks", "baking/bake" },
  { "any_angle", "any_angle" }, { "sight", "body" },
  { "bends", "bends" }, { "zigzags", "bends" },
  { "field", "field" }, { "links_and_walls", "walls links" }, { "arcs", "links links_and_walls_random" }, { "links", "links nearest" },
  { "components", "components" }, { "component_tile", "components" }, { "reachable", "finder components" },
  { "clearance", "clearance" }, { "footprint_terrain", "clearance" }, { "erode", "clearance" },
  { "jpsw", "jpsw nonuniform" }, { "jps", "jps" }, { "dead_end", "jps" }, { "pruned_runs", "jps" }, { "jump_bitmaps", "jps" },
  { "jump_reach", "jps" }, { "jump_slants", "jps" }, { "jump_repair", "jps" },
  { "expand_jps", "jps nonuniform" }, { "direct_route", "jps finder" }, { "plain_view", "jpsw nonuniform" },
  { "jpsw_cost_model", "jpsw nonuniform" }, { "planner", "jps finder nonuniform" }, { "plain_search", "jps finder" }, { "own_blocks", "nonuniform clearance" },
  { "canonical", "canonical" }, { "corner_rules", "finder walls" }, { "capabilities", "finder jps jpsw" },
  { "heuristic", "finder" }, { "nonuniform", "jpsw nonuniform" }, { "workspace", "grid search" },
  { "walkable", "components grid clearance" }, { "path", "path smooth" },
  { "layer", "components clearance jpsw" }, { "blocks", "block_layers grid dump" },
  { "edit_log", "block_layers search flow" }, { "lua_blocks", "block_layers bad_input" },
  { "shape", "hex" }, { "line", "hex raycast path" }, { "geometry", "hex" }, { "hexagon", "hex" },
  { "expand_hexagons", "hex" }, { "lua_shape", "hex" },
}
local FAST = { "finder", "path", "grid", "jps", "callbacks", "search" }

-- Not asked: they take long or look at other things than the core. determinism compares builds of the
-- same source, core runs the C programs, which come before.
local LEFT_OUT = {
  bench = true, benchmarks = true, core = true, determinism = true, examples = true,
  ["love/love"] = true, ["love/view"] = true, readme = true, ["tiled/tiled"] = true, movingai = true, soak = true,
}

-- Mutants no spec can notice: { file, text that begins in the line, change, reason }. What follows in the
-- next line tells lines apart that are the same.
local SURVIVORS = {
  { "src/search/goal.c", "cell > goal->nearest", "> -> >=", "a cell in its own place" },
  { "src/search/goal.c", "if (search->goal.tracks)", "check always holds", "remembers what is not asked for" },
  { "src/search/best_first.c", "else if (search->query.weight == 1", "1 -> 2", "leaves out other steps, none that is needed" },
  { "src/search/best_first.c", "query.weight > 1", "1 -> 2", "a caution: routes stayed within the weight without it" },
  { "src/rules/canonical.c", "diagonal_cost < 2", "< -> <=", "at 2 both ways cost the same, and one is enough" },
  { "src/flow/flow_life.c", "flow->seeds[0].value : 0", "0 -> 1", "the first distance of a flow that has none" },
  { "src/flow/flow_repair.c", "astar_flow_at(flow, cell) < 1e300", "check always holds", "asks about a cell that has no distance" },
  { "src/flow/flow_repair.c", "flow->turn++", "++ -> --", "a count that is only compared with itself" },
  { "src/flow/flow_query.c", "astar_flow_at(flow, next) < 1e300", "< -> <=", "no distance is just that" },
  { "src/search/jps.c", "steps > 0", "> -> >=", "the next leg takes the place of one without length" },
  { "src/binding/lua_finder.c", "lua_pop(L, 1);\n}", "statement dropped", "a value more on the stack as it returns" },
  { "src/binding/lua_util.c", "count > ASTAR_MAX_CELLS", "check dropped", "a list of 268 million goals" },
  { "src/binding/lua_grid.c", "(L, a) < lua_to", "< -> <=", "no two keys of a table are equal" },
  { "src/binding/lua_query.c", "astarL_nomemory(L)", "statement dropped", "make faults notices" },
  { "src/binding/lua_query.c", "if (has_callbacks)", "check always holds", "functions that are not called" },
  { "src/layers/landmarks.c", "chosen = making->most = 0", "0 -> 1", "a sweep reaches at least the cell where it began" },
  { "src/openlist/slotted_queue.c", "queue->slot = 0", "statement dropped", "what comes before the slot is ordered by the heap" },
}

-- ---- mutations ----

-- Each finds places in a line of code and says what to put there.
local MUTATIONS = {
  { "([^<%-])(<)( )", "<=" }, { "( )(<=)( )", "<" }, { "( )(>)( )", ">=" }, { "( )(>=)( )", ">" },
  { "( )(==)( )", "!=" }, { "( )(!=)( )", "==" },
  { "( )(&&)( )", "||" }, { "( )(||)( )", "&&" },
  { "( )(%+)( )", "-" }, { "( )(%-)( )", "+" }, { "( )(%*)( )", "+" },
  { "( )(%+=)( )", "-=" }, { "( )(%-=)( )", "+=" }, { "(%w)(%+%+)(%W)", "--" }, { "( )(&)( )", "|" },
  { "([%(%s%[])(0)([%s;%),%]])", "1" }, { "([%(%s%[])(1)([%s;%),%]])", "2" },
  { "(%W)(true)(%W)", "false" }, { "(%W)(false)(%W)", "true" },
  { "(%()(!)([%w])", "" },
}

-- The code of a line: comments and strings blanked.
local function code_of(line)
  line = line:gsub("//.*", function(s) return (" "):rep(#s) end)
  return (line:gsub('"[^"]*"', function(s) return (" "):rep(#s) end))
end

local function is_code(line)
  return line:find "^%s%s%s%s" and not line:find "assert%(" and not line:find "^%s*case [^;]*:$"
end

-- All mutants of a file: { line =, from =, to =, text =, change = }.
local function list_mutants(file, mutants)
  local lines = {}
  for line in io.lines(file) do lines[#lines + 1] = line end
  for number, line in ipairs(lines) do
    local code = code_of(line)
    local function add(from, to, text, change)
      mutants[#mutants + 1] = { file = file, line = number, source = line, following = lines[number + 1] or "",
        from = from, to = to, text = text, change = change }
    end
    if is_code(code) then
      for _, mutation in ipairs(MUTATIONS) do
        local at = 1
        while true do
          local first, last, before, found = code:find(mutation[1], at)
          if not first then break end
          local from = first + #before
          add(from, from + #found - 1, mutation[2], found .. " -> " .. (mutation[2] ~= "" and mutation[2] or "nothing"))
          at = math.max(from + 1, last)
        end
      end
      local open = code:match "^%s*if ()%(" or code:match "^%s*} else if ()%("
      local condition = open and code:match("^%b()", open)
      if condition then
        local last = open + #condition - 1
        add(open, last, "(0 && " .. condition .. ")", "check dropped")
        add(open, last, "(1 || " .. condition .. ")", "check always holds")
      end
      local indent, statement = code:match "^(%s+)([%w_%-%.>%[%]]+ [%+%-|&]?= .*;)%s*$"
      statement = statement or code:match "^%s+([%w_]+%(.*%);)%s*$"
      if statement and not statement:find "^return" then
        local from = code:find(statement, 1, true)
        add(from, from + #statement - 1, ";", "statement dropped")
      end
      local _ = indent
    end
  end
  return mutants
end

-- ---- drawing ----

-- A number for each text and seed: FNV-1a of 64 bits.
local function hash(text)
  local number = 0xCBF29CE484222325
  for i = 1, #text do number = (number ~ text:byte(i)) * 0x100000001B3 end
  return number ~ number >> 29
end

-- In the order in which a seed draws them. That of one depends on its line only: an edit of the source
-- leaves the others where they were, and so what has been found out about them.
local function shuffle(mutants, seed)
  local seen = {}
  for _, mutant in ipairs(mutants) do
    local text = table.concat({ seed, mutant.file, mutant.source, mutant.from, mutant.change }, "\n")
    seen[text] = (seen[text] or 0) + 1
    mutant.rank = hash(text .. seen[text])
  end
  table.sort(mutants, function(a, b) return math.ult(a.rank, b.rank) end)
  return mutants
end

local function read(name)
  local file = assert(io.open(name, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function write(name, text)
  local file = assert(io.open(name, "wb"))
  file:write(text)
  file:close()
end

local function run(command)
  local ok, how, code = os.execute(command)
  return ok == true, how == "signal" and 128 + code or code
end

-- How a command ended: true, "failed" or "too slow".
local function run_limited(command, seconds)
  local shell = "(ulimit -v %d; timeout -k 1 %d %s) >%s/log 2>&1"
  local fine, code = run(shell:format(KILOBYTES, seconds, command, BUILD))
  return fine or ((code == 124 or code == 137) and "too slow" or "failed")
end

-- ---- building ----

-- The core as it is.
local NONE = { file = "" }

local function stem_of(mutant) return mutant.file:match "([%w_]+)%.c$" end

local function mutate(mutant)
  local lines, number = {}, 0
  for line in io.lines(mutant.file) do
    number = number + 1
    lines[number] = line
    if number == mutant.line then
      mutant.mutated = line:sub(1, mutant.from - 1) .. mutant.text .. line:sub(mutant.to + 1)
      lines[number] = mutant.mutated
    end
  end
  write(BUILD .. "/mutant.c", table.concat(lines, "\n") .. "\n")
end

local function list(pattern)
  local process = io.popen("ls " .. pattern)
  local names = {}
  for name in process:lines() do names[#names + 1] = name end
  process:close()
  return names
end

-- The objects with the mutant's in place of its original's.
local function objects_of(mutant, wanted)
  local names = {}
  for _, name in ipairs(list(BUILD .. "/obj/*/*.o " .. BUILD .. "/core/obj/*/*.o")) do
    local stem = name:match "([%w_]+)%.o$"
    if wanted(stem) then names[#names + 1] = stem == stem_of(mutant) and BUILD .. "/mutant.o" or name end
  end
  return table.concat(names, " ")
end

local function link(mutant)
  local objects = objects_of(mutant, function() return true end)
  return run(("gcc -shared -o %s/astar/core.so %s -lm"):format(BUILD, objects))
end

-- False where the mutant does not compile; nil where it is the same code.
local function build(mutant)
  local command = read(BUILD .. "/compile"):gsub("%s+$", ""):gsub("%-MMD %-MP", "")
  local compile = command .. " -w -g0 -c -o %s %s 2>/dev/null"
  mutate(mutant)
  if not run(compile:format(BUILD .. "/mutant.o", BUILD .. "/mutant.c")) then return false end
  write(BUILD .. "/original.c", read(mutant.file))
  run(compile:format(BUILD .. "/original.o", BUILD .. "/original.c"))
  local strip = "objcopy -S --remove-section=.comment %s %s.bin && "
  local same = run((strip .. strip .. "cmp -s %s.bin %s.bin"):format(BUILD .. "/mutant.o", BUILD .. "/mutant",
    BUILD .. "/original.o", BUILD .. "/original", BUILD .. "/mutant", BUILD .. "/original"))
  if same then return nil end
  return link(mutant)
end

-- ---- judging ----

local function spec_files(names)
  local files = {}
  for _, name in ipairs(names) do
    local file = "spec/" .. name .. "_spec.lua"
    local handle = io.open(file)
    if handle then
      handle:close()
      files[#files + 1] = file
    end
  end
  return files
end

local function run_specs(files, seconds)
  return run_limited(("env ASTAR_FULL=1 LUA_PATH='./lua/?.lua;./lua/?/init.lua;./?.lua;;' LUA_CPATH='./%s/?.so;;' ASTAR_LUA=%s "
    .. "%s %s/busted.lua --no-keep-going -o plainTerminal --lpath='./lua/?.lua;./lua/?/init.lua;./?.lua' "
    .. "--cpath='./%s/?.so' %s"):format(BUILD, LUA, LUA, BUILD, BUILD, table.concat(files, " ")), seconds)
end

local function run_programs(mutant)
  if mutant.file:find "^src/binding/" then return nil end
  local objects = objects_of(mutant, function(stem) return not stem:find "^lua_" end)
  for _, program in ipairs(list(BUILD .. "/programs/*.o")) do
    local name = program:match "([%w_]+)%.o$" .. ".c"
    if not run(("gcc -o %s/program %s %s -lm 2>/dev/null"):format(BUILD, program, objects)) then return name end
    local how = run_limited(BUILD .. "/program", SECONDS_FOR_PROGRAM)
    if how ~= true then return name .. (how == "failed" and "" or ", too slow") end
  end
  return nil
end

local function first_specs(mutant)
  local stem = stem_of(mutant)
  for _, row in ipairs(RELEVANT) do
    if stem:sub(1, #row[1]) == row[1] then
      local names = {}
      for name in row[2]:gmatch "%S+" do names[#names + 1] = name end
      return names
    end
  end
  return FAST
end

local function other_specs(done)
  local names, seen = {}, {}
  for _, name in ipairs(done) do seen[name] = true end
  for _, name in ipairs(FAST) do
    if not seen[name] then names[#names + 1] = name end
    seen[name] = true
  end
  for _, file in ipairs(list "spec/*_spec.lua spec/*/*_spec.lua") do
    local name = file:match "^spec/([%w_/]+)_spec%.lua$"
    if not seen[name] and not LEFT_OUT[name] then names[#names + 1] = name end
  end
  return names
end

-- What killed the mutant, nil when nothing did.
local function killer(mutant)
  local first = first_specs(mutant)
  local how = run_specs(spec_files(first), SECONDS)
  if how ~= true then return table.concat(first, ", ") .. (how == "failed" and "" or ", too slow") end
  local program = run_programs(mutant)
  if program then return program end
  how = run_specs(spec_files(other_specs(first)), SECONDS_FOR_ALL)
  return how ~= true and (how == "failed" and "the other specs" or "the other specs, too slow") or nil
end

-- Specs that fail anyway would kill everything.
local function check_specs()
  local failing = not link(NONE) and "linking" or run_programs(NONE)
    or run_specs(spec_files(other_specs {}), SECONDS_FOR_ALL) ~= true and "a spec"
  if failing then error(failing .. " fails without a mutant: see " .. BUILD .. "/log", 0) end
end

local function excuse(mutant)
  for _, row in ipairs(SURVIVORS) do
    local at = row[1] == mutant.file and row[3] == mutant.change
      and (mutant.source .. "\n" .. mutant.following):find(row[2], 1, true)
    if at and at <= #mutant.source then return row[4] end
  end
  return nil
end

local function describe(mutant)
  return ("%s:%d: %s\n    - %s\n    + %s"):format(mutant.file, mutant.line, mutant.change,
    mutant.source:match "^%s*(.-)%s*$", (mutant.mutated or ""):match "^%s*(.-)%s*$")
end

local function parse(arguments)
  local options = { count = "100", seed = "1", part = "1/1" }
  for _, word in ipairs(arguments) do
    local name, value = word:match "^(%w+)=(.*)$"
    if not name then error("expected name=value, got " .. word, 0) end
    options[name] = value
  end
  return options
end

-- Those to be tried, in order.
local function candidates(options)
  local mutants, chosen = {}, {}
  for _, file in ipairs(list "src/*/*.c") do
    if not options.only or options.only == file then list_mutants(file, mutants) end
  end
  local part, parts = options.part:match "^(%d+)/(%d+)$"
  if not part then error("part must be like 1/2, got " .. options.part, 0) end
  for i, mutant in ipairs(options.at and mutants or shuffle(mutants, options.seed)) do
    local is_at = not options.at or mutant.file .. ":" .. mutant.line == options.at
    if is_at and i % parts == part % parts then chosen[#chosen + 1] = mutant end
  end
  return chosen
end

-- Tries a mutant and adds it to the tally.
local function try(mutant, tally)
  local since = os.time()
  local by, reason = killer(mutant), excuse(mutant)
  local fate = by and "killed" or reason and "excused" or "survived"
  tally[fate], tally.tried = tally[fate] + 1, tally.tried + 1
  if by then
    print(("killed by %s in %d s: %s:%d %s"):format(by, os.time() - since, mutant.file, mutant.line, mutant.change))
  elseif reason then
    print(("changes nothing (%s): %s"):format(reason, describe(mutant)))
  else
    print("SURVIVED " .. describe(mutant))
  end
  io.stdout:flush()
end

local function main(options)
  local mutants = candidates(options)
  local count = options.at and #mutants or tonumber(options.count)
  local tally = { tried = 0, killed = 0, survived = 0, excused = 0 }
  write(BUILD .. "/busted.lua", 'require("busted.runner")({ standalone = false })\n')
  if not options.at then check_specs() end
  print(("%d mutants of %d, seed %s"):format(count, #mutants, options.seed))
  for _, mutant in ipairs(mutants) do
    if tally.tried < count and build(mutant) then try(mutant, tally) end
  end
  print(("%d killed, %d survived, %d change nothing"):format(tally.killed, tally.survived, tally.excused))
  return tally.killed >= 9 * tally.survived
end

os.exit(main(parse(arg)))
