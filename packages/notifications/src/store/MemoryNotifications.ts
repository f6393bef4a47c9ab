import { type LeaseClaim, MemoryTable, type Scope, scopeKey } from "@trunkline/kernel"
import { DateTime, Effect, Option } from "effect"
import type { Report } from "../reports/Report.js"
import { type Channel, NotificationRule, type RuleId } from "../rules/NotificationRule.js"
import type { Delivery, DeliveryId } from "./Delivery.js"
import type { ExcludedScopes, ListPage, NotificationRun, OwnedRule, RunId } from "./NotificationRun.js"

type StoredRun = NotificationRun & { readonly report: Report | null }

const compare = <A extends number | string>(a: A, b: A): number => a < b ? -1 : a > b ? 1 : 0

const dueOf = ({ rule }: OwnedRule): number => rule.next_run_at?.epochMillis ?? Number.POSITIVE_INFINITY

const claimableAt = ({ due_at, leased_until }: Delivery): number => Math.max(due_at, leased_until)

const pageOf = <A>(rows: ReadonlyArray<A>, { limit, offset }: ListPage) => ({
  items: rows.slice(offset, offset + limit),
  total: rows.length
})

const earliest = (times: ReadonlyArray<number>): Option.Option<number> =>
  times.length === 0 ? Option.none() : Option.some(times.reduce((a, b) => Math.min(a, b)))

/** Rules part of the store. */
const memoryRules = (deleteRuns: (of: (run: NotificationRun) => boolean) => Effect.Effect<void>) => {
  const rules = MemoryTable.make<RuleId, OwnedRule>()
  const within = (scope: Scope) => (row: OwnedRule) => scopeKey(row.scope) === scopeKey(scope)
  const get = (scope: Scope, id: RuleId) => Option.filter(Option.fromNullable(rules.get(id)), within(scope))
  const ofBoard = (scope: Scope, board_id: string) =>
    [...rules.values()].filter(within(scope)).map(({ rule }) => rule).filter((rule) => rule.board_id === board_id)
  const remove = (rule_id: RuleId) =>
    Effect.zipRight(rules.delete(rule_id), deleteRuns((run) => run.rule_id === rule_id))
  const enabledRules = () => [...rules.values()].filter((row) => Number.isFinite(dueOf(row)))
  return {
    putRule: (scope: Scope, rule: NotificationRule) => rules.set(rule.rule_id, { scope, rule }),
    findRule: (scope: Scope, id: RuleId) => Effect.sync(() => Option.map(get(scope, id), ({ rule }) => rule)),
    listRules: (scope: Scope, board_id: string, page: ListPage) =>
      Effect.sync(() =>
        pageOf(
          ofBoard(scope, board_id).sort((a, b) =>
            b.created_at.epochMillis - a.created_at.epochMillis || compare(a.rule_id, b.rule_id)
          ),
          page
        )
      ),
    removeRule: (scope: Scope, id: RuleId) =>
      Effect.suspend(() => Option.isSome(get(scope, id)) ? Effect.as(remove(id), true) : Effect.succeed(false)),
    removeRulesOf: (scope: Scope, board_id: string, widget_ids: ReadonlyArray<string>) =>
      Effect.suspend(() => {
        const matching = ofBoard(scope, board_id).filter(({ widget_id }) => widget_ids.includes(widget_id))
        return Effect.forEach(matching, ({ rule_id }) => remove(rule_id), { discard: true })
      }),
    nextRunAt: Effect.sync(() => earliest(enabledRules().map(dueOf))),
    dueRules: ({ limit, now }: { readonly now: number; readonly limit: number }) =>
      Effect.sync(() =>
        enabledRules().filter((row) => dueOf(row) <= now)
          .sort((a, b) => dueOf(a) - dueOf(b) || compare(a.rule.rule_id, b.rule.rule_id))
          .slice(0, limit)
      ),
    advance: (id: RuleId, { from, to }: { readonly from: number; readonly to: number | null }) =>
      Effect.suspend(() => {
        const row = rules.get(id)
        if (row === undefined || dueOf(row) !== from) return Effect.succeed(false)
        const next_run_at = to === null ? null : DateTime.unsafeMake(to)
        return Effect.as(rules.set(id, { ...row, rule: new NotificationRule({ ...row.rule, next_run_at }) }), true)
      })
  }
}

