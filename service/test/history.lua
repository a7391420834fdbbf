-- history.lua -- all that clients sent and what came back, kept line by line in a file that the checker follows.

local cjson = require "cjson"
local loop = require "loop"
local programs = require "programs"

local history = {}

local History = {}
History.__index = History

-- Begins a journal in `dir` and the checker that follows it.
function history.new(dir)
  local self = setmetatable({ journal = dir .. "/journal", result = dir .. "/result" }, History)
  self.file = assert(io.open(self.journal, "w"))
  self.checker = programs.lua({ "check.lua", self.journal, self.result }, dir .. "/checker.log")
  return self
end

function History:tell(record)
  self.file:write(cjson.encode(record), "\n")
end

-- Ends it and waits for the checker: { counts, problems }.
function History:finish(seconds)
  self:tell { kind = "end" }
  self.file:close()
  local found = loop.wait(seconds or 300, function()
    local is_alive = programs.is_alive(self.checker) -- asked first: it may end between the two
    local file = io.open(self.result)
    if not file then return not is_alive and "ended" end
    local text = file:read "a"
    file:close()
    return text
  end, 0.1)
  if not found then return { counts = {}, problems = { "the checker does not come to an end" } } end
  if found == "ended" then return { counts = {}, problems = { "the checker failed, see checker.log" } } end
  return cjson.decode(found)
end

return history
