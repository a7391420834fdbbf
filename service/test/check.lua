-- check.lua -- the checker as a process of its own: lua5.3 check.lua JOURNAL RESULT. It follows the journal while the
-- test writes it, a record of JSON a line, until one says { "kind": "end" }, and leaves counts and problems in RESULT.

local HERE = arg[0]:match "^(.*)/[^/]*$" or "."
package.path = HERE .. "/?.lua;" .. package.path

local cjson = require "cjson"
local checker = require "checker"
local socket = require "socket"

local JOURNAL, RESULT = arg[1], arg[2]
local MOST, PATIENCE = 50, 120 -- problems that are kept; seconds without a line

local problems = {}
local its = checker.new(function(text)
  if #problems < MOST then problems[#problems + 1] = text end
end)

-- The next line, whole; nil when none came for too long.
local function next_line(file, state)
  local till = socket.gettime() + PATIENCE
  repeat
    local part = file:read "L"
    if part then
      state.line = state.line .. part
      if part:sub(-1) == "\n" then
        local line = state.line
        state.line = ""
        return line
      end
    else
      socket.sleep(0.05)
      file:seek("cur", 0) -- forgets that there was no more
    end
  until socket.gettime() > till
end

local file, state = assert(io.open(JOURNAL)), { line = "" }
while true do
  local line = next_line(file, state)
  if not line then
    problems[#problems + 1] = "the journal ends without an end"
    break
  end
  local record = cjson.decode(line)
  if record.kind == "end" then break end
  its:take(record)
end
local counts = its:finish()
counts.problems = math.max(counts.problems, #problems)
counts.memory = collectgarbage "count" // 1024
local out = assert(io.open(RESULT .. ".part", "w"))
out:write(cjson.encode { counts = counts, problems = problems })
out:close()
assert(os.rename(RESULT .. ".part", RESULT))
