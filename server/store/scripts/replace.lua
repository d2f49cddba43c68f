#!lua
-- Replaces a value if it is the one that is expected, in one step.
--
-- KEYS  1 the value
-- ARGV  1 the expected value ('' for none)  2 the new one ('' to delete it)  3 lifetime in ms
-- Returns 1 when it was replaced, 0 when something else stands there.

if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then
  return 0
end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
return 1
