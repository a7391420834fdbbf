rockspec_format = "3.0"
package = "lua-astar"
version = "scm-1"

source = {
  url = "git+file://.", -- of this very folder, from which "luarocks make" takes it
}

description = {
  summary = "Shortest paths on grids, found in C",
  detailed = [[
    Optimal routes over grid maps: terrain costs as data or as callbacks, four
    corner rules, several kinds of units on one map. For Lua 5.1 to 5.5 and LuaJIT.
    The module is `astar`.
  ]],
  license = "MIT",
  labels = { "pathfinding", "astar", "gamedev", "love2d" },
}

dependencies = {
  "lua >= 5.1, < 5.6",
}

-- The specs on the rock that is installed; they need busted for that Lua.
test = {
  type = "command",
  script = "spec/rock.lua",
}

-- The Makefile rather than the builtin type, which cannot pass -ffp-contract=off: without it routes could
-- differ between machines. A release's rock is of that type: it is built of one file, which says so itself.
build = {
  type = "make",
  variables = {
    BUILD = "build/luarocks",
    LUA_INCDIR = "$(LUA_INCDIR)",
    CFLAGS = "$(CFLAGS)",
    INST_LUADIR = "$(LUADIR)",
    INST_LIBDIR = "$(LIBDIR)",
  },
}
