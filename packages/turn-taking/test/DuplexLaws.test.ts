import { modemTranscriber, modemVoice, soundOf } from "@trunkline/speech"
import { duplexModelLaws, duplexOfParts } from "@trunkline/turn-taking/testing"
import { Effect, Layer } from "effect"

duplexModelLaws("in memory", {
  model: Effect.map(
    Effect.provide(
      duplexOfParts({
        react: (words) => words.includes("table") ? { delegates: true } : { say: "You are welcome." }
      }),
      Layer.merge(modemVoice(), modemTranscriber)
    ),
    ({ model }) => model
  ),
  say: (text, rate) => Effect.orDie(Effect.provide(soundOf(text, { rate }), modemVoice()))
})
