-- A part of other scripts, not one by itself: the epoch of what this Redis holds, another one since each time that the
-- data was loaded, however old it was. `key` is the epoch and the run of Redis that it belongs to; `new` is the one that
-- begins if this run has none yet.

local function this_epoch(key, new)
  local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') or ''
  if redis.call('TYPE', key).ok ~= 'hash' then
    redis.call('DEL', key)
  end
  local epoch = redis.call('HGET', key, 'epoch')
  if not epoch or not string.match(epoch, '^%x+$') or redis.call('HGET', key, 'run') ~= run then
    epoch = new
    redis.call('HSET', key, 'epoch', epoch, 'run', run)
  end
  return epoch
end
