#!lua
-- Decides how a challenge goes, if nothing has decided it, and tells all hubs. Its time decides before anybody.
--
-- KEYS  1 the challenge  2 challenges of who asked  3 of who was asked  4 receipts of who decides
--       5 set while the one may not ask the other anew
-- ARGV  1 its id  2 the fate  3 for how long it is kept then, in ms  4 who asked  5 who was asked  6 channel
--       7 ref of who decides ('' for nobody)  8 receipts that are kept  9 their lifetime in ms
--       10 how long the same player is not asked again by one who took a challenge back, in ms
--       11 the name of who decides
-- Returns its fate; '' while it stands and was to expire; 'gone' when there is none. A ref with a receipt: the fate that
-- was asked for.

--include remember

if ARGV[7] ~= '' and remembered(KEYS[4], ARGV[7]) then
  return ARGV[2]
end
local till = redis.call('HGET', KEYS[1], 'until')
if not till then
  return 'gone'
end
local fate = redis.call('HGET', KEYS[1], 'fate')
if fate then
  return fate
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
fate = ARGV[2]
if now >= tonumber(till) then
  fate = 'expired'
elseif fate == 'expired' then
  return ''
end
redis.call('ZADD', KEYS[2], 'XX', string.format('%d', now), ARGV[1])
redis.call('ZADD', KEYS[3], 'XX', string.format('%d', now), ARGV[1])
redis.call('HSET', KEYS[1], 'fate', fate, 'at', string.format('%d', now), 'name', ARGV[11])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
if fate == 'accepted' then
  redis.call('DEL', KEYS[5])
elseif fate == 'withdrawn' then
  redis.call('PEXPIRE', KEYS[5], ARGV[10])
end
if ARGV[7] ~= '' and fate == ARGV[2] then
  remember(KEYS[4], ARGV[7], ARGV[1] .. (fate == 'accepted' and ' 2 ' or ' 0 '), tonumber(ARGV[8]), ARGV[9])
end
redis.call('PUBLISH', ARGV[6], ARGV[1] .. ' ' .. ARGV[4] .. ' ' .. ARGV[5])
return fate
