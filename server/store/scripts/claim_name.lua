#!lua
-- Holds a name for a player, unless another one holds it.
--
-- KEYS  1 the name
-- ARGV  1 player  2 for how long, in ms
-- Returns who holds it now.

local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return holder
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]
