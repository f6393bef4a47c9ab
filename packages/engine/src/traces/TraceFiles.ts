import { FileStore } from "@trunkline/cohorts"
import { ConversationTapes } from "@trunkline/conversation"
import { type AttemptId, collectBytes, type Scope, scopeKey, sha256Hex } from "@trunkline/kernel"
import { CallTraces, redactDefaults, type RedactRule, traceTapes, TraceUnreadable } from "@trunkline/replay/trace"
import { Effect, Layer, Option } from "effect"
import { RecordingKeys } from "../recordings/RecordingKeys.js"

/** Traces of calls. */
export interface TraceOptions {
  /** True to keep all that goes into each call, so that it can be replayed; false by default. */
  readonly keep: boolean
  /** Rules of what is left out before a trace is stored; phone numbers, e-mail addresses and card numbers by default. */
  readonly redact?: ReadonlyArray<RedactRule>
}

/** Name of a trace, without characters that have a meaning in file systems. */
const nameOf = (scope: Scope, attempt_id: AttemptId): Effect.Effect<string> =>
  Effect.map(sha256Hex(`${scopeKey(scope)}/${attempt_id}`), (hash) => `trc-${hash.slice(0, 32)}`)

const keyOf = (name: string): string => `${name}/trace`

/** Traces in the file store, sealed by the keys of recordings. */
export const callTracesLayer: Layer.Layer<CallTraces, never, FileStore | RecordingKeys> = Layer.effect(
  CallTraces,
  Effect.gen(function*() {
    const files = yield* FileStore
    const keys = yield* RecordingKeys
    return CallTraces.of({
      keep: (scope, attempt_id, trace) =>
        Effect.gen(function*() {
          const name = yield* nameOf(scope, attempt_id)
          const head = { rate: 0, hasSound: false }
          const parts = yield* keys.sealOf(name).sealParts(0, new TextEncoder().encode(trace), head)
          yield* FileStore.writeBytes(files, keyOf(name), parts)
        }),
      find: (scope, attempt_id) =>
        Effect.gen(function*() {
          const name = yield* nameOf(scope, attempt_id)
          const file = yield* files.read(keyOf(name))
          if (Option.isNone(file)) return Option.none()
          const bytes = yield* keys.sealOf(name).open(0, yield* collectBytes(file.value)).pipe(
            Effect.mapError(({ key_id }) =>
              new TraceUnreadable({
                reason: `it was encrypted with the key ${key_id}, which is not here or does not fit, or it is damaged: `
                  + "give the secret and the recording keys that the server had"
              })
            )
          )
          return Option.some(new TextDecoder().decode(bytes))
        }),
      remove: (scope, attempt_id) => Effect.flatMap(nameOf(scope, attempt_id), (name) => files.remove(keyOf(name)))
    })
  })
)

/** Tapes of conversations that keep traces, as the options say; none by default. */
export const tapesLayer = (options: TraceOptions | undefined): Layer.Layer<never, never, CallTraces> =>
  options?.keep !== true ? Layer.empty : Layer.effect(
    ConversationTapes,
    Effect.map(CallTraces, ({ keep }) =>
      traceTapes({
        redact: options.redact ?? redactDefaults,
        keep: ({ attempt_id, scope }, trace) => keep(scope, attempt_id, trace)
      }))
  )
