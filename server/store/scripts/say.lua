#!lua
-- Adds a line to a channel of a match, once for its ref, and tells the other hubs that follow the match.
--
-- KEYS  1 the channel's lines  2 hubs that follow  3 the speaker's receipts with the match
-- ARGV  1 this hub  2 channel prefix  3 lifetime in ms  4 lines that are kept  5 match  6 channel  7 ref  8 the line
--       9 the version to accept with  10 receipts that are kept  11 their lifetime in ms
-- Returns the line's number and ''; numbers are consecutive. For a ref with a receipt: 0 and that receipt, which has the
-- number in the place of a key.

--include remember

local others = redis.call('SMEMBERS', KEYS[2])  -- fails, if it does, before anything is written
local before = remembered(KEYS[3], ARGV[7])
if before then
  return {0, before}
end
local last = 0
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
redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[4], number .. '-0', 'line', ARGV[8])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
remember(KEYS[3], ARGV[7], string.format('%s %s %d', ARGV[5], ARGV[9], number), tonumber(ARGV[10]), ARGV[11])
local notice = 'say ' .. ARGV[5] .. ' ' .. ARGV[6] .. ' ' .. number .. ' ' .. ARGV[8]
for _, other in ipairs(others) do
  if other ~= ARGV[1] then
    redis.call('PUBLISH', ARGV[2] .. other, notice)
  end
end
return {number, ''}
