import { Engine } from "@trunkline/engine"
import type { UsageLine } from "@trunkline/rate-limits"
import { Clock, DateTime, Effect } from "effect"
import { WorkspaceCaller } from "../../api/Admission.js"
import { routeHandlers } from "../../RouteHandlers.js"

const dayMillis = 86_400_000

/** Days of usage that are answered where none are asked for. */
const shownDays = 30

const dayOf = (at: number) => DateTime.formatIsoDateUtc(DateTime.unsafeMake(at))

/** The lines of all keys of a day and a family as one. */
const byDayAndFamily = (lines: ReadonlyArray<UsageLine>) => {
  const totals = new Map<string, Omit<UsageLine, "account_id" | "key_id">>()
  for (const { api, charged, cost, day, requests, units } of lines) {
    const name = `${day} ${api}`
    const total = totals.get(name) ?? { api, day, charged: 0, cost: 0, requests: 0, units: {} }
    const sums = Object.entries(units).map(([unit, count]) => [unit, (total.units[unit] ?? 0) + count])
    totals.set(name, {
      api,
      day,
      charged: total.charged + charged,
      cost: total.cost + cost,
      requests: total.requests + requests,
      units: { ...total.units, ...Object.fromEntries(sums) }
    })
  }
  return Array.from(totals.values())
}

/** Handler of the account of a key. */
export const accountHandlers = routeHandlers(
  "account",
  (handlers) =>
    Effect.map(
      Engine,
      ({ credits, limits }) =>
        handlers.handle("account.get", ({ urlParams }) =>
          Effect.gen(function*() {
            const { caller, scope } = yield* WorkspaceCaller
            const now = yield* Clock.currentTimeMillis
            // Days are those of the time zone of the credits, which may be a day ahead.
            const { to = dayOf(now + dayMillis) } = urlParams
            const { from = dayOf(Date.parse(to) - shownDays * dayMillis) } = urlParams
            const { account_id, features, key_id, label, models, plan, workspaces } = caller
            return {
              account_id,
              plan,
              key: { key_id, label, workspaces, features, models, budget: yield* credits.budget(caller) },
              credits: yield* credits.balance(account_id),
              limits: yield* limits.levels({ ...caller, scope }),
              usage: byDayAndFamily(yield* credits.usage({ account_id, from, to }))
            }
          }))
    )
)
