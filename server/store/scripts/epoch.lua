#!lua
-- Tells the epoch of what this Redis holds: another one since each time that the data was loaded, however old it was.
--
-- KEYS  1 the epoch, and the run of Redis that it belongs to
-- ARGV  1 the epoch that begins if this run has none yet
-- Returns the epoch.

local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or ''
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then
  redis.call('DEL', KEYS[1])
end
local epoch = redis.call('HGET', KEYS[1], 'epoch')
if not epoch or not string.match(epoch, '^%x+$') or redis.call('HGET', KEYS[1], 'run') ~= run then
  epoch = ARGV[1]
  redis.call('HSET', KEYS[1], 'epoch', epoch, 'run', run)
end
return epoch
