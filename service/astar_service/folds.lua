-- folds.lua -- folds a map's log into its pieces, and writes the pieces of a map that is made.
--
-- Pieces are written under a base of their own, where nobody looks; then one transaction lets them be the map and
-- deletes the log up to there. A claim keeps two from writing at once; whoever lost it finds that out at the next
-- piece.

local http = require "astar_service.http"
local map = require "astar_service.map"

local CLAIM = 5 -- seconds after which a claim that stays the same is taken from whoever died with it

return function(owner)
  local claims = {} -- by map: whose claim was seen last, and since when

  -- The claim of a map's pieces, or of one that is to be made; nil and why there is none.
  local function claim_pieces(name, to, is_new)
    local seen = claims[name]
    local old = seen and http.now() - seen.since > CLAIM and seen.revision or nil
    local claim, other, why = to:claim(name, old, is_new)
    if claim then
      claims[name] = nil
    elseif other and not (seen and seen.revision == other) then
      claims[name] = { revision = other, since = http.now() }
    end
    return claim, why or "another has its pieces"
  end

  -- Writes what a still map is, and those of its pieces that were touched, and names for each the base it is at now.
  -- Raises what stood in the way.
  local function write_pieces(still, claim, pieces, to)
    local pause = owner.pauser()
    local is_put, problem = to:put_piece(claim, still.version, 0, http.encode(still:meta()))
    if not is_put then error(problem, 0) end
    local _, count = still:piece_count()
    for i = count + 1, #pieces do pieces[i] = nil end
    for i = 1, count do
      local touched = still.touched.all or still.touched[i]
      if not pieces[i] and still.is_empty then
        pieces[i] = map.EMPTY
      elseif not pieces[i] or touched and touched > pieces[i] then
        local ok, why = to:put_piece(claim, still.version, i, still:piece(i, pause))
        if not ok then error(why, 0) end
        pieces[i] = still.version
        owner.count "astar_pieces_total"
      end
      pause()
    end
    return pieces
  end

  -- Makes a map of one that is held by nobody yet; its first version, and how it was made.
  function owner.make(name, its, to)
    local floor, why = to:floor()
    if not floor then error(why, 0) end
    its.version = floor.version
    local claim, problem = claim_pieces(name, to, true)
    if not claim and (problem == "nospace" or problem == "unavailable") then error(problem, 0) end
    if not claim then http.fail(503, "a map of that name is being made", "busy") end
    local ok, pieces = pcall(write_pieces, its, claim, {}, to)
    local kind = its.is_graph and "graph" or "grid"
    if ok then
      ok, why = to:switch(claim, { kind = kind, base = its.version, pieces = pieces }, nil, floor)
    else
      why = pieces
    end
    to:sweep(claim, ok and pieces or {}, ok and its.version or nil)
    to:release(claim)
    if not ok then error(why, 0) end
    return its.version, why
  end

  local function fold_now(entry, to)
    local record = entry.record
    if entry.map.version == record.base then return record.base end
    local claim, problem = claim_pieces(entry.name, to)
    if not claim then return nil, problem end
    local from, touched = entry.map, {}
    for i, version in pairs(from.touched) do touched[i] = version end
    local still = setmetatable({ object = from:copy(), version = from.version, touched = touched, dump = false },
      { __index = from })
    local pieces = write_pieces(still, claim, table.move(record.pieces, 1, #record.pieces, 1, {}), to)
    local forgot, keep = record.forgot or 0, owner.limits.keep
    if still.version - forgot > 2 * keep then forgot = still.version - keep end
    local new = { kind = record.kind, base = still.version, pieces = pieces, forgot = forgot }
    local ok, why = to:switch(claim, new, record)
    if ok then
      owner.count "astar_folds_total"
      to:sweep(claim, pieces, still.version)
      if forgot > (record.forgot or 0) then to:forget(entry.name, forgot) end
    end
    to:release(claim)
    if not ok then return nil, why end
    return still.version
  end

  -- Folds a map now: the base; nil and why not.
  function owner.fold_at_once(entry, to)
    local ok, base, why = pcall(fold_now, entry, to)
    if ok then return base, why end
    return nil, base
  end

  -- Whether the log of a map is so long that it is to be folded.
  function owner.is_long(entry)
    return entry.map.version - entry.record.base > owner.limits.fold or (entry.log_bytes or 0) > owner.limits.log
  end

  -- Folds a map soon, if no other instance does before.
  function owner.fold(entry)
    if entry.folds then return end
    entry.folds = true
    owner.start(function()
      core.msleep(math.random(1, 1000))
      if owner.maps[entry.name] == entry and owner.is_long(entry) then
        local _, why = owner.fold_at_once(entry, owner.new_store())
        if why then core.Warning(("astar: map %s was not folded: %s"):format(entry.name, why)) end
      end
      entry.folds = false
    end)
  end
end
