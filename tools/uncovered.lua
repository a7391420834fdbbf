-- uncovered.lua -- the lines of src/ that no spec and no harness runs, each with the reason why; fails where
-- there is none. A reason for lines that do run is named, too: it is to be taken out.
--
--     lua5.4 tools/uncovered.lua build/coverage/report/coverage.xml
--
-- What it reads is gcovr's report in Cobertura's format, as `make coverage` makes it.

-- By file: how a line's text begins, and why it is not run.
local REASONS = {
  ["src/base/mapped_blocks.c"] = {
    { "return NULL;", "the standard allocator never fails here; harnesses put their own in its place" },
    { "unmap_block(block, left);", "pages cannot be moved only where addresses run out" },
  },
  ["src/search/jps.c"] = {
    { "return;", "only other rules reach what follows; it lets the compiler leave that out" },
  },
  ["src/search/jps.c"] = {
    { "return status;", "a search that begins anew has its memory already" },
  },
  ["src/binding/lua_query.c"] = {
    { "depths->count = 0;", "searches nested to the limit, the last inside a finalizer" },
  },
  ["src/binding/lua_util.c"] = {
    { 'luaL_error(L, "goals must be a list of at most', "a list of 268 million goals" },
    { 'return luaL_error(L, "%s", astar_status_text', "callbacks' answers are judged before the core sees them" },
  },
  ["src/search/run.c"] = {
    { "return status;", "a search that begins anew as plain A* has its memory already" },
  },
}

-- ---- the report ----

local function lines_of(path)
  local lines = {}
  for line in io.lines(path) do lines[#lines + 1] = line end
  return lines
end

-- Calls visit(file, text, number) for every line that was never run.
local function each_uncovered(report, visit)
  local file = assert(io.open(report))
  local text = file:read "a"
  file:close()
  for name, class in text:gmatch '<class [^>]-filename="([^"]+)"(.-)</class>' do
    local source = lines_of(name)
    for tag in class:gmatch "<line [^>]+>" do
      if tag:find 'hits="0"' then
        local number = assert(tonumber(tag:match 'number="(%d+)"'))
        visit(name, source[number]:match "^%s*(.-)%s*$", number)
      end
    end
  end
end

-- ---- reasons ----

local function reason_for(name, text, used)
  for _, entry in ipairs(REASONS[name] or {}) do
    if text:sub(1, #entry[1]) == entry[1] then
      used[entry] = true
      return entry[2]
    end
  end
end

local function check(report)
  local used, unexplained, unused = {}, 0, 0
  each_uncovered(report, function(name, text, number)
    local reason = reason_for(name, text, used)
    unexplained = unexplained + (reason and 0 or 1)
    print(("%s:%d: %s\n    %s"):format(name, number, text, reason or "WHY NOT?"))
  end)
  for name, entries in pairs(REASONS) do
    for _, entry in ipairs(entries) do
      if not used[entry] then
        unused = unused + 1
        print(("%s: %s\n    is run, but told not to be: %s"):format(name, entry[1], entry[2]))
      end
    end
  end
  print(("%d lines without a reason, %d reasons without a line"):format(unexplained, unused))
  return unexplained == 0
end

os.exit(check(arg[1] or "build/coverage/report/coverage.xml"))
