-- What Quarto does with {{< var NAME.NAME >}}, for pandoc alone: the value from --metadata-file _variables.yml.
local variables

local function value(path)
  local found = variables
  for name in path:gmatch("[^.]+") do
    found = type(found) == "table" and found[name] or error("_variables.yml has no " .. path)
  end
  return found
end

return {
  { Meta = function(meta) variables = meta end },
  {
    Inlines = function(inlines)
      local replaced, at = pandoc.List(), 1
      while at <= #inlines do
        if inlines[at].text == "{{<" and inlines[at + 2].text == "var" then
          replaced:extend(value(inlines[at + 4].text))
          local rest = inlines[at + 6].text:gsub("^>}}", "")
          replaced:insert(pandoc.Str(rest))
          at = at + 7
        else
          replaced:insert(inlines[at])
          at = at + 1
        end
      end
      return replaced
    end,
  },
}
