rockspec_format = "3.0"
package = "astar-service"
version = "scm-1"

source = {
  url = "git+https://example.org/astar.git",
  dir = "astar/service",
}

description = {
  summary = "A pathfinding service on etcd and HAProxy",
  detailed = [[
    Maps that several processes ask and edit over HTTP: kept by etcd, versioned, answered in HAProxy by lua-astar.
  ]],
  homepage = "https://example.org/astar",
  license = "MIT",
}

dependencies = {
  "lua >= 5.3, < 5.5",
  "lua-astar",
  "lua-cjson",
  "luasocket",
}

build = {
  type = "builtin",
  modules = {
    ["astar_service.admin"] = "astar_service/admin.lua",
    ["astar_service.asking"] = "astar_service/asking.lua",
    ["astar_service.board"] = "astar_service/board.lua",
    ["astar_service.client"] = "astar_service/client.lua",
    ["astar_service.edits"] = "astar_service/edits.lua",
    ["astar_service.etcd"] = "astar_service/etcd.lua",
    ["astar_service.fair"] = "astar_service/fair.lua",
    ["astar_service.folds"] = "astar_service/folds.lua",
    ["astar_service.graph_map"] = "astar_service/graph_map.lua",
    ["astar_service.heads"] = "astar_service/heads.lua",
    ["astar_service.http"] = "astar_service/http.lua",
    ["astar_service.journeys"] = "astar_service/journeys.lua",
    ["astar_service.limits"] = "astar_service/limits.lua",
    ["astar_service.map"] = "astar_service/map.lua",
    ["astar_service.owner"] = "astar_service/owner.lua",
    ["astar_service.questions"] = "astar_service/questions.lua",
    ["astar_service.reader"] = "astar_service/reader.lua",
    ["astar_service.steps"] = "astar_service/steps.lua",
    ["astar_service.store"] = "astar_service/store.lua",
    ["astar_service.versions"] = "astar_service/versions.lua",
  },
  copy_directories = { "systemd" },
  install = {
    conf = { "haproxy.cfg", "settings.lua" },
  },
}
