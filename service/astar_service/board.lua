-- board.lua -- what the Lua states of one HAProxy tell each other: texts by name, in one of HAProxy's maps, which all
-- threads read without a lock of Lua's.
--
-- Names of maps tell what readers ask of; names that begin with "/" are the service's own.

local board = {}
board.__index = board

-- `run`: the folder in which board.map is an empty file; the configuration names it, too. Called while HAProxy starts.
function board.open(run)
  local file = run .. "/board.map"
  return setmetatable({ file = file, map = Map.new(file, Map._str) }, board)
end

function board:set(name, text)
  core.set_map(self.file, name, text)
end

function board:get(name)
  return self.map:lookup(name)
end

function board:drop(name)
  core.del_map(self.file, name)
end

return board
