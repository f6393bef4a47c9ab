import { assert, describe } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import { Duration, Effect, Fiber, Layer } from "effect"
import { summarizeOutcome } from "../src/call/CallOutcome.js"
import { guardLeg } from "../src/calls/legs/LegGuard.js"
import {
  type AudioLine,
  CallHandler,
  Calls,
  type Leg,
  type LineEvent,
  type LineTrouble,
  makeSimulatedAudioLine,
  tapLine,
  Voicing
} from "../src/index.js"
import { audioLineLaws } from "../src/testing.js"
import { attemptInProgress } from "./AttemptInProgress.js"
import { telephony } from "./Fixtures.js"

audioLineLaws("simulated, 8 kHz", makeSimulatedAudioLine(), virtualTest)
audioLineLaws("simulated, 16 kHz", makeSimulatedAudioLine({ rate: 16_000 }), virtualTest)

describe("the limits of a leg", () => {
  virtualTest("take no call for idle while the other side holds it", () =>
    Effect.gen(function*() {
      let isHeld = true
      const leg: Leg = {
        say: () => Effect.never,
        listen: () => Effect.never,
        hangUp: Effect.void,
        isHeld: () => isHeld
      }
      const { leg: guarded, limit } = yield* guardLeg(leg, {
        deadline: Duration.toMillis("1 hour"),
        idle: Duration.minutes(2)
      })
      yield* Effect.fork(guarded.listen(Duration.seconds(8)))
      const ended = yield* Effect.fork(limit)
      yield* Effect.sleep("20 minutes")
      assert.isNull(ended.unsafePoll())
      isHeld = false
      yield* Effect.sleep("5 minutes")
      assert.strictEqual(yield* Fiber.join(ended), "idle")
    }))
})

/** Leg of a call on which nothing is said. */
const voiceless = Layer.succeed(Voicing, {
  legOf: ({ hangUp }) => Effect.succeed<Leg>({ say: () => Effect.never, listen: () => Effect.never, hangUp })
})

const silentAgent = Layer.succeed(CallHandler, {
  handle: ({ hangUp }) =>
    Effect.as(hangUp, {
      agent_done: false,
      ended_by: "agent" as const,
      language_name: null,
      transcript: [],
      final_agent_variables: {},
      output_agent_variables: {},
      average_agent_response_seconds: null,
      average_user_response_seconds: null,
      business_retry: false,
      reschedule_at: null,
      fault: null,
      no_input: true
    })
})

/** The result of a call on a line with a trouble. */
const resultWith = (trouble: LineTrouble | null) =>
  Effect.gen(function*() {
    const { line } = yield* makeSimulatedAudioLine()
    const outcome = yield* (yield* Calls).converse({ ...line, trouble: () => trouble }, attemptInProgress("accepted"))
    return summarizeOutcome(outcome, null)
  }).pipe(Effect.scoped, Effect.provide(Layer.provide(telephony({ handler: silentAgent }), voiceless)))

describe("the trouble of a line", () => {
  virtualTest("is the reason of a connected call, before that nothing was said", () =>
    Effect.gen(function*() {
      const connected = { connectivity_status: "connected", completion_status: "partial" } as const
      assert.deepInclude(yield* resultWith(null), { ...connected, failure_reason: "no_input" })
      assert.deepInclude(yield* resultWith({ reason: "sip: no sound came", isFailed: false }), {
        ...connected,
        failure_reason: "sip: no sound came"
      })
    }))

  virtualTest("makes a call that never came about one that failed", () =>
    Effect.gen(function*() {
      const result = yield* resultWith({ reason: "sip: the answer was never acknowledged", isFailed: true })
      assert.deepStrictEqual(result, {
        completion_status: "failed",
        connectivity_status: "failed",
        failure_reason: "sip: the answer was never acknowledged",
        interaction: null
      })
    }))
})

describe("a tap", () => {
  virtualTest("reads codes now and then, and before whatever ends the sound", () =>
    Effect.gen(function*() {
      let listener: (event: LineEvent) => void = () => undefined
      let waiting = 0
      const line: AudioLine = {
        _tag: "AudioLine",
        rate: 8_000,
        hear: (hear) => {
          listener = hear
        },
        play: () => undefined,
        clear: () => 0,
        tap: () => ({
          read: (onCodes) => {
            onCodes(new Uint8Array(waiting))
            waiting = 0
          }
        }),
        press: () => Effect.void,
        hangUp: Effect.void
      }
      const reports: Array<string> = []
      const { line: tappedLine, read } = tapLine(line, {
        onFrame: () => reports.push("a frame"),
        onCodes: (codes) => reports.push(`${codes.length} codes`),
        onHeld: (on) => reports.push(`held ${on}`),
        onEnd: () => reports.push("end")
      })
      const events: Array<string> = []
      tappedLine.hear((event) => events.push(event._tag))
      const pass = (frames: number) => {
        for (let frame = 0; frame < frames; frame++) {
          waiting += 1
          listener({ _tag: "Frame", samples: new Float32Array(160), concealed: false })
        }
      }
      pass(30)
      read()
      pass(3)
      listener({ _tag: "Held", on: true })
      listener({ _tag: "Held", on: false })
      pass(2)
      listener({ _tag: "Ended", by: "user" })
      yield* tappedLine.hangUp
      assert.deepStrictEqual(
        reports,
        ["25 codes", "5 codes", "3 codes", "held true", "0 codes", "held false", "2 codes", "end"]
      )
      assert.lengthOf(events, 38)
    }))
})
