-- full.lua -- whether a run takes all that the specs have, as make test-full does by ASTAR_FULL=1, or a part of it, as
-- make test does.
--
-- A spec that takes long keeps a case or two of each kind in the part. How many random maps it takes is asked of
-- spec/support/times.lua; a test that cannot be cut is defined by `full.only(it)`.

local full = {}

full.is_full = (os.getenv "ASTAR_FULL" or "") ~= ""

--- Returns `define`, such as `it` or `describe`, or in a run of a part a function that defines nothing.
function full.only(define)
  return full.is_full and define or function() end
end

return full
