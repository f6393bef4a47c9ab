import { assert, describe } from "@effect/vitest"
import { ModelFailed } from "@trunkline/errors"
import { AppId } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import type { Reference, SynthesisInput } from "@trunkline/speech"
import { Cause, Effect, Exit, Logger, LogLevel } from "effect"
import { connect } from "./Audible.js"

const reference: Reference = {
  audio: { rate: 8_000, samples: new Float32Array(8_000) },
  seconds: 1,
  text: "Hello.",
  language: "en-IN",
  voice_id: "voice-1"
}

const greeting = { text: "Good morning. We are open.", language_name: "English", interruptible: true }

/** Utterances that the engine is given for a greeting, by an agent with a saved voice at a pace of 1.5. */
const spokenWith = (controls: ReadonlyArray<"pace">) =>
  Effect.gen(function*() {
    const utterances: Array<SynthesisInput> = []
    const fault = (utterance: SynthesisInput) => {
      utterances.push(utterance)
      return undefined
    }
    const { leg } = yield* connect({
      voice: { controls, fault },
      agentVoice: { of: () => Effect.succeed({ reference, pace: 1.5 }) }
    })
    yield* leg.say(greeting)
    return utterances
  })

describe("the voice of an agent", () => {
  virtualTest("speaks all its clauses, at its pace where the engine controls it", () =>
    Effect.gen(function*() {
      for (const [controls, pace] of [[["pace"], 1.5], [[], 1]] as const) {
        const utterances = yield* spokenWith(controls)
        assert.deepStrictEqual(utterances.map(({ text }) => text), ["Good morning.", "We are open."])
        assert.isTrue(utterances.every((utterance) => utterance.reference === reference && utterance.pace === pace))
      }
    }))

  virtualTest("that cannot be loaded is a fault of the call", () =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(
        connect({ agentVoice: { of: () => Effect.fail(new ModelFailed({ message: "broken" })) } })
      )
      const [defect] = Exit.isFailure(exit) ? Cause.defects(exit.cause) : []
      assert.deepInclude(defect, {
        _tag: "CallFault",
        reason: "internal: the agent's voice could not be loaded: broken"
      })
    }))

  virtualTest(
    "is that of the next agent once a call was handed over, unless it cannot be loaded",
    () =>
      Effect.gen(function*() {
        const paces: Array<number> = []
        const fault = ({ pace }: SynthesisInput) => {
          paces.push(pace)
          return undefined
        }
        const { leg } = yield* connect({
          voice: { controls: ["pace"], fault },
          agentVoice: {
            of: ({ app_id }) =>
              app_id === "broken"
                ? Effect.fail(new ModelFailed({ message: "broken" }))
                : Effect.succeed({ reference, pace: app_id === "billing" ? 1.5 : 1 })
          }
        })
        const sentence = { ...greeting, text: "Good morning." }
        yield* leg.say(sentence)
        for (const app_id of ["billing", "broken"]) {
          yield* leg.speakAs?.({ app_id: AppId.make(app_id), app_version: 1 }) ?? Effect.void
          yield* leg.say(sentence)
        }
        assert.deepStrictEqual(paces, [1, 1.5, 1.5])
      }).pipe(Logger.withMinimumLogLevel(LogLevel.None))
  )
})
