import { Array } from "effect"
import type { Bucket } from "./BucketStore.js"
import { intervalOf } from "./Gcra.js"
import type { Allowance, PlanLimits, Sharing } from "./PlanTable.js"
import type { Limited } from "./RateLimits.js"

/** A family of requests, ready to be counted. */
export interface RequestFamily {
  /** The most that one request may cost: the smallest burst. */
  readonly largestCost: number
  /** The buckets that a request takes from. */
  readonly bucketsOf: (who: Limited) => readonly [Bucket, ...ReadonlyArray<Bucket>]
}

/** A family of connections, ready to be counted. */
export interface ConnectionFamily {
  readonly ceiling: number
  /** The bucket of how fast connections are opened. */
  readonly speedOf: (who: Limited) => Bucket
}

/** Who shares an allowance, where it can be told. Account and key ids are apart because the bucket's name is. */
const owners: { readonly [S in Sharing]: (who: Limited) => string | undefined } = {
  account: ({ account_id }) => account_id,
  organisation: ({ scope }) => scope?.org_id,
  key: ({ key_id, scope }) =>
    key_id === undefined || scope === undefined ? undefined : `${key_id}/${scope.org_id}/${scope.workspace_id}`
}

const burstOf = ({ burst, perMinute }: Allowance): number => burst ?? perMinute

const bucketOf = (api: string, allowance: Allowance) => {
  const { bucket = api, per = "account", perMinute } = allowance
  const [interval, burst] = [intervalOf(perMinute), burstOf(allowance)]
  const [name, accountName] = [`${per}/${bucket}`, `account/${bucket}`]
  const ownerOf = owners[per]
  return (who: Limited): Bucket => {
    const owner = ownerOf(who)
    return owner === undefined
      ? { owner: who.account_id, name: accountName, interval, burst }
      : { owner, name, interval, burst }
  }
}

/** The families of requests of a plan, by name. */
export const requestFamilies = ({ requests }: PlanLimits): ReadonlyMap<string, RequestFamily> =>
  new Map(
    Object.entries(requests).map(([api, allowances]) => {
      const [first, ...others] = Array.map(allowances, (allowance) => bucketOf(api, allowance))
      return [api, {
        largestCost: Math.min(...allowances.map(burstOf)),
        bucketsOf: others.length === 0
          ? (who) => [first(who)]
          : (who) => [first(who), ...others.map((other) => other(who))]
      }]
    })
  )

/** The families of connections of a plan, by name. */
export const connectionFamilies = ({ connections }: PlanLimits): ReadonlyMap<string, ConnectionFamily> =>
  new Map(
    Object.entries(connections).map(([api, ceiling]) => {
      const interval = Math.ceil(10_000_000 / ceiling)
      const burst = Math.max(5, Math.floor(ceiling / 4))
      const name = `connecting/${api}`
      return [api, { ceiling, speedOf: ({ account_id }) => ({ owner: account_id, name, interval, burst }) }]
    })
  )
