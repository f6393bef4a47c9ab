import { makeCounter } from "@trunkline/kernel"
import { Array } from "effect"
import type { Plan } from "../accounts/AccountStore.js"
import type { Buckets } from "./BucketStore.js"
import { type Bucket, intervalOf } from "./Gcra.js"
import { type Allowance, type PlanLimits, planTable, type SharedBy } from "./PlanTable.js"

/** The subject of a limit: a `Caller`, or anything else with an account and a plan. */
export interface LimitSubject {
  readonly account_id: string
  readonly plan: Plan
  /** The key, for allowances per key; without it these count per account. */
  readonly key_id?: string
  /** The workspace, for allowances per organisation and key; without it these count per account. */
  readonly scope?: { readonly org_id: string; readonly workspace_id: string }
}

const decisions = makeCounter({
  name: "trunkline_limit_decisions_total",
  help: "Requests and connections that the limits of a plan admitted or refused",
  labels: {
    api: [...Object.keys(planTable.business.requests), ...Object.keys(planTable.business.connections)],
    decision: ["admitted", "refused"]
  }
})

/** Makes the counter of the decisions of a family. Families of custom plan tables count as `other`. */
const decisionCounter = (api: string) => {
  const [admit, refuse] = [
    decisions.adderOf({ api, decision: "admitted" }),
    decisions.adderOf({ api, decision: "refused" })
  ]
  return (isAdmitted: boolean): void => isAdmitted ? admit(1) : refuse(1)
}

interface Family {
  /** Counts a decision. */
  readonly count: (isAdmitted: boolean) => void
}

/** Request limits of one API, with its buckets prepared. */
export interface RequestFamily extends Family {
  /** Maximum cost of one request: the smallest burst. */
  readonly maxCost: number
  /** Buckets that a request takes from. */
  readonly bucketsOf: (subject: LimitSubject) => Buckets
}

/** Connection limits of one API. */
interface ConnectionFamily extends Family {
  readonly maxConnections: number
  /** Bucket that limits the rate of new connections. */
  readonly speedOf: (subject: LimitSubject) => Bucket
}

/** Owner of a bucket by sharing mode, if known. Account and key ids cannot collide because bucket names differ. */
const owners: { readonly [S in SharedBy]: (subject: LimitSubject) => string | undefined } = {
  account: ({ account_id }) => account_id,
  organisation: ({ scope }) => scope?.org_id,
  key: ({ key_id, scope }) =>
    key_id === undefined || scope === undefined ? undefined : `${key_id}/${scope.org_id}/${scope.workspace_id}`
}

/** Capacity of an allowance. */
export const burstOf = ({ burst, perMinute }: Allowance): number => burst ?? perMinute

/** Makes the bucket of an allowance for a subject. */
export const bucketOf = (api: string, allowance: Allowance) => {
  const { bucket = api, per = "account", perMinute } = allowance
  const [interval, burst] = [intervalOf(perMinute), burstOf(allowance)]
  const [name, accountName] = [`${per}/${bucket}`, `account/${bucket}`]
  const ownerOf = owners[per]
  return (subject: LimitSubject): Bucket => {
    const owner = ownerOf(subject)
    return owner === undefined
      ? { owner: subject.account_id, name: accountName, interval, burst }
      : { owner, name, interval, burst }
  }
}

/** Request families of a plan, by name. */
export const requestFamilies = ({ requests }: PlanLimits): ReadonlyMap<string, RequestFamily> =>
  new Map(
    Object.entries(requests).map(([api, allowances]) => {
      const [first, ...others] = Array.map(allowances, (allowance) => bucketOf(api, allowance))
      return [api, {
        count: decisionCounter(api),
        maxCost: Math.min(...allowances.map(burstOf)),
        bucketsOf: others.length === 0
          ? (subject) => [first(subject)]
          : (subject) => [first(subject), ...others.map((other) => other(subject))]
      }]
    })
  )

/** Connection families of a plan, by name. */
export const connectionFamilies = ({ connections }: PlanLimits): ReadonlyMap<string, ConnectionFamily> =>
  new Map(
    Object.entries(connections).map(([api, maxConnections]) => {
      const interval = Math.ceil(10_000_000 / maxConnections)
      const burst = Math.max(5, Math.floor(maxConnections / 4))
      const name = `connecting/${api}`
      const speedOf = ({ account_id }: LimitSubject) => ({ owner: account_id, name, interval, burst })
      return [api, { count: decisionCounter(api), maxConnections, speedOf }]
    })
  )
