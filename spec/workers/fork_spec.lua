-- A process that forks while workers are at work: the child has the pool, but none of its threads.

local process = require "spec.support.process"

-- fork() and wait() as functions of Lua. They need no headers: both names are the same in every Lua.
local LIBRARY = [[
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

extern void lua_pushnumber(void *L, double number);

// A process that hangs is ended after a minute and a half.
int fork_now(void *L)
{
    lua_pushnumber(L, fork());
    (void)alarm(90);
    return 1;
}

int wait_for_child(void *L)
{
    int status = 0;
    (void)waitpid(-1, &status, 0);
    lua_pushnumber(L, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 1;
}
]]

-- A pool that has a lot to do: requests of long ways, a flow and a baking. in_child(f) calls f in a forked process,
-- which ends as Lua ends by itself, and returns the child's exit status, 0 unless it raised.
local PRELUDE = [[
  local fork = assert(package.loadlib(LIBRARY, "fork_now"))
  local wait = assert(package.loadlib(LIBRARY, "wait_for_child"))
  local SIDE = 160
  local grid = astar.grid(SIDE, SIDE)
  for i = 4, SIDE - 4, 4 do grid:block(i, i % 8 == 0 and 1 or 2, 1, SIDE - 1) end
  local finder = grid:finder()
  local workers = astar.workers(3)
  local queue = astar.queue { workers = workers, delay = 3 }
  local tickets = {}
  local function ends(i) return 1 + i % 3, 1 + i % 50, SIDE - i % 3, SIDE - i % 50 end
  local function ask(count)
    for i = #tickets + 1, #tickets + count do tickets[i] = queue:request(finder, ends(i)) end
  end
  local function answer_all()
    for _ = 1, 200 do
      if queue:count() == 0 then break end
      queue:update { expansions = 100000 }
    end
    assert(queue:count() == 0, "not answered")
    for i, ticket in ipairs(tickets) do
      assert(ticket.done and ticket.found.cost == finder:find_path(ends(i)).cost, "another answer")
    end
  end
  local function in_child(f)
    io.flush()
    if fork() ~= 0 then return wait() end
    local ok, problem = pcall(f)
    if not ok then io.stderr:write(tostring(problem), "\n") end
    os.exit(ok and 0 or 1, true)
  end
]]

describe("a process that forks while workers are busy", function()
  local folder = os.tmpname()
  os.remove(folder)
  local library, why = folder .. "/fork.so", nil

  setup(function()
    local compiler = process.quick_compiler()
    process.shell("mkdir " .. folder)
    local file = assert(io.open(folder .. "/fork.c", "w"))
    file:write(LIBRARY)
    file:close()
    local output, status = process.shell(("%s -shared -fPIC -o %s %s/fork.c"):format(compiler or "cc", library, folder))
    if status ~= 0 then why = "needs a C compiler and a system that forks: " .. output end
    if process.is_sanitized then
      why = "a thread may hold a lock of the sanitizer's own allocator when the process forks"
    end
  end)
  teardown(function() process.shell("rm -rf " .. folder) end)

  local function try(name, code)
    it(name, function()
      if why then
        pending(why)
        return
      end
      local output, status = process.run(("local LIBRARY = %q "):format(library) .. PRELUDE .. code)
      assert.equal("done\n", output)
      assert.equal(0, status)
    end)
  end

  try("may have children that close the pool and exit", [[
    for round = 1, 30 do
      ask(round * 3)
      queue:update { expansions = 1 }
      assert(in_child(function()
        workers:close()
        assert(workers:count() == 0)
        local copies, searches = workers:bytes()
        assert(copies == 0 and searches == 0)
      end) == 0)
    end
    answer_all()
    io.write "done\n"
  ]])

  try("may have children that leave the pool to the garbage collector and exit", [[
    for round = 1, 30 do
      ask(round * 3)
      queue:update { expansions = 1 }
      assert(in_child(function()
        workers, queue, tickets = nil, nil, {}
        collectgarbage()
        collectgarbage()
      end) == 0)
    end
    answer_all()
    io.write "done\n"
  ]])

  try("may have children whose queues complete earlier requests without workers", [[
    for round = 1, 12 do
      ask(10)
      if round % 2 == 0 then queue:update { expansions = 1 } end
      ask(round % 3)
      assert(in_child(function()
        queue:add(finder:flow { { SIDE, SIDE } }:completing())
        answer_all()
        local ok, problem = pcall(queue.request, queue, finder, 1, 1, SIDE, SIDE)
        assert(not ok and problem:find "workers are closed", problem)
        workers:close()
      end) == 0)
    end
    answer_all()
    io.write "done\n"
  ]])

  try("may have children that make a pool of their own and fork again", [[
    ask(30)
    queue:update { expansions = 1 }
    assert(in_child(function()
      local own = astar.workers(2)
      local of_child, ticket = astar.queue { workers = own }, nil
      ticket = of_child:request(finder, 1, 1, SIDE, SIDE)
      of_child:update { expansions = 1 }
      assert(in_child(function()
        own:close()
        workers:close()
      end) == 0)
      while not ticket.done do of_child:update { expansions = 1 } end
      assert(ticket.found.cost == finder:find_path(1, 1, SIDE, SIDE).cost)
      own:close()
      workers:close()
    end) == 0)
    answer_all()
    workers:close()
    io.write "done\n"
  ]])
end)
