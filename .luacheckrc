std = "max"
max_line_length = 120

files["spec"] = { std = "+busted" }

-- Games for LÖVE define its callbacks as fields of love.
files["examples/love"] = { std = "luajit+love" }
files["spec/love/conf.lua"] = { std = "luajit+love", ignore = { "122" } } -- replaces LÖVE's clock

-- Written by Tiled, but for the specs.
files["spec/tiled"] = { max_line_length = false }
files["spec/tiled/*_spec.lua"] = { max_line_length = 120 }

files["tools/pictures"] = { std = "luajit+love", globals = { "player", "game" } }

-- Annotations for editors: functions without bodies, so their arguments are not used.
files["lua/astar/core.d.lua"] = { ignore = { "211", "212", "241" }, max_line_length = false }

-- HAProxy has Lua 5.3 or 5.4, with globals of its own.
files["service"] = { std = "max", read_globals = { "core", "Map" } }
