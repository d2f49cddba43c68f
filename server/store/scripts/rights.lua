#!lua flags=no-writes
-- Tells what the user may not do, without doing it.
--
-- KEYS  1 any key of ours
-- ARGV  commands to ask about, a line break between two words of one
-- Returns the places of those that are not allowed, counted from 1.

local refused = {}
for place, line in ipairs(ARGV) do
  local words = {}
  for word in string.gmatch(line, '[^\n]+') do
    words[#words + 1] = word
  end
  if not redis.acl_check_cmd(unpack(words)) then
    refused[#refused + 1] = place
  end
end
return refused
