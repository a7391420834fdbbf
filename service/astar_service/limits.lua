-- limits.lua -- what one request, one map, one client may take, unless the settings tell otherwise.

local limits = {}

local DEFAULTS = {
  maps = 1000,
  cells = 2 ^ 24,         -- of a map
  dump = 2 ^ 20,          -- cells of one that is sent as a drawing or a dump: it is read in one go
  graph = 2 ^ 20,         -- bytes of a graph's dump
  edited = 2 ^ 20,        -- cells that the edits of one request touch; those set one by one count eightfold
  edits = 1000,           -- of a request
  questions = 1000,       -- of a request
  body = 2 ^ 16,          -- bytes of a request of questions; haproxy.cfg has this limit, too
  goals = 5000,           -- of a question
  cells_asked = 10000,    -- distances in one question
  told = 100000,          -- cells, turning points or nodes of one answer
  answers = 2 ^ 22,       -- bytes of the answers of a request
  waiting = 256,          -- requests to edit one map at once
  bytes = 512 * 2 ^ 20,   -- what is derived of one map
  all_bytes = 2 ^ 31,     -- of all maps, in one thread
  ms = 2000,              -- a request's time
  slice = 1,              -- ms that a question runs before others do
  slow = 250,             -- ms after which a request is told in the log
  fold = 1000,            -- edits of a map in the log before they are folded into it
  log = 2 ^ 22,           -- bytes of them, too
  keep = 100000,          -- versions of a map that an edit sent again is known for
}

-- The limits with those of a table in their place.
function limits.of(changes)
  local all = {}
  for name, value in pairs(DEFAULTS) do all[name] = value end
  for name, value in pairs(changes or {}) do
    if not all[name] then error(("there is no limit %q"):format(tostring(name))) end
    if type(value) ~= "number" or value <= 0 or value ~= value then
      error(("limit %s must be a number above 0"):format(name))
    end
    all[name] = value
  end
  return all
end

return limits
