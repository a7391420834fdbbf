-- Every example runs, as a user would run it, and shows what it promises.

local process = require "spec.support.process"

-- For each example what its output holds: patterns, in this order.
local SHOWS = {
  ["algorithms.lua"] = { "S", "cost +cells +expanded", "weight = 3" },
  ["any_angle.lua"] = {
    "by steps, %+: 38%.73 long", "smoothed, o: 37%.44", "at any angle, %*: 36%.30", "S%*",
    "%+o", "4 of 4 legs are clear\n$",
  },
  ["blocked_goal.lua"] = {
    "no path: goal blocked", "no path: unreachable", "partial: true", "partial: false", "no path: max_cost",
    "no path: max_expansions", "false", "true",
  },
  ["callbacks.lua"] = { "Careless, cost 29%.00", "%.S%*+G%.", "way, cost 4%d%.", "S", "Across", "Up, cost 24%.00" },
  ["corners.lua"] = { "cost 6%.828", "S", "cost 9%.657", "S", "cost 10%.828", "S", "cost 12%.000", "S" },
  ["danger.lua"] = {
    "turn 1", "S", "turn 3, the patrol at row 4: 22 cells", "S", "bold: 22 cells, cost 26%.35", "anxious", "S",
    "2 of 12 cross",
  },
  ["tactics.lua"] = {
    "worth most where it is safe: %(19, 3%), 5%.0", "%.#%.%.%.%.%*%*%*G%.", "%+%+g%.", "%.S%.", "%.G%.",
    "heard at %(9, 6%): 0%.56, beyond the wall at %(12, 2%): 0%.%d%d",
  },
  ["delivery.lua"] = {
    "round: a letter, bread, flowers, ink, a lamp, home: 94\n", "a street is closed", "X", "an order: a cake",
    "saved and loaded: %d+ bytes", "home, 0 orders left\n$",
  },
  ["stealth.lua"] = {
    "boldly:", "T", "has seen the thief", "catches the thief after", "with care:", ",,,",
    "the safe is open after %d+%.%d s\n$",
  },
  ["saving.lua"] = {
    "14 objects in a string of %d+ bytes", "goals 5%.?0? 5%.?0?", "not a field's dump, or a damaged one",
  },
  ["factory.lua"] = {
    "along the belt: cost 10, back: cost 27%.5", "M>>o>>>oo", "Ada brings an ingot after 13%.5 s, 1 in the depot",
    "a belt is taken away at 11, 6", "the belt is mended",
    "65 ores smelted, 9 ingots delivered, 32 restricted cells\n$",
  },
  ["fight.lua"] = {
    "turn 1, red", "r1 walks to 6, 4 for 6 points, 5 turns", "goes to %d+, %d+ for %d points, danger %d",
    "shoots b%d: 4, out", "wins in turn 5 with 2 units\n$",
  },
  ["train_yard.lua"] = {
    "train A, 5 cars: platform 2 from 23 to 31 s, on time; away at 50 s",
    "train D, 5 cars[^\n]+ 3 s late", "%-%-AAAAA%-%+[^\n]+BBBB",
    "DDDDD%+", "108 s",
  },
  ["places.lua"] = {
    "to the second: 25%.7", "by 3, 1, 6, 4, 5, 2: 69%.7, the best there is", "to door 2 in 7 steps",
    "met after 6%.0 s",
  },
  ["crowd.lua"] = {
    "turn 45: fire", "%%%%", "turn 75: the northern gate is shut", "turn 110: and open again",
    "10000 units, 110 turns, %d+ have left",
    "a turn of all: %d+%.%d+ ms",
  },
  ["resolve.lua"] = {
    "the beginning", "abcd", "done: %d+ beats, all wait %d+ in sum, %d+ by the first plan", "beat 8",
    ": 0 are under way", "#onml%.%.%.#", "two in a tube: unsolvable",
  },
  ["turns.lua"] = {
    "the beginning", "A", "turn 1: 10 go, a from %(2, 1%)", "under way", "all are there",
    "%.b%.%.%.%.%.#%.%.%.%.%.a%.\n$",
  },
  ["horde.lua"] = {
    "3000 of the horde, one hero", "tick 2: 3000 have set out, 0 are planning", "a mine goes off, %d+ are left",
    "the hero shuts gate 1a", "H", "tick 199: the hero is on board; 2945 of 3000 are left\n$",
  },
  ["files.lua"] = { "astar grid 5 x 3", "%.##,X", "S%.,,%.", "false", "type octile", "length 5" },
  ["graph.lua"] = {
    "butler: attic to vault by jump, north, down, iron door, cost 5", "guest: no way, unreachable", "by up, jump, west",
    "cellar to hall", "hall %(0%) kitchen %(1%)", "7 nodes", "copy: attic to vault", "cost 13%.19", "square", "gap",
    "well", "S%.%.%.%.",
  },
  ["states.lua"] = {
    "8%-puzzle: 31 moves", "right", "keys: 23 steps", "takes a, step 3\n", "takes b, step 12\n",
    "platformer", "%.%.wG", "%.%.j%.%.#", "vehicle: cost 12", "heading north\n$",
  },
  ["hex.lua"] = {
    "the knight: 18 steps, cost 19", "S", "the goat: 17 steps, cost 17", "S %*", "past the gate: 18 steps, cost 18",
    "S", "within 4 points", "2 4 3", "are 17 steps apart", "in sight", "stands at %(5, 6%)",
  },
  ["planet.lua"] = {
    "5 steps, cost 6%.24", "%*%*G", "over the seam from %(24, 3%) to %(1, 2%)", "5 steps apart, 19 on a map with edges",
    "Toooo", "to the harbour: 2, first to %(1, 1%)",
  },
  ["floors.lua"] = {
    "from the cellar to the roof: cost 37, 5 bends", "stairs at %(11, 2%)", "ladder at %(2, 2%) of the ground floor",
    "roof\n", "G", "ground floor", "cellar", "S", "from the roof to the cellar: cost 11, 1 bends", "jump down", "G",
  },
  ["world.lua"] = {
    "from %(9, 1%) to %(%d+, %-400%): cost 97%d", "after 2 stretches at",
    "there: %d+ cells, cost 9[67]%d", "%*", "flooded at", "another way: cost 9%d%d", "%d+ chunks loaded",
  },
  ["links.lua"] = {
    "nil%s+unreachable", "11 cells, cost 12%.41", "S", "G", "stairs, from %(8, 3%)", "stairs, from %(14, 3%)",
    "jump down, from %(19, 3%)", "column 15: cost 14%.00, on foot", "column 22.*through the portal",
    "down: 6 cells", "=== ===", "%^%^%^%^", "up: 10 cells",
  },
  ["quickstart.lua"] = { "S", "cost 16%.243, 16 cells", "%(11, 3%)", "nil%s+unreachable" },
  ["sides.lua"] = {
    "red passes its own line: cost 16%.00", "S%*%*%*", "blue does not: no way, unreachable",
    "one steps aside: cost 17%.66",
    "blue has the key: cost 17%.66", "red has none: no way", "in the doorway stand: blue, doors", "no way, unreachable",
    "54 of 300 questions answered", "300 of 300 questions answered", "XXXXXXXXX",
  },
  ["sizes.lua"] = {
    "size 1: cost 23%.828", "S%.", "size 2: cost 27%.142", "SS", "size 3: cost 32%.799", "SSS",
    "size 4: unreachable", "clearance", "%+%+98", "1111\n$",
  },
  ["reach.lua"] = {
    "knight with 6 points: %d+ cells", "@", "goat with 5 points", "@", "cart with 8 points", "@",
    "to %(19, 6%): %d steps for %d%.%d+ points", "no, max_cost", "no, goal blocked",
  },
  ["baking.lua"] = {
    "before: by jps", "baked in some frames: labels", "baked: by labels, cost %d+%.%d%d, 0 expanded",
    "a door closed: by",
    "current: true", "a wall fallen: by jps", "current: false", "let go: by", "loaded: by labels",
  },
  ["slices.lua"] = {
    "frame 1: running, 60 expanded", "S", "frame 4: found", "%*", "cost 56%.071, as if asked at once: 56%.071",
    "frame 1\n  hero", "guard 1", "patrol", "the idler: cancelled\n$",
  },
  ["workers.lua"] = {
    "^in one frame: at most", "cost (%d+%.%d+) in all", "in slices of 2 ms: at most", "%d+ still wait",
    "cost %d+%.%d+ in all", "by workers: at most", "cost %d+%.%d+ in all\n$",
  },
  ["smooth.lua"] = { "as found: %d legs", "S", "smoothed: 3 legs", "S", "clear", "stopped at %(%d+, %d+%)" },
  ["units.lua"] = { "traveller", "S", "cart", "S", "goat", "S", "duck", "S", "ghost", "S" },
  ["village.lua"] = {
    "^\nThis Lua", "local village = astar%.grid%(MAP", "merchant:find_path%(1, 10, 37, 4%)", "60 x 22", "Mmm+",
    "A capital letter: where one starts%. %*: the goal", "merchant", "child", "fisher", "wagon", "cost",
    "by day", "by night", "G", "g+", "gates open", "closes", "cost %d+%.%d+, %d+ cells", "unreachable", "waits",
    "What next", "make example NAME=quickstart", "make love", "README%.md +[^\n]+\n$",
  },
  ["visualise.lua"] = {
    "^S start +G goal +# wall", "%+ open: found, not looked at yet", "%- closed: looked at", "%* route",
    "dijkstra: %d+ expanded, running", "%-S%-", "found, cost (%d+%.%d+)", "astar: ", "found", "weighted: ",
    "jps: ", "found, cost", "%*",
  },
  ["world_on_disk.lua"] = { -- the stairs are saved at both ends
    "6000 chunks visited, 60 built in, 62 saved; (%d+) are kept", "read again: 60 of 60 as they were",
    "stairs: 3%.0\n$",
  },
  ["world_streamed.lua"] = {
    "at %(600, 40%) after %d+ ticks, of which [1-9] waiting for chunks", "%d+ chunks came, the first: 0,0  ",
    "walked for 6%d%d%.%d, where all is known the best way costs 670%.7\n$",
  },
  ["walker.lua"] = {
    "at %(5%.59, 4%.00%), heading east\n +the door closes", "another way", "at %(6%.00, 5%.09%)",
    "at %(19%.00, 4%.00%), heading east\n$",
  },
}

