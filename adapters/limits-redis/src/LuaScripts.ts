import type { Bucket } from "@trunkline/rate-limits"
import { createHash } from "node:crypto"

/** A Redis script and its SHA-1. It returns an array of whole numbers. */
export interface LuaScript {
  readonly text: string
  readonly sha: string
}

/** Input of a script. */
export interface ScriptInput {
  readonly keys: Array<string>
  readonly arguments: Array<string>
}

/** Makes a script from its text. */
export const luaScript = (text: string): LuaScript => ({
  text,
  sha: createHash("sha1").update(text).digest("hex")
})

/**
 * Defines `now`, the server's time in microseconds since 1970, and `digits`, which formats a number in full: older versions
 * of Redis keep only 14 digits by default, and the time has 16.
 */
const serverTime = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function digits(number) return string.format('%.0f', number) end
`

/**
 * Takes as many units as every bucket has, at most `want`; none when that is less than `need`. A key stores the time at
 * which its bucket is full (GCRA) and expires a second after it.
 */
export const takeScript = luaScript(`${serverTime}
local need, want = tonumber(ARGV[1]), tonumber(ARGV[2])
local granted, retryAfter = want, 0
local buckets = {}
for i, key in ipairs(KEYS) do
  local interval, burst = tonumber(ARGV[2 * i + 1]), tonumber(ARGV[2 * i + 2])
  local stored = tonumber(redis.call('GET', key) or now)
  local full = math.min(math.max(stored, now), now + interval * burst)
  granted = math.min(granted, burst - math.ceil((full - now) / interval))
  retryAfter = math.max(retryAfter, full - now + interval * (need - burst))
  buckets[i] = {stored = stored, full = full, interval = interval, burst = burst}
end
if granted < need then granted = 0 end

local remaining, resetAfter = math.huge, 0
for i, key in ipairs(KEYS) do
  local bucket = buckets[i]
  local filling = bucket.full - now + granted * bucket.interval
  if filling > 0 and now + filling ~= bucket.stored then
    redis.call('SET', key, digits(now + filling), 'PX', digits(math.ceil(filling / 1000) + 1000))
  end
  remaining = math.min(remaining, bucket.burst - math.ceil(filling / bucket.interval))
  resetAfter = math.max(resetAfter, filling)
end
return {now, granted, remaining, retryAfter, resetAfter}
`)

/** Result of `takeScript`. Times are whole microseconds. */
export interface LeaseGrant {
  /** Time of the decision by the clock of Redis, since 1970. */
  readonly at: number
  readonly granted: number
  /** Remaining units of the emptiest bucket. */
  readonly remaining: number
  /** Time until `need` units would be granted; 0 when they were. */
  readonly retryAfter: number
  /** Time until every bucket is full. */
  readonly resetAfter: number
}

/** Encodes the input of `takeScript`. */
export const takeInput = (
  request: {
    readonly keys: ReadonlyArray<string>
    readonly buckets: ReadonlyArray<Bucket>
    readonly need: number
    readonly want: number
  }
): ScriptInput => ({
  keys: [...request.keys],
  arguments: [request.need, request.want, ...request.buckets.flatMap(({ burst, interval }) => [interval, burst])].map(
    String
  )
})

/** Decodes the result of `takeScript`. */
export const grantOf = (reply: ReadonlyArray<number>): LeaseGrant => {
  const [at = 0, granted = 0, remaining = 0, retryAfter = 0, resetAfter = 0] = reply
  return { at, granted, remaining, retryAfter, resetAfter }
}

/**
 * Takes or renews the holder's slot; returns 1, or 0 when none is free. The slots of an owner are a set sorted by expiry,
 * which expires a second after its last slot.
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

/** Releases the holder's slot. */
export const releaseScript = luaScript(`return {redis.call('ZREM', KEYS[1], ARGV[1])}`)

/** Counts the unexpired slots. */
export const heldScript = luaScript(`${serverTime}
return {redis.call('ZCOUNT', KEYS[1], '(' .. digits(now), '+inf')}
`)
