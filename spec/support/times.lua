-- times.lua -- how many random maps or cases a spec takes: as many as the variable 'name' of the environment says,
-- else 'usual'. ASTAR_FEW=1, for what runs beside a run of all of them, makes that a twentieth, though not below 20.
return function(name, usual)
  local told = tonumber(os.getenv(name))
  if told then return told end
  return os.getenv "ASTAR_FEW" and math.min(usual, math.max(20, math.ceil(usual / 20))) or usual
end
