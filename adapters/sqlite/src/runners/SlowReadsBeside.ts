import { Overloaded, TimedOut } from "@trunkline/errors"
import { SlowReads } from "@trunkline/storage-kysely"
import { Effect, Layer } from "effect"
import type { RunnerResult, RunParameter } from "./Messages.js"
import type { RunError } from "./RunErrors.js"
import { RunnerPool } from "./RunnerPool.js"
import type { RunnerOptions } from "./RunnerProcess.js"

/** Maximum number of rows of a list, and of their bytes. */
const maxRows = 1_000
const maxBytes = 32 * 1024 * 1024

/** Lanes of reads. Heavy reads share one, so that they leave a child to the others. */
const lanes = { heavy: "heavy", light: "light" } as const

const isParameter = (value: unknown): value is RunParameter =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "bigint"

const errorOf = (error: RunError): Effect.Effect<never, TimedOut | Overloaded> => {
  switch (error._tag) {
    case "RunStopped":
      return new TimedOut({
        message: "The calls could not be looked through in time. Ask for a shorter time range or fewer conditions."
      })
    case "RunnersBusy":
      return new Overloaded({ message: error.message, retryAfter: error.retryAfter })
    default:
      return Effect.die(error)
  }
}

const isParameters = (values: ReadonlyArray<unknown>): values is ReadonlyArray<RunParameter> =>
  values.every(isParameter)

const objectsOf = ({ columns, rows }: RunnerResult) =>
  rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])))

/**
 * Layer of `SlowReads` for a SQLite file, in separate child processes; three at a time by default. At most all but one of
 * them may run heavy reads.
 *
 * @example
 * const reads = slowReadsBeside({ file: "trunkline.db" })
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
          Effect.catchAll(errorOf),
          Effect.filterOrDieMessage(({ truncated }) => !truncated, "A list is longer than lists may be"),
          Effect.map(objectsOf)
        )
      }
    }))
  )
