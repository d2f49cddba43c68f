#!lua
-- Adds a line to a channel of a match, once, and tells the other hubs that follow the match.
--
-- KEYS  1 the channel's lines  2 hubs that follow
-- ARGV  1 this hub  2 channel prefix  3 lifetime in ms  4 lines that are kept  5 match  6 channel  7 the line's own name
--       8 the line
-- Returns the line's number; numbers are consecutive.

local last = 0
for at, entry in ipairs(redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', ARGV[4])) do
  local number = tonumber(string.match(entry[1], '^(%d+)'))
  if at == 1 then
    last = number
  end
  if entry[2][2] == ARGV[7] then
    return number
  end
end
local number = last + 1
redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[4], number .. '-0', 'by', ARGV[7], 'line', ARGV[8])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
local notice = 'say ' .. ARGV[5] .. ' ' .. ARGV[6] .. ' ' .. number .. ' ' .. ARGV[8]
for _, other in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  if other ~= ARGV[1] then
    redis.call('PUBLISH', ARGV[2] .. other, notice)
  end
end
return number
