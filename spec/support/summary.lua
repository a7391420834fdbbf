-- summary.lua -- busted's plainTerminal report, closed by one plain line:
--
--     12 passed, 0 failed, 1 skipped
--
-- Errors count as failures, and so does a run in which no test ran, which busted
-- alone would let pass. With -Xoutput FILE the line is written to FILE too.

return function(options)
  local busted = require "busted"
  local handler = require "busted.outputHandlers.plainTerminal"(options)
  local file_name = options.arguments[1]
  local failed = 0

  local function suite_end()
    failed = handler.failuresCount + handler.errorsCount
    if handler.successesCount + failed == 0 then
      print("\nNo test ran.")
      failed = 1
    end

    local line = ("%d passed, %d failed, %d skipped"):format(
      handler.successesCount, failed, handler.pendingsCount)
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

  busted.subscribe({ "suite", "end" }, suite_end)
  busted.subscribe({ "exit" }, before_exit)
  return handler
end
