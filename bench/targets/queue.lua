-- queue.lua -- target 10: an edit begins a search again only where it could change the answer.

local astar = require "astar"
local random = require "spec.support.random"
local support = require "bench.support"

local SEED = support.SEED
local SEARCHES = 50

-- Returns how many searches restart while a cell far from their routes is blocked or opened in each frame.
local function restarts(plan)
  local side = math.max(plan.side, 64)
  local grid, queue, tickets, r = astar.grid(side, side), astar.queue(), {}, random.new(SEED)
  local finder = grid:finder { algorithm = "astar" }
  for i = 1, SEARCHES do
    local x, y = r:int(1, math.floor(side / 2)), r:int(1, math.floor(side / 2))
    tickets[i] = queue:request(finder, x, y, r:int(1, math.floor(side / 2)), r:int(1, math.floor(side / 2)))
  end
  local frame, sum = 0, 0
  repeat
    frame = frame + 1
    if frame % 2 == 0 then grid:block(side, side) else grid:unblock(side, side) end
  until queue:update { expansions = 10 } == 0
  for _, ticket in ipairs(tickets) do sum = sum + ticket.restarts end
  return sum
end

return function(aims, plan)
  support.progress "targets: queue"
  aims:most(("10 searches that far edits restart, of %d"):format(SEARCHES), 0, restarts(plan))
end
