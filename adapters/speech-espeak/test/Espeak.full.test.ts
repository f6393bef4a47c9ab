import { describe } from "@effect/vitest"
import { synthesizerLaws } from "@trunkline/speech/testing"
import { Effect, Option } from "effect"
import { findBinary } from "../src/FindEspeak.js"
import { SpeechEspeak } from "../src/index.js"
import { espeakSpeaks } from "./EspeakSpeaks.js"

const isThere = Option.isSome(await Effect.runPromise(findBinary("espeak-ng")))
if (!isThere) console.warn("Skipped: the program espeak-ng is not installed")

describe.skipIf(!isThere)("the program", () => {
  espeakSpeaks("the program", SpeechEspeak.layer())
  synthesizerLaws("espeak-ng, the program", SpeechEspeak.layer())
})
