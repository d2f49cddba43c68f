#!lua
-- Adds a line to a channel of a match, once, and tells the other hubs that follow the match.
--
-- KEYS  1 the channel's lines  2 hubs that follow
-- ARGV  1 this hub  2 channel prefix  3 lifetime in ms  4 lines that are kept  5 match  6 channel  7 the line's own name
--       8 the line
-- Returns the line's number; numbers are consecutive.

local others = redis.call('SMEMBERS', KEYS[2])  -- fails, if it does, before anything is written
local last = 0
for _, entry in ipairs(redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', ARGV[4])) do
  if entry[2][2] == ARGV[7] then
    return tonumber(string.match(entry[1], '^(%d+)'))
  end
end
if redis.call('EXISTS', KEYS[1]) == 1 then
  -- Not that of the last line: the operator may have taken that one away.
  local about = redis.call('XINFO', 'STREAM', KEYS[1])
  for at = 1, #about, 2 do
    if about[at] == 'last-generated-id' then
      last = tonumber(string.match(about[at + 1], '^(%d+)'))
    end
  end
end
local number = last + 1
redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[4], number .. '-0', 'by', ARGV[7], 'line', ARGV[8])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
local notice = 'say ' .. ARGV[5] .. ' ' .. ARGV[6] .. ' ' .. number .. ' ' .. ARGV[8]
for _, other in ipairs(others) do
  if other ~= ARGV[1] then
    redis.call('PUBLISH', ARGV[2] .. other, notice)
  end
end
return number
