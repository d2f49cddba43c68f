#!lua
-- Lets a name go, at once or after a while, if it is this player's and no other hub holds it for the same player.
--
-- KEYS  1 the name
-- ARGV  1 player  2 how long it is still held, in ms; 0 for no longer  3 this hub

if redis.call('HGET', KEYS[1], 'player') == ARGV[1] then
  redis.call('HDEL', KEYS[1], 'hub ' .. ARGV[3])
  if redis.call('HLEN', KEYS[1]) == 1 then
    if ARGV[2] == '0' then
      redis.call('DEL', KEYS[1])
    else
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
    end
  end
end
return 1