/** Implementation of `NotificationStore` in memory. */
export const makeMemoryNotifications = () => {
  const runs = MemoryTable.make<RunId, StoredRun>()
  const deliveries = MemoryTable.make<DeliveryId, Delivery>()

  const deleteRuns = (of: (run: NotificationRun) => boolean) =>
    Effect.suspend(() => {
      const ids = [...runs.values()].filter(of).map(({ run_id }) => run_id)
      const runDeliveries = [...deliveries.values()].filter(({ run_id }) => ids.includes(run_id))
      return Effect.zipRight(
        Effect.forEach(ids, (id) => runs.delete(id), { discard: true }),
        Effect.forEach(runDeliveries, ({ delivery_id }) => deliveries.delete(delivery_id), { discard: true })
      )
    })
  const pendingRuns = (except: ReadonlyArray<Scope>) => {
    const exceptKeys = new Set(except.map(scopeKey))
    return [...runs.values()].filter(({ scope, state }) => state === "pending" && !exceptKeys.has(scopeKey(scope)))
  }
  /** The run, if it is pending and was not claimed again. */
  const claimedRun = ({ claims, run_id }: Pick<NotificationRun, "run_id" | "claims">) =>
    Option.filter(Option.fromNullable(runs.get(run_id)), (run) => run.state === "pending" && run.claims === claims)
  const pendingOf = (channel: Delivery["channel"]) =>
    [...deliveries.values()].filter((row) => row.state === "pending" && row.channel === channel)

  return {
    ...memoryRules(deleteRuns),
    insertRun: (run: NotificationRun) =>
      Effect.suspend(() =>
        [...runs.values()].some((row) => row.rule_id === run.rule_id && row.scheduled_for === run.scheduled_for)
          ? Effect.succeed(false)
          : Effect.as(runs.set(run.run_id, { ...run, report: null }), true)
      ),
    claimRuns: ({ exceptScopes, leaseMillis, limit, now }: LeaseClaim & ExcludedScopes) =>
      Effect.suspend(() => {
        const due = pendingRuns(exceptScopes).filter((run) => run.leased_until <= now)
          .sort((a, b) => a.scheduled_for - b.scheduled_for || compare(a.run_id, b.run_id))
          .slice(0, limit)
        return Effect.forEach(due, ({ report, ...run }) => {
          const first_claimed_at = run.first_claimed_at ?? now
          const leasedRun = { ...run, claims: run.claims + 1, first_claimed_at, leased_until: now + leaseMillis }
          return Effect.as(runs.set(run.run_id, { ...leasedRun, report }), leasedRun)
        })
      }),
    nextRunClaim: ({ exceptScopes }: ExcludedScopes) =>
      Effect.sync(() => earliest(pendingRuns(exceptScopes).map((run) => run.leased_until))),
    releaseRun: (claim: Pick<NotificationRun, "run_id" | "claims">, at: number) =>
      Effect.suspend(() =>
        Option.match(claimedRun(claim), {
          onNone: () => Effect.succeed(false),
          onSome: (run) =>
            Effect.as(runs.set(run.run_id, { ...run, releases: run.releases + 1, leased_until: at }), true)
        })
      ),
    settleRun: (claim: Pick<NotificationRun, "run_id" | "claims" | "state">, report: Report | null) =>
      Effect.suspend(() =>
        Option.match(claimedRun(claim), {
          onNone: () => Effect.succeed(false),
          onSome: (run) =>
            Effect.as(runs.set(run.run_id, { ...run, state: claim.state, leased_until: 0, report }), true)
        })
      ),
    findReport: (id: RunId) => Effect.sync(() => Option.fromNullable(runs.get(id)?.report)),
    closeRun: (id: RunId) =>
      Effect.suspend(() => {
        const run = runs.get(id)
        const isOpen = [...deliveries.values()].some(({ run_id, state }) => run_id === id && state === "pending")
        return run?.state !== "sending" || isOpen
          ? Effect.void
          : runs.set(id, { ...run, state: "done", report: null })
      }),
    keepRuns: (id: RuleId, count: number) =>
      Effect.suspend(() => {
        const old = [...runs.values()].filter(({ rule_id }) => rule_id === id)
          .sort((a, b) => b.scheduled_for - a.scheduled_for)
          .slice(count)
          .map(({ run_id }) => run_id)
        return deleteRuns(({ run_id }) => old.includes(run_id))
      }),
    insertDeliveries: (rows: ReadonlyArray<Delivery>) =>
      Effect.forEach(rows, (row) => {
        const isThere = [...deliveries.values()].some(({ channel, run_id }) =>
          run_id === row.run_id && channel === row.channel
        )
        return isThere ? Effect.void : deliveries.set(row.delivery_id, row)
      }, { discard: true }),
    claimDeliveries: (channel: Channel, { leaseMillis, limit, now }: LeaseClaim) =>
      Effect.suspend(() => {
        const due = pendingOf(channel).filter((row) => claimableAt(row) <= now)
          .sort((a, b) => claimableAt(a) - claimableAt(b) || compare(a.delivery_id, b.delivery_id))
          .slice(0, limit)
        return Effect.forEach(due, (row) => {
          const leasedDelivery = { ...row, tries: row.tries + 1, started_at: now, leased_until: now + leaseMillis }
          return Effect.as(deliveries.set(row.delivery_id, leasedDelivery), leasedDelivery)
        })
      }),
    nextDelivery: (channel: Channel) => Effect.sync(() => earliest(pendingOf(channel).map(claimableAt))),
    saveDelivery: (delivery: Delivery) =>
      Effect.suspend(() => {
        const storedDelivery = deliveries.get(delivery.delivery_id)
        return storedDelivery?.state === "pending" && storedDelivery.tries === delivery.tries
          ? Effect.as(deliveries.set(delivery.delivery_id, delivery), true)
          : Effect.succeed(false)
      }),
    listDeliveries: (scope: Scope, rule_id: RuleId, page: ListPage) =>
      Effect.sync(() =>
        pageOf(
          [...deliveries.values()]
            .filter((row) => row.rule_id === rule_id && scopeKey(row.scope) === scopeKey(scope))
            .sort((a, b) => b.scheduled_for - a.scheduled_for || compare(a.channel, b.channel)),
          page
        )
      )
  }
}
