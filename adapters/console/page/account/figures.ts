import type { AccountDetail } from "../api/types.js"

const microCreditsPerCredit = 1_000_000

const credits = new Intl.NumberFormat(undefined, { maximumFractionDigits: 4 })

/** Micro-credits as credits. */
export const creditText = (microCredits: number): string => credits.format(microCredits / microCreditsPerCredit)

/** A code of the interface as words: `voice_cloning` is "Voice cloning". */
export const familyText = (api: string): string => {
  const text = api.replaceAll("_", " ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Use of one family over all days that are shown. */
export interface FamilyUse {
  readonly api: string
  readonly requests: number
  readonly units: Readonly<Record<string, number>>
  readonly cost: number
  readonly charged: number
}

/** Use by family, the dearest first. */
export const byFamily = (usage: AccountDetail["usage"]): ReadonlyArray<FamilyUse> => {
  const families = new Map<string, FamilyUse>()
  for (const { api, charged, cost, requests, units } of usage) {
    const before = families.get(api) ?? { api, charged: 0, cost: 0, requests: 0, units: {} }
    const sums = Object.entries(units).map(([unit, count]) => [unit, (before.units[unit] ?? 0) + count])
    families.set(api, {
      api,
      charged: before.charged + charged,
      cost: before.cost + cost,
      requests: before.requests + requests,
      units: { ...before.units, ...Object.fromEntries(sums) }
    })
  }
  return [...families.values()].sort((a, b) => b.cost - a.cost || b.requests - a.requests)
}

const dayMillis = 86_400_000

/** Each day of the last month with its use, oldest first: also days without any. */
export const byDay = (usage: AccountDetail["usage"], now: number) =>
  Array.from({ length: 30 }, (_, index) => {
    const day = new Date(now - (29 - index) * dayMillis).toISOString().slice(0, 10)
    const lines = usage.filter((line) => line.day === day)
    return {
      day,
      requests: lines.reduce((sum, line) => sum + line.requests, 0),
      cost: lines.reduce((sum, line) => sum + line.cost, 0)
    }
  })
