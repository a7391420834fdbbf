-- report.lua -- counts what holds and what does not: a line each, and a last one that says how many.

local report = { passed = 0, failed = 0, skipped = 0 }

function report.check(name, ok, why)
  if ok then report.passed = report.passed + 1 else report.failed = report.failed + 1 end
  print((ok and "ok      " or "FAILED  ") .. name .. ((ok or why == nil) and "" or ": " .. tostring(why)))
  io.flush()
  return ok
end

function report.skip(name, why)
  report.skipped = report.skipped + 1
  print("skipped " .. name .. ": " .. why)
end

-- Runs a part; an error in it is a failure.
function report.part(name, body, ...)
  local ok, why = xpcall(body, debug.traceback, ...)
  if not ok then report.check(name, false, why) end
  return ok
end

function report.summary()
  print(("%d passed, %d failed, %d skipped"):format(report.passed, report.failed, report.skipped))
  return report.failed == 0 and report.passed > 0
end

return report
