import type { Bucket } from "@trunkline/rate-limits"
import { luaScript, type ScriptInput, serverTime } from "./LuaScript.js"

/**
 * Takes as many units as every bucket holds, at most `want`; none when that is less than `need`. A key holds the moment
 * at which its bucket is full again (GCRA), and goes a second after it.
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

/** What came of `takeScript`. Times are whole microseconds. */
export interface Grant {
  /** When it was decided, by the clock of Redis: since 1970. */
  readonly at: number
  readonly granted: number
  /** Units that the emptiest bucket still holds. */
  readonly remaining: number
  /** How long until `need` units would be granted; 0 when they were. */
  readonly retryAfter: number
  /** How long until every bucket is full again. */
  readonly resetAfter: number
}

/** What to give `takeScript`. */
export const takeInput = (
  asked: {
    readonly keys: ReadonlyArray<string>
    readonly buckets: ReadonlyArray<Bucket>
    readonly need: number
    readonly want: number
  }
): ScriptInput => ({
  keys: [...asked.keys],
  arguments: [asked.need, asked.want, ...asked.buckets.flatMap(({ burst, interval }) => [interval, burst])].map(String)
})

/** What `takeScript` answered. */
export const grantOf = (reply: ReadonlyArray<number>): Grant => {
  const [at = 0, granted = 0, remaining = 0, retryAfter = 0, resetAfter = 0] = reply
  return { at, granted, remaining, retryAfter, resetAfter }
}
