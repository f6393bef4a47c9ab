import { assert, describe } from "@effect/vitest"
import { testCallBrief } from "@trunkline/conversation/testing"
import { BusinessTime } from "@trunkline/kernel"
import { propertyRuns, virtualTest } from "@trunkline/kernel/testing"
import { always, userSays } from "@trunkline/scripted-model"
import { modemVoice, soundOf, Transcriber } from "@trunkline/speech"
import { type AudioCall, type AudioLine, CallHandler, makeSimulatedAudioLine, Voicing } from "@trunkline/telephony"
import { Duration, Effect, FastCheck, Supervisor } from "effect"
import { soundLayer } from "./Fixtures.js"

const phrases = [
  "I would like a table.",
  "What is open and",
  "seven people",
  "Stop, I have a question.",
  "okay",
  "Bye."
]

type Action =
  | { readonly _tag: "Say"; readonly phrase: number }
  | { readonly _tag: "Wait" | "Noise" | "Hold"; readonly millis: number }
  | { readonly _tag: "Press"; readonly digit: string }
  | { readonly _tag: "HangUp" }

const millis = FastCheck.integer({ min: 1, max: 300 }).map((count) => count * 20)

const action: FastCheck.Arbitrary<Action> = FastCheck.oneof(
  { weight: 4, arbitrary: FastCheck.record({ _tag: FastCheck.constant("Say" as const), phrase: FastCheck.nat(5) }) },
  { weight: 5, arbitrary: FastCheck.record({ _tag: FastCheck.constant("Wait" as const), millis }) },
  { weight: 1, arbitrary: FastCheck.record({ _tag: FastCheck.constant("Noise" as const), millis }) },
  { weight: 1, arbitrary: FastCheck.record({ _tag: FastCheck.constant("Hold" as const), millis }) },
  {
    weight: 1,
    arbitrary: FastCheck.record({ _tag: FastCheck.constant("Press" as const), digit: FastCheck.constantFrom("1", "#") })
  },
  { weight: 1, arbitrary: FastCheck.constant({ _tag: "HangUp" as const }) }
)

const layer = soundLayer({
  version: { first_message: "Hello, this is the library. We are open today." },
  rules: [
    { when: userSays("bye"), reply: "Goodbye then.", toolCall: { name: "end_call", arguments: {} } },
    { when: userSays("seven"), reply: "Seven it is." },
    {
      when: always,
      reply: "We have **many** books here. Some of them are old, and some are new. Please choose one now."
    }
  ],
  conversation: { silence: Duration.seconds(3), reprompts: 1 }
})

/** Sounds of the phrases at 8 kHz. */
const sounds = Effect.forEach(phrases, (text) => soundOf(text)).pipe(Effect.provide(modemVoice()), Effect.orDie)

const wait = (time: number) => Effect.flatMap(BusinessTime.now, (now) => BusinessTime.sleepUntil(now + time))

/**
 * The line, with the marks that were reached, the places of the recording at which the sound was dropped, and the number
 * of sounds that were played after the end.
 */
const watched = ({ caller, line }: AudioCall) => {
  const marks: Array<number> = []
  const cuts: Array<number> = []
  let isOver = false
  let late = 0
  const watchedLine: AudioLine = {
    ...line,
    hear: (listener) =>
      line.hear((event) => {
        if (event._tag === "Reached") marks.push(event.mark)
        if (event._tag === "Ended") isOver = true
        listener(event)
      }),
    play: (samples, mark) => {
      if (isOver) late += 1
      line.play(samples, mark)
    },
    clear: () => {
      cuts.push(caller.recording().length)
      return line.clear()
    }
  }
  return { line: watchedLine, marks, cuts, late: () => late }
}

