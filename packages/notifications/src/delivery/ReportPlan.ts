import { type Scope, scopeKey } from "@trunkline/kernel"
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
  const runningOf = (key: string) => running.filter(({ scope }) => scopeKey(scope) === key).length
  const full = [...scopes].filter(([key]) => runningOf(key) >= MAX_REPORTS_PER_WORKSPACE)
  const busiest = Math.max(0, ...[...scopes.keys()].map(runningOf).filter((count) => count < MAX_REPORTS_PER_WORKSPACE))
  return {
    limit: Math.max(0, Math.min(total - running.length, MAX_REPORTS_PER_WORKSPACE - busiest)),
    exceptScopes: full.map(([, scope]) => scope)
  }
}
