-- schema.lua -- how the service's rows lie in Tarantool: spaces, functions, roles, users, and steps from one version
-- of this to the next.

local schema = {}

-- The version that this code makes and needs.
schema.VERSION = 2

-- Who may call what. A reader asks, a writer edits as well, a peer is another instance.
local RIGHTS = {
  astar_reader = { "astar_ask", "astar_ask_many", "astar_maps", "astar_health" },
  astar_writer = { "astar_edit", "astar_make", "astar_put", "astar_open", "astar_drop", "astar_copy", "astar_upgrade" },
  astar_peer = { "astar_peer", "astar_vote", "astar_hold" },
}

local function make_roles()
  for role, names in pairs(RIGHTS) do
    box.schema.role.create(role, { if_not_exists = true })
    for _, name in ipairs(names) do
      box.schema.func.create(name, { setuid = true, if_not_exists = true })
      box.schema.role.grant(role, "execute", "function", name, { if_not_exists = true })
    end
  end
  box.schema.role.grant("astar_writer", "execute", "role", "astar_reader", { if_not_exists = true })
end

-- Each step makes of the version before it the next; 1 begins with nothing.
local STEPS = {
  function()
    local maps = box.schema.space.create("astar_maps", { is_sync = true, format = {
      { "name", "string" }, { "state", "string" }, -- "loading", "ready" or "dropped"
      { "base", "unsigned" }, { "meta", "any" },   -- as map.new takes it
    } })
    maps:create_index("name", { parts = { { 1, "string" } } })
    local chunks = box.schema.space.create("astar_chunks", { is_sync = true, format = {
      { "map", "string" }, { "cx", "unsigned" }, { "cy", "unsigned" }, { "ground", "any" }, { "blocks", "array" },
    } })
    chunks:create_index("chunk", { parts = { { 1, "string" }, { 2, "unsigned" }, { 3, "unsigned" } } })
    local edits = box.schema.space.create("astar_edits", { is_sync = true, format = {
      { "map", "string" }, { "version", "unsigned" }, { "op", "array" },
      { "client", "string" }, { "number", "unsigned" },
    } })
    edits:create_index("version", { parts = { { 1, "string" }, { 2, "unsigned" } } })
    -- The last edit of each client, so that one that is sent again is done once.
    local clients = box.schema.space.create("astar_clients", { is_sync = true, format = {
      { "client", "string" }, { "number", "unsigned" }, { "map", "string" }, { "version", "unsigned" },
    } })
    clients:create_index("client", { parts = { { 1, "string" } } })
  end,
  function() -- clients are told by when they were last heard of, and forgotten after a day
    local clients = box.space.astar_clients
    clients:format {
      { "client", "string" }, { "number", "unsigned" }, { "map", "string" }, { "version", "unsigned" },
      { "time", "unsigned", is_nullable = true },
    }
    clients:create_index("time", { parts = { { 5, "unsigned", is_nullable = true } }, unique = false })
  end,
}

-- The version of what is stored, 0 where nothing is.
function schema.version()
  local row = box.space._schema:get "astar_service"
  return row and row[2] or 0
end

-- Takes what is stored to a version, by who writes: schema.VERSION unless told otherwise. Instances of this code
-- read the version before it, too, so they are to be restarted first, one after another, and this is called last.
function schema.upgrade(version)
  for step = schema.version() + 1, version or schema.VERSION do
    STEPS[step]()
    box.space._schema:replace { "astar_service", step }
  end
  make_roles()
end

-- Makes the users of the configuration: { name =, password =, role = "reader", "writer" or "peer" }. Nobody else
-- gets in: `guest` has no right to any of this.
function schema.make_users(users)
  for _, user in ipairs(users) do
    -- The password with it: one who asks in between would be told that theirs is wrong.
    box.schema.user.create(user.name, { password = user.password, if_not_exists = true })
    box.schema.user.grant(user.name, "execute", "role", "astar_" .. user.role, { if_not_exists = true })
    if user.role == "peer" then
      box.schema.user.grant(user.name, "replication", nil, nil, { if_not_exists = true })
    end
  end
end

return schema
