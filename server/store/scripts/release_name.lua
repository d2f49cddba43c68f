#!lua
-- Lets a name go, at once or after a while, if it is this player's.
--
-- KEYS  1 the name
-- ARGV  1 player  2 how long it is still held, in ms; 0 for no longer

if redis.call('GET', KEYS[1]) == ARGV[1] then
  if ARGV[2] == '0' then
    redis.call('DEL', KEYS[1])
  else
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
  end
end
return 1
