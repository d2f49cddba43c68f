#!lua flags=no-writes
-- Of which matches a hub is told nothing: their lists of hubs do not have it, or are none.
--
-- KEYS  the lists of hubs, one for each match
-- ARGV  1 the hub
-- Returns the places of those matches among the keys, from 1 on.

local missing = {}
for place, key in ipairs(KEYS) do
  if redis.pcall('SISMEMBER', key, ARGV[1]) ~= 1 then
    missing[#missing + 1] = place
  end
end
return missing
