import { Effect, type Scope } from "effect"
import type { EngineForm } from "../engine/Engine.js"
import type { EspeakThread } from "./EspeakThread.js"
import { makeThreads } from "./Threads.js"

/** How a thread is started, and how long it may give no sound, in milliseconds. */
export interface WasmFormOptions {
  readonly start: () => EspeakThread
  readonly limit: number
}

/** How long threads stay without work, in milliseconds. */
const idle = 60_000

/** espeak as WebAssembly, in threads of its own: while it speaks, nothing else can be done there. */
export const makeWasmForm = (
  { limit, start }: WasmFormOptions
): Effect.Effect<EngineForm, never, Scope.Scope> =>
  Effect.map(makeThreads({ start, idle }), ({ giveBack, take }) => ({
    english: "en",
    begin: (speaking, onGone) =>
      Effect.sync(() => {
        const thread = take()
        const leave = () => {
          giveBack(thread)
          onGone()
        }
        return thread.begin(speaking, { limit, onGone: leave })
      })
  }))
