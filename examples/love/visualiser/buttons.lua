-- buttons.lua -- a bar of buttons, each of which presses a key: whatever has a key has a button.
--
-- A bar is a list of rows, a row a list of { key =, label = }: the label a string, or a function where
-- it changes. A function is_lit says which button shows what is chosen.

local buttons = {}

local HEIGHT, GAP, PADDING = 24, 6, 8

local look = require "look"

-- Where each button is now, which depends on how wide its label is: calls f(button, label, x, y, width). A row goes on
-- below where the window ends. Returns how high all of them are.
local function each(bar, left, top, f)
  local font, right, y = look.font(13), love.graphics.getWidth() - left, top
  for _, row in ipairs(bar) do
    local x = left
    for _, button in ipairs(row) do
      local label = type(button.label) == "function" and button.label() or button.label
      local width = math.max(button.width or 0, font:getWidth(label) + 2 * PADDING)
      if x > left and x + width > right then
        x, y = left, y + HEIGHT + GAP
      end
      f(button, label, x, y, width)
      x = x + width + GAP
    end
    y = y + HEIGHT + GAP
  end
  return y - top
end

function buttons.height(bar, left)
  return each(bar, left, 0, function() end)
end

-- The key of the button at a pixel, nil where there is none.
function buttons.at(bar, left, top, px, py)
  local key
  each(bar, left, top, function(button, _, x, y, width)
    if px >= x and px < x + width and py >= y and py < y + HEIGHT then
      key = button.key
    end
  end)
  return key
end

-- The pixel in the middle of the button for a key.
function buttons.middle(bar, left, top, wanted)
  local px, py
  each(bar, left, top, function(button, _, x, y, width)
    if button.key == wanted then
      px, py = x + width / 2, y + HEIGHT / 2
    end
  end)
  return px, py
end

function buttons.draw(bar, left, top, is_lit)
  local lift = math.floor((HEIGHT - look.font(13):getHeight()) / 2)
  each(bar, left, top, function(button, label, x, y, width)
    local theme = look.theme()
    love.graphics.setColor(is_lit(button.key) and { 0.90, 0.62, 0.00 } or theme.key)
    love.graphics.rectangle("fill", x, y, width, HEIGHT, 4)
    love.graphics.setColor(is_lit(button.key) and { 0.1, 0.1, 0.12 } or theme.bright)
    love.graphics.printf(label, x, y + lift, width, "center")
  end)
end

return buttons
