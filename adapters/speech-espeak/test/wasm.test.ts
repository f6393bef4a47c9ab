import { describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SpeechEspeak } from "../src/index.js"
import { findPackage } from "../src/wasm/FindPackage.js"
import { espeakSpeaks } from "./EspeakSpeaks.js"

const isThere = Option.isSome(await Effect.runPromise(findPackage))
if (!isThere) console.warn("Skipped: @echogarden/espeak-ng-emscripten is not installed")

describe.skipIf(!isThere)("WebAssembly", () => {
  espeakSpeaks("WebAssembly", SpeechEspeak.layer({ binary: null }))
})
