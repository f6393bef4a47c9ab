import { Overloaded, TimedOut } from "@trunkline/errors"
import { SlowReads } from "@trunkline/storage-kysely"
import { Effect, Layer } from "effect"
import type { RunParameter, RunResult } from "./Messages.js"
import type { RunFailure } from "./RunFailure.js"
import type { RunnerOptions } from "./RunnerOptions.js"
import { RunnerPool } from "./RunnerPool.js"

/** The most rows that a list has, and the most bytes of them. */
const maxRows = 1_000
const maxBytes = 32 * 1024 * 1024

/** Heavy reads share a lane, so that together they leave a child to the others. */
const lanes = { heavy: "heavy", light: "light" } as const

const isParameter = (value: unknown): value is RunParameter =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint"

const failureOf = (failure: RunFailure): Effect.Effect<never, TimedOut | Overloaded> => {
  switch (failure._tag) {
    case "RunStopped":
      return new TimedOut({
        message: "The calls could not be looked through in time. Ask for a shorter time range or fewer conditions."
      })
    case "RunnersBusy":
      return new Overloaded({ message: failure.message, retryAfter: failure.retryAfter })
    default:
      return Effect.die(failure)
  }
}

const isParameters = (values: ReadonlyArray<unknown>): values is ReadonlyArray<RunParameter> =>
  values.every(isParameter)

const objectsOf = ({ columns, rows }: RunResult) =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])))

/**
 * Slow reads of a SQLite file in child processes of their own, three at a time unless said otherwise. All but one may be
 * heavy ones.
 */
export const slowReadsBeside = (
  { file, size = 3, ...options }: RunnerOptions & { readonly file: string }
): Layer.Layer<SlowReads> =>
  Layer.scoped(
    SlowReads,
    Effect.map(RunnerPool.make({ size, ...options }), (pool): SlowReads.Service => ({
      rows: ({ isHeavy, parameters, sql }) => {
        if (!isParameters(parameters)) return Effect.dieMessage("A parameter has a type that SQLite does not know")
        const lane = isHeavy ? lanes.heavy : lanes.light
        return pool.run({ file, text: sql, parameters, mode: "trusted", lane, maxRows, maxBytes }).pipe(
          Effect.catchAll(failureOf),
          Effect.filterOrDieMessage(({ truncated }) => !truncated, "A list is longer than lists may be"),
          Effect.map(objectsOf)
        )
      }
    }))
  )
