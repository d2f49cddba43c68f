#!lua
-- Notes that a player wants no challenges, for so many ms (0: wants them again).
--
-- KEYS  1 the note
-- ARGV  1 its lifetime in ms, or 0  2 channel  3 what all hubs are told there

if ARGV[1] == '0' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], 1, 'PX', ARGV[1])
end
redis.call('PUBLISH', ARGV[2], ARGV[3])
return 1
