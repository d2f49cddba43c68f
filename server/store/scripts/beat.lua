#!lua
-- A hub says that it lives, to the others at once, and learns the shared time, which hubs live, when none of them
-- could serve, and whether there is anything to do. All hubs so know the same last beat when the store falls silent.
--
-- KEYS  1 hubs that live  2 the last beat of any hub  3 outages  4 the epoch  5 deadlines  6 the outbox
-- ARGV  1 this hub  2 silence in ms after which a hub is taken for dead  3 silence of all that is an outage
--       4 time for players to come back, which counts as part of an outage
--       5 since when there was an outage that is to be written down, however short it was; 0 for none
--       6 channel prefix  7 the epoch that begins if this run of Redis has none yet
-- Returns the time in ms, the hubs, the outages (each "from until"), when any hub had beaten before, the epoch, and
--         when the first deadline falls due and since when the first match owes something; '' for none.

--include this_epoch

local function first(key)
  return redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] or ''
end

local epoch, deadline, owed = this_epoch(KEYS[4], ARGV[7]), first(KEYS[5]), first(KEYS[6])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local last = tonumber(redis.call('GET', KEYS[2]) or now) or now
local from = tonumber(ARGV[5])
if now - last > tonumber(ARGV[3]) then
  from = last
end
-- The newest one may be that already, for hubs say it more than once.
local newest = redis.call('LRANGE', KEYS[3], -1, -1)[1] or ''
if from > 0 and string.match(newest, '^%d+') ~= string.format('%d', from) then
  redis.call('RPUSH', KEYS[3], string.format('%d %d', from, now + ARGV[4]))
  redis.call('LTRIM', KEYS[3], -50, -1)
end
redis.call('SET', KEYS[2], string.format('%d', now))
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%d', now - ARGV[2]))
redis.call('ZADD', KEYS[1], string.format('%d', now), ARGV[1])
local hubs = redis.call('ZRANGE', KEYS[1], 0, -1)
for _, other in ipairs(hubs) do
  if other ~= ARGV[1] then
    redis.call('PUBLISH', ARGV[6] .. other, string.format('%d', now))
  end
end
return {string.format('%d', now), hubs, redis.call('LRANGE', KEYS[3], 0, -1), string.format('%d', last),
        epoch, deadline, owed}
