-- summary.lua -- what busted prints and writes when tools/specs.sh has it run one file of specs.
--
-- Standard output, which becomes the log of the file, gets the name of each test before it runs, so that the log of a
-- process that died ends with the test that it died in, and all that there is to say of a failure. With -Xoutput FILE
-- that file gets what a user wants to see: of each failure 20 lines, the name of the log that holds the rest, and the
-- seed of its random numbers; and at its end, so only if all tests have been run:
--
--     FAILED spec/grid_spec.lua:12: the name of each test that failed
--     2.7 s
--     12 passed, 1 failed, 0 skipped
--
-- Errors count as failures.

local pretty = require "pl.pretty"

local MOST_LINES = 21 -- the first is empty

local function text_of(message)
  if message == nil then
    return "no message"
  end
  return type(message) == "string" and message or pretty.write(message)
end

local function indent(text, by)
  return (by .. text:gsub("\n+$", ""):gsub("\n", "\n" .. by):gsub("[ \t]+\n", "\n")) .. "\n"
end

-- The first lines of a text, and where the others are.
local function shorten(text, log)
  local at = 1
  for _ = 1, MOST_LINES do
    at = text:find("\n", at, true)
    if not at then return text end
    at = at + 1
  end
  local _, left = text:sub(at):gsub("\n", "")
  return left == 0 and text or ("%s    ... and %d more lines: %s\n"):format(text:sub(1, at - 1), left, log)
end

-- A file that cannot be loaded has no line, but its message says where.
local function place_of(problem)
  local trace = problem.element.trace
  return trace and trace.short_src and ("%s:%d"):format(trace.short_src, trace.currentline)
end

-- The name of the test that failed, or the message of a failure outside of any test.
local function title_of(problem)
  return problem.name ~= "" and problem.name or text_of(problem.message)
end

-- The seed of the random numbers that were begun last, nil where the test has begun none.
local function seed_of_test()
  local random = package.loaded["spec.support.random"]
  return random and random.last_seed
end

return function(options)
  local busted = require "busted"
  local handler = require "busted.outputHandlers.base"()
  local result = options.arguments[1] and assert(io.open(options.arguments[1], "w"))
  local log = options.arguments[2] or "the log"
  local shown = { failures = 0, errors = 0, pendings = 0 } -- how many of each list
  local failed = 0
  local started = busted.monotime()

  local function say(text, short)
    io.write(text)
    io.flush()
    if result then result:write(short or text) end
  end

  local function show_new(list, show)
    for i = shown[list] + 1, #handler[list] do
      show(handler[list][i])
    end
    shown[list] = #handler[list]
  end

  local function show_failure(problem)
    local place = place_of(problem)
    local text = place and "    at " .. place .. "\n" or ""
    if problem.name ~= "" then text = text .. indent(text_of(problem.message), "    ") end
    if options.verbose and problem.trace and problem.trace.traceback then
      text = text .. indent(problem.trace.traceback, "    ")
    end
    local seed = seed_of_test()
    local last = seed and ("    seed %s\n"):format(tostring(seed)) or ""
    text = "\n" .. indent("FAILED " .. title_of(problem), "  ") .. text
    say(text .. last .. "\n", shorten(text, log) .. last .. "\n")
  end

  local function show_failures()
    show_new("failures", show_failure)
    show_new("errors", show_failure)
  end

  -- Shows one line for each reason, with the name of the test, or how many were skipped for it. The name of a test that
  -- gives none says it.
  local function show_skipped()
    local reasons, names = {}, {}
    show_new("pendings", function(test)
      local why = type(test.message) == "string" and ": " .. test.message:gsub("^[^:\n]*:%d+: ", "") or ""
      if why == "" then say(indent("skipped: " .. test.name, "  ")) return end
      if not names[why] then reasons[#reasons + 1], names[why] = why, {} end
      table.insert(names[why], test.name)
    end)
    for _, why in ipairs(reasons) do
      local what = #names[why] == 1 and names[why][1] or #names[why] .. " tests"
      say(indent("skipped: " .. what .. why, "  "))
    end
  end

  local function test_start(element)
    local random = package.loaded["spec.support.random"]
    if random then random.last_seed = nil end
    io.write("  ", handler.getFullName(element), "\n")
    io.flush()
    return nil, true
  end

  local function test_end()
    show_failures()
    return nil, true
  end

  -- Releases what the tests of a file hold. Otherwise all of it would be kept to the end, and each collection of
  -- garbage would go through it.
  local function forget(element)
    local children = busted.children(element)
    for i = #children, 1, -1 do
      forget(children[i])
      children[i].run, children[i].env, children[i] = nil, nil, nil
    end
  end

  local function file_end(file)
    forget(file)
    handler.successes = {}
    show_failures()
    show_skipped()
    return nil, true
  end

  local function suite_end()
    show_failures()
    failed = handler.failuresCount + handler.errorsCount
    for _, list in ipairs { handler.failures, handler.errors } do
      for _, problem in ipairs(list) do
        local place = place_of(problem)
        say(("FAILED %s%s\n"):format(place and place .. ": " or "", (title_of(problem):gsub("\n.*", " ..."))))
      end
    end
    say(("%.1f s\n%d passed, %d failed, %d skipped\n"):format(busted.monotime() - started, handler.successesCount,
      failed, handler.pendingsCount))
    if result then result:close() end
    return nil, true
  end

  -- busted's own exit status is the number of failures, and a shell sees 256 as 0.
  local function before_exit()
    if failed > 0 then
      os.exit(1)
    end
    return nil, true
  end

  busted.subscribe({ "test", "start" }, test_start)
  busted.subscribe({ "test", "end" }, test_end)
  busted.subscribe({ "file", "end" }, file_end)
  busted.subscribe({ "suite", "end" }, suite_end)
  busted.subscribe({ "exit" }, before_exit)
  return handler
end
