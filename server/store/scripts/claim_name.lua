#!lua
-- Holds a name for a player who is connected to this hub, unless another player holds it.
--
-- KEYS  1 the name
-- ARGV  1 player  2 for how long, in ms  3 this hub
-- Returns who holds it now.

local holder = redis.call('HGET', KEYS[1], 'player')
if holder and holder ~= ARGV[1] then
  return holder
end
redis.call('HSET', KEYS[1], 'player', ARGV[1], 'hub ' .. ARGV[3], 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return ARGV[1]
