#!lua
-- Puts a key out of the way that is not what it should be, in one step, so that a good one is never moved.
--
-- KEYS  1 the key  2 where to put it  3 the mark that lists must be built again
-- ARGV  1 the type it should have; 'number' for a string that is one  2 '1' if it is a list that can be built again
-- Returns the type it had, '' when it is well.

local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' or kind == ARGV[1] then
  return ''
end
if ARGV[1] == 'number' then
  local value = kind == 'string' and redis.call('GET', KEYS[1]) or ''
  if string.match(value, '^%d+$') and #value <= 16 then
    return ''
  end
  redis.call('RENAME', KEYS[1], KEYS[2])
  -- Larger than any count so far: whoever has counted along sees a gap, and reads again.
  local time = redis.call('TIME')
  redis.call('SET', KEYS[1], string.format('%d', time[1] * 1000 + math.floor(time[2] / 1000)))
else
  redis.call('RENAME', KEYS[1], KEYS[2])
end
if ARGV[2] ~= '' then
  redis.call('SET', KEYS[3], '1')
end
return kind
