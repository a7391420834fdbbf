-- benchmarks.lua -- finds the Moving AI maps and judges answers by their scenarios.
--
-- They are no part of this project: NAME.map and NAME.map.scen in folders under
-- $ASTAR_BENCHMARKS (../shared/benchmarks if that is not set), from movingai.com/benchmarks.

local benchmarks = {}

benchmarks.folder = os.getenv "ASTAR_BENCHMARKS" or "../shared/benchmarks"

local function quoted(word)
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

-- Every scenario file under 'folder', sorted: { { name = "dao/arena", map =, scenarios = } },
-- the last two file names. Empty when there is none.
function benchmarks.find(folder)
  local files = {}
  local listing = assert(io.popen("find " .. quoted(folder) .. " -name '*.scen' 2>/dev/null"))
  for file in listing:lines() do
    local stem = file:gsub("%.scen$", ""):gsub("%.map$", "")
    local name = stem:sub(#folder + 1):gsub("^/+", "")
    files[#files + 1] = { name = name, map = stem .. ".map", scenarios = file }
  end
  listing:close()
  table.sort(files, function(a, b) return a.name < b.name end)
  return files
end

-- What is wrong with the answer to a scenario, nil if it is right.
function benchmarks.mistake(scenario, path, reason)
  local moves = scenario.sx ~= scenario.gx or scenario.sy ~= scenario.gy
  local reachable = scenario.length > 0 or not moves
  local got = path and path.length
  local right = not path and not reachable
    or path and reachable and math.abs(got - scenario.length) <= scenario.tolerance
  if right then return nil end
  return ("(%d, %d) to (%d, %d): expected %s, got %s"):format(
    scenario.sx, scenario.sy, scenario.gx, scenario.gy,
    reachable and "length " .. scenario.length or "no path",
    path and ("length %.9g"):format(got) or reason)
end

return benchmarks
