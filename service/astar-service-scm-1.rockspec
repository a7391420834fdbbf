rockspec_format = "3.0"
package = "astar-service"
version = "scm-1"

source = {
  url = "git+https://example.org/astar.git",
  dir = "astar/service",
}

description = {
  summary = "A pathfinding service on Tarantool",
  detailed = [[
    Maps that several processes ask and edit: replicated, versioned, with answers by lua-astar.
  ]],
  homepage = "https://example.org/astar",
  license = "MIT",
}

dependencies = {
  "lua >= 5.1, < 5.2",
  "lua-astar",
}

build = {
  type = "builtin",
  modules = {
    ["astar_service.core"] = "astar_service/core.lua",
    ["astar_service.map"] = "astar_service/map.lua",
    ["astar_service.graph_map"] = "astar_service/graph_map.lua",
    ["astar_service.versions"] = "astar_service/versions.lua",
    ["astar_service.questions"] = "astar_service/questions.lua",
    ["astar_service.journeys"] = "astar_service/journeys.lua",
    ["astar_service.client"] = "astar_service/client.lua",
    ["astar_service.tarantool.election"] = "astar_service/tarantool/election.lua",
    ["astar_service.tarantool.instance"] = "astar_service/tarantool/instance.lua",
    ["astar_service.tarantool.rows"] = "astar_service/tarantool/rows.lua",
    ["astar_service.tarantool.schema"] = "astar_service/tarantool/schema.lua",
  },
  install = {
    bin = { ["astar-service"] = "instance.lua" },
  },
}
