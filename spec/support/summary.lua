-- summary.lua -- what `make test` prints: a line a file, with which of how many it is, its count and time, what failed
-- under it, and at the end where, closed by one plain line:
--
--     12 passed, 0 failed, 1 skipped
--
-- Errors count as failures, and so does a run in which no test ran, which busted
-- alone would let pass. With -Xoutput FILE the line is written to FILE too.

local pretty = require "pl.pretty"

local NAME_WIDTH = 36

local function say(text)
  io.write(text)
  io.flush() -- a pipe shows it at once, too
end

local function text_of(message)
  if message == nil then
    return "no message"
  end
  return type(message) == "string" and message or pretty.write(message)
end

local function indent(text, by)
  return (by .. text:gsub("\n+$", ""):gsub("\n", "\n" .. by):gsub("[ \t]+\n", "\n")) .. "\n"
end

-- A file that cannot be loaded has no line, but says it in its message.
local function place_of(problem)
  local trace = problem.element.trace
  return trace and trace.short_src and ("%s:%d"):format(trace.short_src, trace.currentline)
end

-- What has failed; where that is nothing that has a name, why.
local function title_of(problem)
  return problem.name ~= "" and problem.name or text_of(problem.message)
end

return function(options)
  local busted = require "busted"
  local handler = require "busted.outputHandlers.base"()
  local file_name = options.arguments[1]
  local failed = 0
  local told = { failures = 0, errors = 0, pendings = 0 } -- how many of each list have been told of
  local before = {}
  local is_line_open = false
  local files = { at = 0, count = 0 }

  local function counts()
    return { passed = handler.successesCount, failed = handler.failuresCount + handler.errorsCount,
      skipped = handler.pendingsCount }
  end

  local function tell_new(list, tell)
    for i = told[list] + 1, #handler[list] do
      tell(handler[list][i])
    end
    told[list] = #handler[list]
  end

  local function tell_failure(problem)
    local place = place_of(problem)
    say(("\n  FAILED %s\n%s"):format(title_of(problem), place and "    at " .. place .. "\n" or ""))
    if problem.name ~= "" then
      say(indent(text_of(problem.message), "    "))
    end
    if options.verbose and problem.trace and problem.trace.traceback then
      say(indent(problem.trace.traceback, "    "))
    end
  end

  local function tell_skipped(test)
    local why = type(test.message) == "string" and ": " .. test.message:gsub("^[^:\n]*:%d+: ", "") or ""
    say(indent(("skipped: %s%s"):format(test.name, why), "  "))
  end

  -- What there is to say of the tests since the last time.
  local function tell_results()
    local has_failed = #handler.failures > told.failures or #handler.errors > told.errors
    tell_new("pendings", tell_skipped)
    tell_new("failures", tell_failure)
    tell_new("errors", tell_failure)
    if has_failed then
      say "\n"
    end
  end

  local function suite_start(suite)
    tell_results() -- files that could not be loaded
    for _, child in ipairs(busted.children(suite)) do
      files.count = files.count + (child.descriptor == "file" and 1 or 0)
    end
  end

  local function file_start()
    before = counts()
    files.at = files.at + 1
  end

  -- The name stands there while the file runs: one sees what takes its time.
  local function test_start(element)
    if is_line_open then
      return nil, true
    end
    local file = element
    while file.descriptor ~= "file" do
      file = busted.parent(file)
    end
    local count = tostring(files.count)
    say(("[%" .. #count .. "d/%s] %-" .. NAME_WIDTH .. "s "):format(files.at, count, (file.name:gsub("^%./", ""))))
    is_line_open = true
    return nil, true
  end

  -- Lets go of what the tests of a file hold. Else all stays to the end, and whoever collects garbage goes through it.
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
    if is_line_open then
      local now, words = counts(), {}
      for _, what in ipairs { "passed", "failed", "skipped" } do
        local count = now[what] - before[what]
        if count > 0 or what == "passed" then
          words[#words + 1] = ("%d %s"):format(count, what == "failed" and "FAILED" or what)
        end
      end
      say(("%7.1f s  %s\n"):format(busted.monotime() - file.starttick, table.concat(words, ", ")))
      is_line_open = false
    end
    tell_results()
    return nil, true
  end

  -- Once more at the end, where one looks after a long run.
  local function list_failures()
    for _, list in ipairs { handler.failures, handler.errors } do
      for _, problem in ipairs(list) do
        local place = place_of(problem)
        print("FAILED " .. (place and place .. ": " or "") .. title_of(problem))
      end
    end
  end

  local function suite_end(suite)
    tell_results()
    local now = counts()
    failed = now.failed
    print(("\n%.1f s in all"):format(busted.monotime() - suite.starttick))
    list_failures()
    if now.passed + failed == 0 then
      print "No test ran."
      failed = 1
    end

    local line = ("%d passed, %d failed, %d skipped"):format(now.passed, failed, now.skipped)
    print("\n" .. line)
    if file_name then
      local file = assert(io.open(file_name, "w"))
      file:write(line, "\n")
      file:close()
    end
    return nil, true
  end

  -- busted's own exit status is the number of failures, and a shell sees 256 as 0.
  local function before_exit()
    if failed > 0 then
      os.exit(1)
    end
    return nil, true
  end

  busted.subscribe({ "suite", "start" }, suite_start)
  busted.subscribe({ "file", "start" }, file_start)
  busted.subscribe({ "test", "start" }, test_start)
  busted.subscribe({ "file", "end" }, file_end)
  busted.subscribe({ "suite", "end" }, suite_end)
  busted.subscribe({ "exit" }, before_exit)
  return handler
end
