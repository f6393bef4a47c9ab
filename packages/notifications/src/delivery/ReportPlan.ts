import { type Scope, scopeKey } from "@trunkline/kernel"
import { nextClaim } from "@trunkline/webhooks"
import type { NotificationRun } from "../schedule/NotificationRun.js"

/**
 * How many runs of one workspace a process reports at a time, so that reports leave room in the warehouse for whoever looks
 * at a board, and in this process for other workspaces.
 */
export const MAX_REPORTS_PER_WORKSPACE = 1

/** What to claim next: at most so many runs, of any workspace but these. */
export interface ReportPlan {
  readonly limit: number
  readonly exceptScopes: ReadonlyArray<Scope>
}

/** What may be claimed while `running` are reported, of at most `total`; a workspace at its limit is passed over. */
export const nextReports = (running: ReadonlyArray<NotificationRun>, total: number): ReportPlan => {
  const scopes = new Map(running.map(({ scope }) => [scopeKey(scope), scope]))
  const inFlight = new Map<string, number>()
  for (const { scope } of running) inFlight.set(scopeKey(scope), (inFlight.get(scopeKey(scope)) ?? 0) + 1)
  const { exceptOrigins, limit } = nextClaim(inFlight, { total, perOrigin: MAX_REPORTS_PER_WORKSPACE })
  return { limit, exceptScopes: [...scopes].filter(([key]) => exceptOrigins.includes(key)).map(([, scope]) => scope) }
}