local function run(command)
  local pipe = assert(io.popen("{ " .. command .. "; } 2>&1; echo status $?"))
  local output = pipe:read "*a"
  pipe:close()
  local text, status = output:match "^(.*)status (%d+)\n$"
  return text, tonumber(status)
end

local function example_names(extension)
  local names = {}
  for name in run("cd examples && ls *." .. extension):gmatch "%S+" do
    names[#names + 1] = name
  end
  return names
end

local function assert_shows(patterns, output)
  local position = 1
  for _, pattern in ipairs(patterns) do
    local _, stop = output:find(pattern, position)
    assert(stop, ("expected %q after character %d of:\n%s"):format(pattern, position, output))
    position = stop + 1
  end
end

describe("examples", function()
  local lua = os.getenv "ASTAR_LUA"

  for _, name in ipairs(example_names "lua") do
    it("include a program that runs: " .. name, function()
      assert.is_truthy(lua, "ASTAR_LUA must name the interpreter: use make test")
      local output, status = run(lua .. " examples/" .. name)
      assert.equal(0, status, output)
      assert.is_truthy(SHOWS[name], name .. " has no row in this spec")
      assert_shows(SHOWS[name], output)
      assert.is_nil(output:find "\27", "escape sequences in a pipe")
      assert.is_nil(output:find "[ \t]\n", "blanks at the end of a line")
      for line in output:gmatch "[^\n]+" do
        assert.is_true(#line <= 80, line)
      end
    end)
  end

  it("are run by make targets", function()
    local output, status = run "make -n example NAME=corners"
    assert.equal(0, status, output)
    assert.matches("cd [^\n]*examples/corners%.lua[^\n]*LUA_PATH=.*LUA_CPATH=.*corners%.lua[^\n]*\n", output)
  end)

  it("are listed by make if no example has the given name", function()
    local output, status = run "make example NAME=corner"
    assert.is_true(status > 0)
    assert.matches("no example corner; there are: .*corners .*quickstart", output)
  end)

  it("draw the village in colour only if a terminal supports it", function()
    local terminal = "command -v script >/dev/null && TERM=%s NO_COLOR=%s script -qec '" .. lua
      .. " examples/village.lua' /dev/null </dev/null"
    local coloured, status = run(terminal:format("xterm", "''"))
    if status ~= 0 then
      pending "needs the program script(1) of util-linux"
      return
    end
    assert.is_truthy(coloured:find "\27%[1;38;5;231;48;5;160mM\27%[0m")
    assert.is_nil(run(terminal:format("xterm", "1")):find "\27%[")
    assert.is_nil(run(terminal:format("dumb", "''")):find "\27%[")
  end)

  it("include an interactive yard of trains, with a timetable", function()
    local output = run(lua .. " examples/train_yard.lua play 1")
    assert.is_truthy(output:find("  1 s\n.*\n#####%-%-.*\ntrain F, 4 cars"))
  end)

  it("include a search that is drawn in colour only if a terminal supports it", function()
    local terminal = "command -v script >/dev/null && TERM=%s NO_COLOR=%s script -qec '" .. lua
      .. " examples/visualise.lua jps frames=2' /dev/null </dev/null"
    local coloured, status = run(terminal:format("xterm", "''"))
    if status ~= 0 then
      pending "needs the program script(1) of util-linux"
      return
    end
    assert.is_truthy(coloured:find "\27%[48;5;220m")
    assert.is_nil(run(terminal:format("xterm", "1")):find "\27%[")
  end)

  it("include a search that shrinks to the size of the terminal", function()
    local terminal = "command -v script >/dev/null && TERM=xterm NO_COLOR= script -qec 'stty rows %d cols %d; " .. lua
      .. " examples/visualise.lua jps frames=1' /dev/null </dev/null"
    for _, size in ipairs { { 24, 80, 62, 18 }, { 12, 70, 62, 9 }, { 24, 25, 21, 6 } } do
      local output, status = run(terminal:format(size[1], size[2]))
      if status ~= 0 then
        pending "needs the program script(1) of util-linux"
        return
      end
      local widths, count = {}, 0
      local last = output:match ".*(found.*)"
      for line in last:gmatch "\n([^\n]*)" do
        local row = line:gsub("\27%[[%d;]*m", ""):gsub("\r", "")
        if #row > 0 then
          widths[#row], count = true, count + 1
        end
      end
      assert.same({ [size[3]] = true }, widths)
      assert.equal(size[4], count)
    end
  end)

  it("include hello.c, which uses the C core without Lua", function()
    local _, no_compiler = run "command -v ${CC:-cc} >/dev/null"
    if no_compiler ~= 0 then
      pending "needs a C compiler: set CC"
      return
    end
    local programs = example_names "c"
    table.sort(programs)
    assert.same({ "hello.c", "sharing.c" }, programs)
    local output, status = process.make "build/core/bin/hello"
    assert.equal(0, status, output)
    output, status = run "build/core/bin/hello"
    assert.equal(0, status, output)
    assert_shows({ "18 cells, cost 19%.899\n", "%*#%*+" }, output)
  end)

  it("include sharing.c, in which threads share a map", function()
    if select(2, run "command -v ${CC:-cc} >/dev/null") ~= 0 then
      pending "needs a C compiler: set CC"
      return
    end
    local output, status = process.make "build/core/bin/sharing"
    assert.equal(0, status, output)
    output, status = run "build/core/bin/sharing"
    assert.equal(0, status, output)
    assert_shows({ "guard 3: %d+ ways through, %d+ times barred", "200 edits published, 3 threads kept up: yes" },
      output)
  end)
end)
