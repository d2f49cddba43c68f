#!lua
-- Moves a match's deadline, or takes it away, unless the match has moved on: then its last event set what is right.
-- One that is not set stays unset.
--
-- KEYS  1 log  2 deadlines
-- ARGV  1 version (0 for a match without a log)  2 match  3 deadline in ms, '' for none
-- Returns 1 when it was done, 0 when the log is at another version.

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local version = 0
if last[1] then
  version = tonumber(string.match(last[1][1], '^(%d+)'))
end
if version ~= tonumber(ARGV[1]) then
  return 0
end
if ARGV[3] == '' then
  redis.call('ZREM', KEYS[2], ARGV[2])
else
  redis.call('ZADD', KEYS[2], 'XX', ARGV[3], ARGV[2])
end
return 1
