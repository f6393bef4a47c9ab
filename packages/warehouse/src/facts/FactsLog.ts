import { type AttemptId, MemoryTable, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { Fact } from "./Fact.js"

/** One entry of the log. */
export interface LoggedFact {
  /** Its place in the log; later writes have greater ones, in the order in which they were committed. */
  readonly seq: number
  readonly attempt_id: AttemptId
  /** Null once the fact was erased: the entry only tells whoever copied it. */
  readonly fact: Fact | null
}

/** What an erased fact was about. */
export type ErasedFact = Pick<Fact, "attempt_id" | "interaction_id">

/**
 * The log that warehouses are filled from: one entry for each ended attempt, its newest image. Reporting an attempt
 * again moves its entry to the end, so whoever has read to a place need only read on; from 0 it gives everything anew.
 */
export class FactsLog extends Context.Tag("@trunkline/warehouse/FactsLog")<FactsLog, {
  /** Writes an attempt's entry at the end, in place of its earlier one. Joins the running transaction. */
  readonly append: (scope: Scope, fact: Fact) => Effect.Effect<void>
  /** The newest image of an attempt's fact; none of an erased one. */
  readonly find: (scope: Scope, attempt_id: AttemptId) => Effect.Effect<Option.Option<Fact>>
  /**
   * Erases all that was written of a person, and leaves entries at the end that say so. Gives what they were
   * about. Joins the running transaction.
   */
  readonly erase: (scope: Scope, user_identifier: string) => Effect.Effect<ReadonlyArray<ErasedFact>>
  /** The entries of a workspace after a place, in their order. */
  readonly read: (
    scope: Scope,
    from: { readonly after: number; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<LoggedFact>>
  /** The place of a workspace's last entry; 0 without any. */
  readonly end: (scope: Scope) => Effect.Effect<number>
  /** Every workspace that has entries. */
  readonly workspaces: Effect.Effect<ReadonlyArray<Scope>>
}>() {
  /** Keeps the log in memory. */
  static readonly layerMemory = Layer.sync(FactsLog, () => {
    const rows = MemoryTable.make<AttemptId, LoggedFact & { readonly scope: Scope }>()
    let last = 0
    const of = (scope: Scope) => Array.from(rows.values()).filter((row) => scopeKey(row.scope) === scopeKey(scope))
    return FactsLog.of({
      append: (scope, fact) =>
        Effect.suspend(() => rows.set(fact.attempt_id, { scope, seq: ++last, attempt_id: fact.attempt_id, fact })),
      find: (scope, attempt_id) =>
        Effect.sync(() =>
          Option.fromNullable(rows.get(attempt_id)).pipe(
            Option.filter((row) => scopeKey(row.scope) === scopeKey(scope)),
            Option.flatMapNullable(({ fact }) => fact)
          )
        ),
      erase: (scope, user_identifier) =>
        Effect.suspend(() => {
          const theirs = of(scope).filter(({ fact }) => fact?.user_identifier === user_identifier)
          return Effect.as(
            Effect.forEach(theirs, (row) => rows.set(row.attempt_id, { ...row, seq: ++last, fact: null }), {
              discard: true
            }),
            theirs.map(({ attempt_id, fact }) => ({ attempt_id, interaction_id: fact?.interaction_id ?? null }))
          )
        }),
      read: (scope, { after, limit }) =>
        Effect.sync(() =>
          of(scope)
            .filter(({ seq }) => seq > after)
            .sort((a, b) => a.seq - b.seq)
            .slice(0, limit)
            .map(({ attempt_id, fact, seq }) => ({ seq, attempt_id, fact }))
        ),
      end: (scope) => Effect.sync(() => of(scope).reduce((end, { seq }) => Math.max(end, seq), 0)),
      workspaces: Effect.sync(
        () => [...new Map(Array.from(rows.values(), ({ scope }) => [scopeKey(scope), scope])).values()]
      )
    })
  })
}
