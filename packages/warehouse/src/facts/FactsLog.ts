import { type AttemptId, MemoryTable, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { Fact } from "./Fact.js"

/** An entry of the log. */
export interface LoggedFact {
  /** Position in the log; later commits have larger positions. */
  readonly seq: number
  readonly attempt_id: AttemptId
  /** Null after erasure; such an entry tells readers to delete their copy. */
  readonly fact: Fact | null
}

/** A fact with its workspace. */
export interface ScopedFact {
  readonly scope: Scope
  readonly fact: Fact
}

/** Identifies an erased fact. */
export type ErasedFact = Pick<Fact, "attempt_id" | "interaction_id">

/**
 * Compacted log that fills warehouses: one entry per finished attempt, with its latest fact. Appending a fact again
 * moves the attempt's entry to the end, so readers continue from their position; reading from 0 returns everything.
 */
export class FactsLog extends Context.Tag("@trunkline/warehouse/FactsLog")<FactsLog, {
  /** Writes the entries of attempts at the end, in order, replacing earlier ones. Joins the running transaction. */
  readonly appendMany: (facts: ReadonlyArray<ScopedFact>) => Effect.Effect<void>
  /** Latest fact of an attempt; none after erasure. */
  readonly find: (scope: Scope, attempt_id: AttemptId) => Effect.Effect<Option.Option<Fact>>
  /**
   * Erases all facts of a contact and appends erasure entries. Returns what was erased. Joins the running transaction.
   */
  readonly erase: (scope: Scope, user_identifier: string) => Effect.Effect<ReadonlyArray<ErasedFact>>
  /** Entries of a workspace after a position, in order. */
  readonly read: (
    scope: Scope,
    from: { readonly after: number; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<LoggedFact>>
  /** Position of a workspace's last entry; 0 without entries. */
  readonly end: (scope: Scope) => Effect.Effect<number>
  /** Workspaces that have entries. */
  readonly workspaces: Effect.Effect<ReadonlyArray<Scope>>
}>() {
  /** Keeps the log in memory. */
  static readonly layerMemory = Layer.sync(FactsLog, () => {
    const rows = MemoryTable.make<AttemptId, LoggedFact & { readonly scope: Scope }>()
    let last = 0
    const rowsOf = (scope: Scope) => Array.from(rows.values()).filter((row) => scopeKey(row.scope) === scopeKey(scope))
    return FactsLog.of({
      appendMany: (facts) =>
        Effect.forEach(
          facts,
          ({ fact, scope }) => rows.set(fact.attempt_id, { scope, seq: ++last, attempt_id: fact.attempt_id, fact }),
          { discard: true }
        ),
      find: (scope, attempt_id) =>
        Effect.sync(() =>
          Option.fromNullable(rows.get(attempt_id)).pipe(
            Option.filter((row) => scopeKey(row.scope) === scopeKey(scope)),
            Option.flatMapNullable(({ fact }) => fact)
          )
        ),
      erase: (scope, user_identifier) =>
        Effect.suspend(() => {
          const matches = rowsOf(scope).filter(({ fact }) => fact?.user_identifier === user_identifier)
          return Effect.as(
            Effect.forEach(matches, (row) => rows.set(row.attempt_id, { ...row, seq: ++last, fact: null }), {
              discard: true
            }),
            matches.map(({ attempt_id, fact }) => ({ attempt_id, interaction_id: fact?.interaction_id ?? null }))
          )
        }),
      read: (scope, { after, limit }) =>
        Effect.sync(() =>
          rowsOf(scope)
            .filter(({ seq }) => seq > after)
            .sort((a, b) => a.seq - b.seq)
            .slice(0, limit)
            .map(({ attempt_id, fact, seq }) => ({ seq, attempt_id, fact }))
        ),
      end: (scope) => Effect.sync(() => rowsOf(scope).reduce((end, { seq }) => Math.max(end, seq), 0)),
      workspaces: Effect.sync(
        () => [...new Map(Array.from(rows.values(), ({ scope }) => [scopeKey(scope), scope])).values()]
      )
    })
  })
}
