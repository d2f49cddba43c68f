#!lua
-- A hub goes on holding names, each for its player.
--
-- KEYS  the names
-- ARGV  1 the field in a name that stands for this hub  2 for how long, in ms  3... the players, in the order of the names
-- Returns the places, from 1 on, of names whose key holds something of another type.

local unfit = {}
for place, key in ipairs(KEYS) do
  local held = redis.pcall('HSET', key, 'player', ARGV[place + 2], ARGV[1], 1)
  if type(held) == 'table' then
    if not string.find(held.err, 'WRONGTYPE', 1, true) then
      return held
    end
    unfit[#unfit + 1] = place
  else
    redis.call('PEXPIRE', key, ARGV[2])
  end
end
return unfit
