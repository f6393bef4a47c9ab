import { TokenBucket } from "@trunkline/kernel"
import { LRUCache } from "lru-cache"

/** Limits how often each address may do something. Plain synchronous state, with the time as an argument. */
export interface SourceLimit {
  /** Notes one more, and says how far it is within the limit: `flood` is beyond all reason. */
  readonly note: (source: string, perSecond: number, now: number) => "within" | "beyond" | "flood"
}

/** Addresses that are remembered; the one that was quiet the longest is forgotten for a new one. */
const maxSources = 10_000

/** Seconds for which a source may have saved what it did not use. */
const burstSeconds = 2

/** Seconds by which a source may exceed its limit before it counts as a flood. */
const floodSeconds = 10

/** Makes a limit of token buckets, one for each source. */
export const makeSourceLimit = (): SourceLimit => {
  const buckets = new LRUCache<string, TokenBucket>({ max: maxSources })
  return {
    note: (source, perSecond, now) => {
      const max = Math.max(1, perSecond * burstSeconds)
      const bucket = buckets.get(source) ?? new TokenBucket(max, now)
      buckets.set(source, bucket)
      const level = bucket.fill({ max, perSecond }, now)
      bucket.tokens = Math.max(level - 1, -Math.max(1, perSecond * floodSeconds))
      if (level >= 1) return "within"
      return bucket.tokens <= -Math.max(1, perSecond * floodSeconds) ? "flood" : "beyond"
    }
  }
}
