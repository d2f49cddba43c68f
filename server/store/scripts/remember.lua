-- A part of other scripts, not one by itself: the receipts of a player's commands, by their refs.
-- Each stands behind a number, and the field '' holds the last one, so that the oldest can be forgotten. What is no
-- receipt counts as none.

local function remembered(key, ref)
  local found = redis.call('HGET', key, ref)
  return found and string.match(found, '^%d+ ([%w_-]+ %d+ [%w-]*)$')
end

local function remember(key, ref, receipt, kept, lifetime)
  local number = 1
  local last = redis.call('HGET', key, '')
  if last and #last <= 16 and string.match(last, '^%d+$') then
    number = tonumber(last) + 1
  end
  redis.call('HSET', key, '', string.format('%d', number), ref, string.format('%d ', number) .. receipt)
  redis.call('PEXPIRE', key, lifetime)
  if number % kept == 0 then
    local all = redis.call('HGETALL', key)
    for at = 1, #all, 2 do
      local age = string.match(all[at + 1], '^(%d+) ')
      if all[at] ~= '' and (not age or #age > 16 or tonumber(age) <= number - kept) then
        redis.call('HDEL', key, all[at])
      end
    end
  end
end
