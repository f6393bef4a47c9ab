import { ModelUnavailable } from "@trunkline/errors"
import { Effect, type Scope, Stream } from "effect"
import { availableParallelism } from "node:os"
import { binaryForm } from "../binary/BinaryForm.js"
import { ownEntry } from "../OwnEntry.js"
import type { EngineLimits } from "../SpeechEspeakOptions.js"
import { startThread } from "../wasm/EspeakThread.js"
import { makeWasmForm } from "../wasm/WasmForm.js"
import { type Engine, makeEngine } from "./Engine.js"
import { describeEspeak, type FoundEspeak } from "./FindEspeak.js"

const mostThreads = 4

/** Speaks by the espeak that was found. Without any, all that is to be said fails, and the failure says what to install. */
export const engineOf = (found: FoundEspeak, limits: EngineLimits): Effect.Effect<Engine, never, Scope.Scope> => {
  switch (found.kind) {
    case "binary":
      return Effect.succeed(makeEngine(binaryForm(found, limits.limit), limits))
    case "wasm": {
      const concurrency = Math.min(limits.concurrency, availableParallelism(), mostThreads)
      const form = makeWasmForm({ start: () => startThread(ownEntry), limit: limits.limit })
      return Effect.map(form, (form) => makeEngine(form, { ...limits, concurrency }))
    }
    case "none": {
      const { message } = describeEspeak(found)
      return Effect.succeed({
        english: "en",
        speak: () => Stream.fail(new ModelUnavailable({ message, lasting: true }))
      })
    }
  }
}
