import { assert, describe, it } from "@effect/vitest"
import { macroTask } from "@trunkline/kernel"
import { Synthesizer } from "@trunkline/speech"
import { SynthesizerOpenAi, type VoiceProviderName, voiceProviderNames, voiceProviders } from "@trunkline/speech-openai"
import { doubleKeys, voiceDouble } from "@trunkline/speech-openai/testing"
import { synthesizerLaws } from "@trunkline/speech/testing"
import { Effect, Layer, Redacted } from "effect"

const lawsOf = (name: VoiceProviderName) => {
  const { dialect, keyVariable, model, voice } = voiceProviders[name]
  let atWork: () => number = () => 0
  let problems: ReadonlyArray<string> = []
  const live = Layer.scoped(
    Synthesizer,
    Effect.gen(function*() {
      const double = yield* voiceDouble(name)
      atWork = double.atWork
      problems = double.problems
      return yield* SynthesizerOpenAi.make({
        baseUrl: double.origin,
        dialect: dialect(model ?? ""),
        voice: voice ?? "asha",
        ...(model !== null && { model }),
        ...(keyVariable !== null && { apiKey: Redacted.make(doubleKeys.good) })
      })
    })
  )
  synthesizerLaws(`${name}'s double`, live, {
    // The server notices a closed connection a little later.
    inProgress: Effect.map(Effect.repeat(macroTask, { until: () => atWork() === 0 }), () => atWork())
  })
  describe(`the requests to ${name}`, () => {
    it("were what its documentation says", () => assert.deepStrictEqual(problems, []))
  })
}

voiceProviderNames.forEach(lawsOf)
