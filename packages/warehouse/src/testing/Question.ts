import { DateTime } from "effect"
import type { Cell, Parameter } from "../Warehouse.js"
import type { NamedFact } from "./LawFixtures.js"

/** A typical question of analysts, its SQL, and the expected result computed without SQL. */
export interface AnalystQuestion {
  readonly question: string
  readonly sql: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly expected: (facts: ReadonlyArray<NamedFact>) => ReadonlyArray<ReadonlyArray<Cell>>
}

type Key = string | number

/** Ascending order; texts by code point, like SQLite. */
export const inOrder = (a: Key, b: Key): number => a < b ? -1 : a > b ? 1 : 0

/** Groups facts by key, smallest key first. */
export const groups = <K extends Key>(
  facts: ReadonlyArray<NamedFact>,
  key: (fact: NamedFact) => K | null
): ReadonlyArray<readonly [K, ReadonlyArray<NamedFact>]> => {
  const groups = new Map<K, Array<NamedFact>>()
  for (const fact of facts) {
    const of = key(fact)
    if (of === null) continue
    const group = groups.get(of) ?? []
    group.push(fact)
    groups.set(of, group)
  }
  return [...groups].sort(([a], [b]) => inOrder(a, b))
}

/** The fact's `effective_datetime`. */
export const whenOf = (fact: NamedFact): string => DateTime.formatIso(fact.start_datetime ?? fact.executed_at)

/** The same in Indian time, without a zone. */
export const indianWhen = (fact: NamedFact): string =>
  DateTime.formatIso(DateTime.add(fact.start_datetime ?? fact.executed_at, { hours: 5, minutes: 30 }))

/** The fact's day in India. */
export const dayOf = (fact: NamedFact): string => indianWhen(fact).slice(0, 10)

/** Values that are not null. */
export const nonNulls = (values: ReadonlyArray<number | null>): ReadonlyArray<number> =>
  values.filter((value) => value !== null)

export const sum = (values: ReadonlyArray<number | null>): number => nonNulls(values).reduce((a, b) => a + b, 0)

export const mean = (values: ReadonlyArray<number | null>): number | null =>
  nonNulls(values).length === 0 ? null : sum(values) / nonNulls(values).length

export const isConnected = (fact: NamedFact): boolean => fact.connectivity_status === "connected"

export const distinct = <A>(values: ReadonlyArray<A>): number => new Set(values).size
