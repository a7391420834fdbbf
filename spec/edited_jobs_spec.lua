-- Every kind of job of a map that is edited after each of its steps: it ends, with an answer of one of the maps
-- that there were since it was begun, which a copy of each map, made then, is asked for.
--
-- ASTAR_CASES=1000 runs more maps. ASTAR_TELL=1 prints how much more each kind has done than where nothing is
-- edited, and how often the answer is that of the map it was begun on.

local astar = require "astar"
local random = require "spec.support.random"

local CASES = tonumber(os.getenv "ASTAR_CASES") or 40
local A_STEP = 8 -- expansions
-- Bitmaps are kept current: a step that builds less than an edit makes stale comes to no end.
local A_STEP_OF_PREPARING = 128
local BUDGET = { expansions = A_STEP }

local function tell(path, reason)
  return path and ("%.9g"):format(path.cost) or tostring(reason)
end

-- The nearest of several: which one depends on nothing but what the ways cost, but for ties.
local function goals_of(map)
  return { { map.width, map.height }, { 1, map.height }, { map.width, 1 } }
end

-- A flow's distances from the corners and the middle.
local function describe_flow(map, flow)
  local told = {}
  local middle = { math.floor(map.width / 2), math.floor(map.height / 2) }
  for _, at in ipairs { { 1, 1 }, { map.width, 1 }, { 1, map.height }, middle } do
    told[#told + 1] = ("%.9g"):format(flow:distance(at[1], at[2]) or -1)
  end
  return table.concat(told, " ")
end

-- Of each kind what begins it, makes a step and says whether it runs still; what it has answered in the end; and what
-- a finder of another grid answers at once.
local KINDS = {
  ["a request"] = {
    begin = function(map)
      local queue = astar.queue()
      local ticket = queue:request(map.finder, 1, 1, map.width, map.height)
      return function()
        queue:update(BUDGET)
        return ticket.status == "waiting" or ticket.status == "running"
      end, function() return tell(ticket:path()) end
    end,
    at_once = function(map, finder) return tell(finder:find_path(1, 1, map.width, map.height)) end,
  },
  ["a search for the nearest goal"] = {
    begin = function(map)
      local job = map.finder:finding_nearest(1, 1, goals_of(map))
      return function() return job:step(A_STEP) == "running" end, function() return tell(job:path()) end
    end,
    at_once = function(map, finder) return tell(finder:find_nearest(1, 1, goals_of(map))) end,
  },
  ["a repair for a best route"] = {
    begin = function(map)
      local path = map.finder:find_path(1, 1, map.width, map.height)
      if not path then return nil end
      map.edit()
      local job = path:repairing { optimal = true }
      return function() return job:step(A_STEP) == "running" end, function() return tell(job:path()) end
    end,
    at_once = function(map, finder) return tell(finder:find_path(1, 1, map.width, map.height)) end,
  },
  ["a flow"] = {
    begin = function(map)
      local flow = map.finder:flow(map.width, map.height)
      local job = flow:completing()
      return function() return job:step(A_STEP) == "running" end, function() return describe_flow(map, flow) end
    end,
    is_live = true, -- asked at the end it answers for the map of then
    at_once = function(map, finder) return describe_flow(map, finder:flow(map.width, map.height)) end,
  },
  ["a job of finder:preparing"] = {
    begin = function(map)
      local job = map.finder:preparing()
      return function() return job:step(A_STEP_OF_PREPARING) == "running" end,
        function() return tell(map.finder:find_path(1, 1, map.width, map.height)) end
    end,
    is_live = true,
    at_once = function(map, finder) return tell(finder:find_path(1, 1, map.width, map.height)) end,
  },
  ["a job of finder:baking"] = {
    begin = function(map)
      local job = map.finder:baking { method = "labels" }
      return function() return job:step(A_STEP) == "running" end,
        function() return tell(map.finder:find_path(1, 1, map.width, map.height)) end
    end,
    is_live = true,
    at_once = function(map, finder) return tell(finder:find_path(1, 1, map.width, map.height)) end,
  },
}

-- A map whose edits come back: of some cells blocks are put and taken, beside its two ends most often.
local function new_map(seed)
  local r = random.new(seed)
  local width, height = r:int(12, 40), r:int(12, 40)
  local rows = r:map(width, height)
  local grid = astar.grid(rows)
  grid:set(1, 1, ".")
  grid:set(width, height, ".")
  local map = { grid = grid, width = width, height = height, finder = grid:finder { diagonals = r:pick { "always",
    "never", "only_when_no_obstacles" } } }
  function map.edit()
    local x, y = r:int(1, width), r:int(1, height)
    if r:chance(0.5) then x, y = r:int(1, math.min(6, width)), r:int(1, math.min(6, height)) end
    if x + y == 2 or x == width and y == height then return end
    if grid:is_blocked(x, y) then grid:unblock(x, y) else grid:block(x, y) end
  end
  return map
end

-- Steps to the end, and the answers of all maps there were, the first one by itself.
local function run(kind, seed, is_edited)
  local map = new_map(seed)
  local step, told = kind.begin(map)
  if not step then return nil end
  local function answer_now()
    local options = map.finder:options()
    return kind.at_once(map, astar.load(map.grid:dump()):finder(options))
  end
  local answers, steps, first = {}, 0, answer_now()
  answers[first] = true
  while step() do
    steps = steps + 1
    assert(steps < 20000, "without end")
    if is_edited then
      map.edit()
      if not kind.is_live then answers[answer_now()] = true end
    end
  end
  if kind.is_live then answers = { [answer_now()] = true } end
  return steps + 1, told(), answers, first
end

describe("a job on a map that is edited after each step", function()
  for name, kind in pairs(KINDS) do
    it("ends with a result that is right for one version of the map: " .. name, function()
      local all, alone, most, of_first, cases = 0, 0, 0, 0, 0
      for seed = 1, CASES do
        local steps, told, answers, first = run(kind, seed, true)
        if steps then
          assert.is_true(answers[told], ("seed %d: %s"):format(seed, told))
          local quiet = run(kind, seed, false)
          all, alone, most = all + steps, alone + quiet, math.max(most, steps / quiet)
          cases, of_first = cases + 1, of_first + (told == first and 1 or 0)
        end
      end
      assert.is_true(cases > CASES / 3)
      if os.getenv "ASTAR_TELL" then
        print(("%s: %.2f times the steps, %.1f at most; %d of %d of the map of the beginning"):format(name,
          all / alone, most, of_first, cases))
      end
    end)
  end
end)
