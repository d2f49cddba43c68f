#!lua
-- Tells the epoch of what this Redis holds.
--
-- KEYS  1 the epoch, and the run of Redis that it belongs to
-- ARGV  1 the epoch that begins if this run has none yet
-- Returns the epoch.

--include this_epoch

return this_epoch(KEYS[1], ARGV[1])
