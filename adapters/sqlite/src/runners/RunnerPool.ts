import { Context, Effect, Layer, type Scope } from "effect"
import { runnerEntry } from "../Children.js"
import type { RunColumn, RunnerResult, RunRequest, RunStatement } from "./Messages.js"
import type { RunError } from "./RunErrors.js"
import { limitsOf, type RunnerOptions } from "./RunnerProcess.js"
import { Runners, type RunOutcome } from "./Runners.js"

/** A statement to prepare, and its lane. */
export interface PrepareInput extends RunStatement {
  /** Lane of the statement, such as a workspace. Lanes take turns, and none occupies the whole pool. */
  readonly lane: string
}

/** A statement to run, and the part of its result to read. */
export interface RunInput extends PrepareInput {
  /** Maximum number of rows, at least 1. */
  readonly maxRows: number
  /** Maximum size of the result, in bytes; 8 MB by default. */
  readonly maxBytes?: number
}

const defaultMaxBytes = 8 * 1024 * 1024

/**
 * Child processes that read SQLite files, each one statement at a time. A statement can only read, whatever it says. One
 * that takes too long, or too much memory or temporary disk, is killed together with its child, without effect on others.
 *
 * Children start on first use. They are killed with the scope of the pool, and none outlives this process.
 *
 * @example
 * const rows = Effect.flatMap(RunnerPool, ({ run }) =>
 *   run({ file, text: "SELECT 1", parameters: [], mode: "untrusted", lane: "acme", maxRows: 100 })
 * ).pipe(Effect.provide(RunnerPool.layer({ timeout: "5 seconds" })))
 */
export class RunnerPool extends Context.Tag("@trunkline/sqlite/RunnerPool")<RunnerPool, {
  /** Runs a statement. An interruption kills it at once. */
  readonly run: (statement: RunInput) => Effect.Effect<RunnerResult, RunError>
  /** Columns of the result of a statement, without running it. */
  readonly prepare: (statement: PrepareInput) => Effect.Effect<ReadonlyArray<RunColumn>, RunError>
}>() {
  /** Makes a pool that lives as long as the scope. */
  static readonly make = (
    options: RunnerOptions = {}
  ): Effect.Effect<Context.Tag.Service<RunnerPool>, never, Scope.Scope> =>
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new Runners(runnerEntry, limitsOf(options))),
        (runners) => Effect.promise(() => runners.close())
      ),
      poolOf
    )

  /** Layer of a pool. */
  static readonly layer = (options: RunnerOptions = {}): Layer.Layer<RunnerPool> =>
    Layer.scoped(RunnerPool, RunnerPool.make(options))
}

const poolOf = (runners: Runners): Context.Tag.Service<RunnerPool> => {
  const submit = (lane: string, request: RunRequest): RunOutcome =>
    Effect.async((resume) => {
      const cancel = runners.submit({ lane, request, settle: resume })
      return Effect.promise(cancel)
    })
  return RunnerPool.of({
    run: ({ lane, maxBytes = defaultMaxBytes, maxRows, ...statement }) =>
      submit(lane, { ...statement, read: { maxRows, maxBytes } }),
    prepare: ({ lane, ...statement }) =>
      Effect.map(submit(lane, { ...statement, read: null }), ({ columns }) => columns)
  })
}