/** Does what the caller does, one after the other. */
const act = ({ caller }: AudioCall, actions: ReadonlyArray<Action>, said: ReadonlyArray<Float32Array>) =>
  Effect.forEach(actions, (action) => {
    switch (action._tag) {
      case "Say": {
        const sound = said[action.phrase] ?? new Float32Array()
        caller.say(sound)
        return wait(sound.length / 8)
      }
      case "Noise":
        caller.say(Float32Array.from({ length: action.millis * 8 }, (_, at) => 0.3 * Math.sin(at * at)))
        return Effect.void
      case "Wait":
        return wait(action.millis)
      case "Hold":
        caller.hold(true)
        return Effect.tap(wait(action.millis), () => Effect.sync(() => caller.hold(false)))
      case "Press":
        return Effect.sync(() => caller.press(action.digit))
      case "HangUp":
        return caller.hangUp
    }
  })

const holdCall = (actions: ReadonlyArray<Action>, said: ReadonlyArray<Float32Array>) =>
  Effect.gen(function*() {
    const call = yield* makeSimulatedAudioLine()
    const { cuts, late, line, marks } = watched(call)
    const { legOf } = yield* Voicing
    const { handle } = yield* CallHandler
    const leg = yield* legOf(line, testCallBrief)
    yield* Effect.forkScoped(act(call, actions, said))
    const report = yield* handle(leg, testCallBrief)
    const endedBy = yield* call.caller.ended
    const { transcribe } = yield* Transcriber
    const samples = call.caller.recording()
    const parts = yield* Effect.forEach([0, ...cuts], (from, index) =>
      transcribe({ rate: 8_000, samples: samples.subarray(from, cuts[index]) }, { language: null }))
    return { report, endedBy, heard: parts.join(" "), marks, late }
  }).pipe(Effect.scoped, Effect.orDie)

const wordsOf = (text: string): ReadonlyArray<string> => text.split(" ").filter((word) => word !== "")

/** True when the words are among others, in the same order. */
const areWithin = (words: ReadonlyArray<string>, others: ReadonlyArray<string>): boolean => {
  let next = 0
  for (const word of others) if (word === words[next]) next += 1
  return next === words.length
}

const isComplete = (text: string): boolean => /[.?!]$/u.test(text)

const checkCall = (actions: ReadonlyArray<Action>, said: ReadonlyArray<Float32Array>) =>
  Effect.gen(function*() {
    const supervisor = yield* Supervisor.track
    const { endedBy, heard, late, marks, report } = yield* Effect.supervised(holdCall(actions, said), supervisor)
    yield* wait(1_000)
    assert.strictEqual(late(), 0, "sounds after the end")
    assert.deepStrictEqual(marks, [...marks].sort((one, other) => one - other), "marks in order")
    assert.strictEqual(report.ended_by, endedBy)
    assert.isNull(report.fault)

    const textsOf = (role: string) => report.transcript.flatMap((turn) => turn.role === role ? [turn.en_text] : [])
    // The tones before a sound count as a part of it: the last word of a clause that was cut may not have begun.
    const agentWords = textsOf("agent").flatMap((text) => wordsOf(text).slice(0, isComplete(text) ? undefined : -1))
    assert.isTrue(areWithin(agentWords, wordsOf(heard)), `${agentWords.join(" ")} | ${heard}`)

    const spoken = actions.flatMap((action) => action._tag === "Say" ? wordsOf(phrases[action.phrase] ?? "") : [])
    const userWords = textsOf("user").flatMap(wordsOf).filter((word) => !/^[1#]+$/u.test(word))
    assert.isTrue(areWithin(userWords, spoken), `${userWords.join(" ")} | ${spoken.join(" ")}`)

    assert.lengthOf(yield* supervisor.value, 0, "fibers after the call")
  })

describe("a call with any caller", () => {
  virtualTest(
    "has one report of what both sides heard, plays nothing after its end, and leaves no fiber",
    () =>
      Effect.gen(function*() {
        const said = yield* sounds
        const callers = FastCheck.sample(FastCheck.array(action, { minLength: 1, maxLength: 10 }), {
          numRuns: propertyRuns(100),
          seed: 20_240_520
        })
        for (const [index, actions] of callers.entries()) {
          yield* Effect.catchAllDefect(
            checkCall(actions, said),
            (defect) => Effect.die(new Error(`Caller ${index}: ${JSON.stringify(actions)}: ${String(defect)}`))
          )
        }
      }).pipe(Effect.provide(layer))
  )
})
