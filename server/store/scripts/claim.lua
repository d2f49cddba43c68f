#!lua
-- Whether this hub may do what one version of a match calls for: the first hub that asks may, for a while that begins
-- anew whenever it asks again.
--
-- KEYS  1 the claim
-- ARGV  1 hub  2 version  3 how long, in ms
-- Returns 1 when it may, 0 while another hub does it, or does what a later version calls for.

local held = redis.call('GET', KEYS[1])
if held then
  local version, hub = string.match(held, '^(%d+) (.*)$')
  if version and (tonumber(version) > tonumber(ARGV[2]) or (version == ARGV[2] and hub ~= ARGV[1])) then
    return 0
  end
end
redis.call('SET', KEYS[1], ARGV[2] .. ' ' .. ARGV[1], 'PX', ARGV[3])
return 1
