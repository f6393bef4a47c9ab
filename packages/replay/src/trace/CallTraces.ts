import { type AttemptId, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { TraceUnreadable } from "./CallTrace.js"

/** Port of a store of traces, as texts. `callTracesLaws` tests implementations. */
export class CallTraces extends Context.Tag("@trunkline/replay/CallTraces")<CallTraces, {
  /** Stores the trace of an attempt in place of an earlier one. */
  readonly keep: (scope: Scope, attempt_id: AttemptId, trace: string) => Effect.Effect<void>
  /** Finds the trace of an attempt of this workspace. Fails where it cannot be decrypted. */
  readonly find: (scope: Scope, attempt_id: AttemptId) => Effect.Effect<Option.Option<string>, TraceUnreadable>
  /** Removes a trace, if there is one. */
  readonly remove: (scope: Scope, attempt_id: AttemptId) => Effect.Effect<void>
}>() {
  /** Stores traces in memory. */
  static readonly layerMemory = Layer.sync(CallTraces, () => {
    const traces = new Map<string, string>()
    const key = (scope: Scope, attempt_id: AttemptId) => `${scopeKey(scope)}/${attempt_id}`
    return CallTraces.of({
      keep: (scope, attempt_id, trace) => Effect.sync(() => void traces.set(key(scope, attempt_id), trace)),
      find: (scope, attempt_id) => Effect.sync(() => Option.fromNullable(traces.get(key(scope, attempt_id)))),
      remove: (scope, attempt_id) => Effect.sync(() => void traces.delete(key(scope, attempt_id)))
    })
  })
}
