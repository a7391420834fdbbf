#!/usr/bin/env tarantool
-- instance.lua -- runs one instance of the service: tarantool instance.lua CONFIG.lua ID [create]
--
-- CONFIG.lua returns a table as astar_service.tarantool.instance takes it; `dir` may hold a %d for the id.
-- An instance that has to join anew (its copy has rows that nobody else has) ends with the status 3: start it again.

local config = dofile(arg[1])
config.id = tonumber(arg[2])
config.dir = config.dir:format(config.id)
config.create = arg[3] == "create"
require("astar_service.tarantool.instance").start(config)
