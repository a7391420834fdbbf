-- compare.lua -- whether two grids are the same map, whatever their past: ground, costs, blocks by layer, walls, links.

local compare = {}

local function walls_of(grid)
  local lines = {}
  for _, wall in ipairs(grid:walls()) do
    lines[#lines + 1] = ("%d %d %s %s"):format(wall.x, wall.y, wall.direction, tostring(wall.one_way or false))
  end
  table.sort(lines)
  return table.concat(lines, "\n")
end

-- Numbers come through JSON, where 7 and 7.0 are one.
local function text_of(label)
  return type(label) == "number" and ("%.14g"):format(label) or tostring(label)
end

local function links_of(grid)
  local lines = {}
  for _, link in ipairs(grid:links()) do
    lines[#lines + 1] = ("%d %d %d %d %s %s %s"):format(link.x0, link.y0, link.x1, link.y1,
      link.cost and ("%.6g"):format(link.cost) or "-", text_of(link.label), tostring(link.one_way or false))
  end
  table.sort(lines)
  return table.concat(lines, "\n")
end

local function bounds_of(grid)
  return table.concat({ grid:bounds() }, " ") .. " " .. table.concat({ grid:shape() }, " ")
end

local function same_blocks(a, b, layers, x, y)
  for _, layer in ipairs(layers) do
    if a:is_blocked(x, y, layer) ~= b:is_blocked(x, y, layer) then return false end
  end
  return a:is_blocked(x, y) == b:is_blocked(x, y)
end

local function layers_of(grid)
  local list = grid:block_layers()
  table.sort(list)
  return list
end

-- What differs in `a` from what it must be, nil when nothing does.
function compare.grids(a, must)
  if bounds_of(a) ~= bounds_of(must) then return ("bounds %s, must be %s"):format(bounds_of(a), bounds_of(must)) end
  local layers = layers_of(must)
  if table.concat(layers_of(a), ",") ~= table.concat(layers, ",") then return "layers of blocks" end
  local x0, y0, x1, y1 = must:bounds()
  local keys, wrong, first = {}, 0, nil
  for y = y0, y1 do
    for x = x0, x1 do
      local key = must:get(x, y)
      keys[key] = true
      if a:get(x, y) ~= key or not same_blocks(a, must, layers, x, y) then
        wrong, first = wrong + 1, first or ("(%d, %d)"):format(x, y)
      end
    end
  end
  if wrong > 0 then return ("%d cells, the first %s"):format(wrong, first) end
  for key in pairs(keys) do
    if a:terrain(key) ~= must:terrain(key) then return "the cost of " .. tostring(key) end
  end
  if walls_of(a) ~= walls_of(must) then return "walls" end
  if links_of(a) ~= links_of(must) then return ("links:\n%s\nmust be:\n%s"):format(links_of(a), links_of(must)) end
end

return compare
