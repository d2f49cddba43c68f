#!lua
-- Lets somebody in: holds the name, unless another player does, and remembers the guest; both or neither.
--
-- KEYS  1 the name  2 the guest with this token  3 a coming that counts once  4 who bears the name
-- ARGV  1 player  2 for how long the name is held, in ms (0: not at all)  3 this hub  4 the guest ('' if known already)
--       5 the guest's lifetime in ms  6 what to remember of the coming ('' if it need not count once)  7 for how long
--       8 the player and the name as it is written  9 for how long that is known, in ms
-- A name that is held by what cannot be a player is free.
-- Returns 1 and '' for one who is let in; 0 and what was remembered of the first time; 0 and '' when the name is taken.

if ARGV[6] ~= '' then
  local word = redis.call('GET', KEYS[3])
  if word then
    return {0, word}
  end
end
local holder = redis.call('HGET', KEYS[1], 'player')
if holder and holder ~= ARGV[1] and string.match(holder, '^[%w_-]+$') then
  return {0, ''}
end
if ARGV[2] ~= '0' then
  redis.call('HSET', KEYS[1], 'player', ARGV[1], 'hub ' .. ARGV[3], 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  redis.call('SET', KEYS[4], ARGV[8], 'PX', ARGV[9])
end
if ARGV[4] ~= '' then
  redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5])
end
if ARGV[6] ~= '' then
  redis.call('SET', KEYS[3], ARGV[6], 'PX', ARGV[7])
end
return {1, ''}
