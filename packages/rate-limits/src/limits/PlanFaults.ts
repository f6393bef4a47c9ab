import type { PlanLimits, PlanTable } from "./PlanTable.js"

/** The form of the name of a family of connections: with it the text of a refusal fits into a close frame. */
const connectionName = /^[\x20-\x7e]{1,60}$/

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1

const faultsOf = ({ connections, requests }: PlanLimits): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const figuresOf = new Map<string, string>()
  for (const [api, allowances] of Object.entries(requests)) {
    const seen = new Set<string>()
    for (const { bucket = api, burst, per = "account", perMinute } of allowances) {
      if (!isCount(perMinute) || !isCount(burst ?? 1)) {
        faults.push(`${api}: perMinute and burst are whole numbers from 1`)
      }
      if (seen.has(bucket)) faults.push(`${api}: two of its allowances have the bucket ${bucket}`)
      seen.add(bucket)
      const [shared, figures] = [`${per}/${bucket}`, `${perMinute} ${burst ?? perMinute}`]
      if ((figuresOf.get(shared) ?? figures) !== figures) {
        faults.push(`${api}: the bucket ${bucket} has other figures in another family`)
      }
      figuresOf.set(shared, figures)
    }
  }
  for (const [api, ceiling] of Object.entries(connections)) {
    if (!isCount(ceiling)) faults.push(`${api}: a ceiling of connections is a whole number from 1`)
    if (!connectionName.test(api)) faults.push(`${api}: a name of connections has 1 to 60 characters of ASCII`)
  }
  return faults
}

/** Why a plan table cannot be used; nothing when it can. */
export const planFaults = (plans: PlanTable): ReadonlyArray<string> =>
  Object.entries(plans).flatMap(([plan, limits]) => faultsOf(limits).map((fault) => `${plan}: ${fault}`))
