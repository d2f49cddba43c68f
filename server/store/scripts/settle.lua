#!lua
-- Takes an obligation out of the outbox, or puts it off, unless it has changed since it was read.
--
-- KEYS  1 outbox  2 obligations that were set aside
-- ARGV  1 match  2 since when it was owed, as it was read  3 until when it is put off, '' when it is owed no longer
--       4 when it was set aside, '' when it was not  5 how many are kept aside
-- Returns 1 when it was done, 0 when it has changed.

local since = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not since or tonumber(since) ~= tonumber(ARGV[2]) then
  return 0
end
if ARGV[3] == '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
end
if ARGV[4] ~= '' then
  redis.call('ZADD', KEYS[2], ARGV[4], ARGV[1])
  redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - ARGV[5])
end
return 1
