import { luaScript, serverTime } from "./LuaScript.js"

/**
 * Gives the holder a place, or its own for longer; answers 1, or 0 when there is none. The places of an owner are a set
 * sorted by when each comes free, which goes a second after its last place.
 */
export const holdScript = luaScript(`${serverTime}
local key, holder, limit, ttl = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', key, '-inf', digits(now))
if not redis.call('ZSCORE', key, holder) and redis.call('ZCARD', key) >= limit then
  return {0}
end
redis.call('ZADD', key, digits(now + ttl), holder)
local last = redis.call('ZRANGE', key, -1, -1, 'WITHSCORES')
redis.call('PEXPIREAT', key, digits(math.ceil(last[2] / 1000) + 1000))
return {1}
`)

/** Takes the holder's place away. */
export const releaseScript = luaScript(`return {redis.call('ZREM', KEYS[1], ARGV[1])}`)

/** Counts the places that have not come free. */
export const heldScript = luaScript(`${serverTime}
return {redis.call('ZCOUNT', KEYS[1], '(' .. digits(now), '+inf')}
`)
