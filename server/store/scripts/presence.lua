#!lua
-- Sets this hub's counts of connections to a match and tells the other hubs that follow it.
--
-- KEYS  1 counts  2 hubs that follow
-- ARGV  1 this hub  2 lifetime in ms  3 channel prefix  4 notice  then pairs of what and how many
-- Returns all counts.

local others = redis.call('SMEMBERS', KEYS[2])  -- fails, if it does, before anything is written
for pair = 5, #ARGV, 2 do
  local field = ARGV[1] .. '|' .. ARGV[pair]
  if ARGV[pair + 1] == '0' then
    redis.call('HDEL', KEYS[1], field)
  else
    redis.call('HSET', KEYS[1], field, ARGV[pair + 1])
  end
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
for _, other in ipairs(others) do
  if other ~= ARGV[1] and redis.call('PUBLISH', ARGV[3] .. other, ARGV[4]) == 0 then
    redis.call('SREM', KEYS[2], other)
  end
end
return redis.call('HGETALL', KEYS[1])
