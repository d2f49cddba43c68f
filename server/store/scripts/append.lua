#!lua
-- Appends events to a match's log if its last version is the given base, with all that goes with them.
-- Everything that can be refused is checked before the first write: Redis does not roll back.
--
-- KEYS  1 log  2 hubs that follow  3 count of the group  4 aim of the player (any keys if there is no condition on
--       them)  5 epoch  6.. one for each operation
-- ARGV  1 base  2 lifetime in ms  3 this hub  4 channel prefix  5 notice  6 expected count or ''  7 expected aim or ''
--       8 expected epoch or ''  9 number of events, the events, and for each operation: how many words, the words
--       (command without key; for LOBBY the match, its row and the channel; for HOST the seat; for ADDED the match
--       and how many members are too many)
-- Returns 1 when stored, 0 when the log is at another version, -1 when the count or the aim differs, -2 when the data was
--         loaded anew since the version was read: it may be that of another event by now; -3 when ADDED found too many; or,
--         when there is a receipt for a ref, that, and nothing is done.

--include remember

local function demand(key, kind)
  local found = redis.call('TYPE', key).ok
  if found == 'none' or found == kind then
    return nil
  end
  if kind == 'number' and found == 'string' then
    local value = redis.call('GET', key)
    if string.match(value, '^%d+$') and #value <= 16 then
      return nil
    end
  end
  return redis.error_reply('WRONGTYPE ' .. key .. ' is a ' .. found)
end

local function checks()
  local types = {HSET = 'hash', HDEL = 'hash', ZADD = 'zset', ZREM = 'zset', SADD = 'set', SREM = 'set',
                 INCR = 'string', ENLIST = 'zset', LOBBY = 'hash', REF = 'hash', HOST = 'hash', SET = 'string',
                 END = 'zset', ADDED = 'set'}
  local numbers = {LOBBY = ':change', ENLIST = ':count'}
  return function(key, command)
    return demand(key, types[command]) or numbers[command] and demand(key .. numbers[command], 'number') or nil
  end
end

local base, lifetime, hub = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local count = tonumber(ARGV[9])

if ARGV[6] ~= '' and (redis.call('GET', KEYS[3]) or '0') ~= ARGV[6] then
  return -1
end
if ARGV[7] ~= '' and redis.call('GET', KEYS[4]) ~= ARGV[7] then
  return -1
end
if ARGV[8] ~= '' and redis.pcall('HGET', KEYS[5], 'epoch') ~= ARGV[8] then
  return -2
end
-- Entries are 1-0, 2-0 ... and none is ever taken away, so their number is the version; and XADD takes no id again.
if redis.call('XLEN', KEYS[1]) ~= base then
  return 0
end
local followers = redis.pcall('SMEMBERS', KEYS[2])
if followers.err then
  return followers
end

-- Most moves change nothing but the log.
local operations, check, at, full = {}, #KEYS > 5 and checks(), 10 + count, false
for key = 6, #KEYS do
  local words = {}
  for word = 1, tonumber(ARGV[at]) do
    words[word] = ARGV[at + word]
  end
  at = at + #words + 1
  local wrong = check(KEYS[key], words[1])
  if wrong then
    return wrong
  end
  local receipt = words[1] == 'REF' and remembered(KEYS[key], words[2])
  if receipt then
    return receipt
  end
  if words[1] == 'ADDED' and #redis.call('SMEMBERS', KEYS[key]) >= tonumber(words[3]) then
    full = true
  end
  operations[#operations + 1] = {KEYS[key], words}
end
if full then
  return -3
end

for event = 1, count do
  redis.call('XADD', KEYS[1], (base + event) .. '-0', 'e', ARGV[9 + event])
end
-- Exact to a hundredth: to set it at each move would be two fifths of what a move writes to the disk.
local left = redis.call('PTTL', KEYS[1])
if left < lifetime * 0.99 or left > lifetime then
  redis.call('PEXPIRE', KEYS[1], lifetime)
end
for _, operation in ipairs(operations) do
  local key, words = operation[1], operation[2]
  if words[1] == 'LOBBY' then
    if words[3] == '' then
      redis.call('HDEL', key, words[2])
    else
      redis.call('HSET', key, words[2], words[3])
    end
    local change = redis.call('INCR', key .. ':change')
    redis.call('PUBLISH', words[4], change .. ' ' .. words[2] .. ' ' .. words[3])
  elseif words[1] == 'REF' then
    if words[3] ~= '' then
      remember(key, words[2], words[3], tonumber(words[4]), words[5])
    end
  elseif words[1] == 'HOST' then
    -- From the first moment on this hub follows, and no other one takes the host for absent.
    redis.call('SADD', KEYS[2], hub)
    redis.call('PEXPIRE', KEYS[2], lifetime)
    redis.call('HSET', key, hub .. '|' .. words[2], 1)
    redis.call('PEXPIRE', key, lifetime)
  elseif words[1] == 'END' then
    redis.call('ZADD', key, words[2], words[3])
    redis.call('ZREMRANGEBYRANK', key, 0, -1 - words[4])
    redis.call('PEXPIRE', key, words[5])
  elseif words[1] == 'ADDED' then
    redis.call('SADD', key, words[2])
  elseif words[1] == 'ENLIST' then
    redis.call('ZADD', key, redis.call('INCR', key .. ':count'), words[2])
  else
    redis.call(words[1], key, unpack(words, 2))
  end
end

if count == 0 then
  return 1
end
for _, other in ipairs(followers) do
  if other ~= hub and redis.call('PUBLISH', ARGV[4] .. other, ARGV[5]) == 0 then
    redis.call('SREM', KEYS[2], other)
  end
end
return 1
