import { Cause, Data, type Effect, Exit, type Layer, Runtime, Stream } from "effect"
import type { layerSqlite } from "../databases/LayerSqlite.js"
import { shownStack } from "../errors/ShownStack.js"

/** Services of a running engine, with its stores. */
export type EngineServices = Layer.Layer.Success<ReturnType<typeof layerSqlite>>

/** Runs the effects of a running engine as promises. */
export interface Runner {
  /** Resolves with the result. Rejects with the failure itself, or with the reason of the signal once it has aborted. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, EngineServices>, signal?: AbortSignal) => Promise<A>
  /** Iterates over a stream. Leaving the loop interrupts the stream. */
  readonly iterate: <A, E>(stream: Stream.Stream<A, E, EngineServices>) => AsyncIterable<A>
}

/** The engine was used after `close`. */
export class EngineClosed extends Data.TaggedError("EngineClosed")<{}> {
  override get message() {
    return "The engine is closed: it was used after trunkline.close()"
  }
}

/** True for an expected failure: its stack is better that of the caller than that of the engine. */
const isFailure = (error: unknown): error is Error => error instanceof Error && "_tag" in error

/** Makes a runner from the runtime of an engine. */
export const makeRunner = (runtime: Runtime.Runtime<EngineServices>, isClosed: () => boolean): Runner => ({
  run: async (effect, signal) => {
    signal?.throwIfAborted()
    if (isClosed()) throw new EngineClosed()
    const exit = await Runtime.runPromiseExit(runtime)(effect, signal === undefined ? {} : { signal })
    if (Exit.isSuccess(exit)) return exit.value
    if (signal?.aborted === true) throw signal.reason
    // Effect wraps failures of operations with a span in a proxy.
    const error = Cause.originalError(Cause.squash(exit.cause))
    throw isFailure(error) ? shownStack["node-do-not-add-exception-line"](error) : error
  },
  iterate: <A, E>(stream: Stream.Stream<A, E, EngineServices>) => {
    const source = Stream.suspend((): Stream.Stream<A, E | EngineClosed, EngineServices> =>
      isClosed() ? Stream.fail(new EngineClosed()) : stream
    )
    return Stream.toAsyncIterableRuntime(source, runtime)
  }
})
