#!lua
-- Stores a challenge, once for its ref, and tells all hubs; or says why not.
--
-- KEYS  1 the challenge  2 challenges of who asks  3 of who is asked  4 receipts of who asks
--       5 set while the one may not ask the other  6 set while the other wants no challenges
-- ARGV  1 its id  2 what is asked  3 how long it stands, in ms  4 for how long it is kept after that  5 how many may be open
--       6 who asks  7 who is asked  8 channel  9 ref  10 receipts that are kept  11 their lifetime in ms
-- Returns '' when it is stored or was before, or 'muted', 'lately', 'many'.

--include remember

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function open(key)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now - ARGV[4])
  return #redis.call('ZRANGE', key, '(' .. string.format('%d', now), '+inf', 'BYSCORE')
end

if remembered(KEYS[4], ARGV[9]) then
  return ''
end
if redis.call('EXISTS', KEYS[6]) == 1 then
  return 'muted'
end
if redis.call('EXISTS', KEYS[5]) == 1 then
  return 'lately'
end
local most = tonumber(ARGV[5])
if open(KEYS[2]) >= most or open(KEYS[3]) >= most then
  return 'many'
end
local stands, kept = tonumber(ARGV[3]), ARGV[3] + ARGV[4]
local till = string.format('%d', now + stands)
redis.call('HSET', KEYS[1], 'data', ARGV[2], 'until', till)
redis.call('PEXPIRE', KEYS[1], kept)
for _, key in ipairs({KEYS[2], KEYS[3]}) do
  redis.call('ZADD', key, till, ARGV[1])
  redis.call('PEXPIRE', key, kept)
end
redis.call('SET', KEYS[5], 1, 'PX', ARGV[3])
remember(KEYS[4], ARGV[9], ARGV[1] .. ' 0 ', tonumber(ARGV[10]), ARGV[11])
redis.call('PUBLISH', ARGV[8], ARGV[1] .. ' ' .. ARGV[6] .. ' ' .. ARGV[7])
return ''
