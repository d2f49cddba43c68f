#!lua
-- A hub goes on holding names, each for its player.
--
-- KEYS  each name, and who bears it
-- ARGV  1 the field in a name that stands for this hub  2 for how long, in ms  3 for how long it is known who bears it
--       4... for each name the player, and the player with the name as it is written
-- Returns the places, from 1 on, of keys of names that hold something of another type.

local unfit = {}
for place = 1, #KEYS, 2 do
  local key = KEYS[place]
  local held = redis.pcall('HSET', key, 'player', ARGV[place + 3], ARGV[1], 1)
  if type(held) == 'table' then
    if not string.find(held.err, 'WRONGTYPE', 1, true) then
      return held
    end
    unfit[#unfit + 1] = place
  else
    redis.call('PEXPIRE', key, ARGV[2])
    redis.call('SET', KEYS[place + 1], ARGV[place + 4], 'PX', ARGV[3])
  end
end
return unfit
