import { Context, Effect, Layer, type Scope } from "effect"
import type { RunColumn, RunRequest, RunResult, RunStatement } from "./Messages.js"
import { entryBeside } from "./ProcessEntry.js"
import type { RunFailure } from "./RunFailure.js"
import { limitsOf, type RunnerOptions } from "./RunnerOptions.js"
import { Runners, type Settled } from "./Runners.js"

/** A statement whose columns are wanted, and who wants them. */
export interface ToPrepare extends RunStatement {
  /** Whose turn it takes, such as a workspace: lanes go on in turn, and none holds the whole pool. */
  readonly lane: string
}

/** A statement to run, and how much of its result to read. */
export interface ToRun extends ToPrepare {
  /** Rows beyond these are not read; from 1. */
  readonly maxRows: number
  /** Rows that would make the result larger are not read either; default 8 MB (design: boards 3.2). */
  readonly maxBytes?: number
}

const defaultMaxBytes = 8 * 1024 * 1024

/**
 * Child processes that read SQLite files, one statement at a time each. A statement can only read, whoever wrote it;
 * one that takes too long, too much memory or too much temporary disk is killed with its child, and harms no other one
 * (design: boards 3.2).
 *
 * Children are started on the first use. They are killed with the scope of the pool, and none outlives this process.
 */
export class RunnerPool extends Context.Tag("@trunkline/sqlite-runners/RunnerPool")<RunnerPool, {
  /** Runs a statement. Interrupting it kills it at once. */
  readonly run: (statement: ToRun) => Effect.Effect<RunResult, RunFailure>
  /** The columns that a statement would give, without running it. */
  readonly prepare: (statement: ToPrepare) => Effect.Effect<ReadonlyArray<RunColumn>, RunFailure>
}>() {
  /** A pool that lives as long as the scope. */
  static readonly make = (
    options: RunnerOptions = {}
  ): Effect.Effect<Context.Tag.Service<RunnerPool>, never, Scope.Scope> =>
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new Runners(entryBeside(import.meta.url, "runner"), limitsOf(options))),
        (runners) => Effect.promise(() => runners.close())
      ),
      poolOf
    )

  /** The pool of a layer. */
  static readonly layer = (options: RunnerOptions = {}): Layer.Layer<RunnerPool> =>
    Layer.scoped(RunnerPool, RunnerPool.make(options))
}

const poolOf = (runners: Runners): Context.Tag.Service<RunnerPool> => {
  const ask = (lane: string, request: RunRequest): Settled =>
    Effect.async((resume) => {
      const cancel = runners.submit({ lane, request, settle: resume })
      return Effect.promise(cancel)
    })
  return RunnerPool.of({
    run: ({ lane, maxBytes = defaultMaxBytes, maxRows, ...statement }) =>
      ask(lane, { ...statement, read: { maxRows, maxBytes } }),
    prepare: ({ lane, ...statement }) => Effect.map(ask(lane, { ...statement, read: null }), ({ columns }) => columns)
  })
}
