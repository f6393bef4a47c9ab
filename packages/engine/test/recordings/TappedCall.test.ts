import { assert, describe } from "@effect/vitest"
import { AgentCatalog } from "@trunkline/agents"
import { FileStore } from "@trunkline/cohorts"
import { AppId, AttemptId, Entropy, InteractionId, PhoneNumber } from "@trunkline/kernel"
import { virtualTest } from "@trunkline/kernel/testing"
import { type AudioLine, type CallBrief, CallRecorder, type LineEvent, type LineRecording } from "@trunkline/telephony"
import { Duration, Effect, Layer, Redacted } from "effect"
import { callRecorderLayer } from "../../src/recordings/CallRecorderLive.js"
import { RecordingKeys } from "../../src/recordings/RecordingKeys.js"
import { mondayMorning, scope } from "../Fixtures.js"

const brief: CallBrief = {
  attempt_id: AttemptId.make("att-1"),
  scope,
  direction: "inbound",
  app_id: AppId.make("desk"),
  app_version: 1,
  user_phone_number: PhoneNumber.make("+919876543210"),
  agent_phone_number: PhoneNumber.make("+911140000001"),
  agent_variables: {},
  app_overrides: { record: true },
  maxDuration: Duration.hours(1)
}

/** A line of 8 kHz with codes that wait until they are read, of which `pass` adds a number of seconds. */
const makeTappedLine = () => {
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
        onCodes(new Uint8Array(16_000 * waiting))
        waiting = 0
      }
    }),
    press: () => Effect.void,
    hangUp: Effect.void
  }
  return {
    line,
    emit: (event: LineEvent) => listener(event),
    pass: (seconds: number) => {
      waiting += seconds
    }
  }
}

const services = callRecorderLayer({}).pipe(Layer.provide(Layer.mergeAll(
  FileStore.layerMemory,
  Layer.provide(RecordingKeys.layer([Redacted.make("k".repeat(32))]), Entropy.layerSeeded("recordings")),
  AgentCatalog.layerOf([])
)))

/** Result of the recording of a call whose line is tapped. */
const recorded = (
  hold: (line: ReturnType<typeof makeTappedLine>, recording: LineRecording) => Effect.Effect<void>
) =>
  Effect.gen(function*() {
    const tapped = makeTappedLine()
    const { record } = yield* CallRecorder
    const call = { interaction_id: InteractionId.make("int-1"), brief, isResumed: false }
    const recording = (yield* record(tapped.line, call)) ?? assert.fail("the call is not recorded")
    recording.line.hear(() => undefined)
    yield* hold(tapped, recording)
    return yield* recording.end
  }).pipe(Effect.provide(services))

describe("a recording of a line with codes", () => {
  virtualTest(
    "has the last sound when the line has ended, and when the call leaves it before",
    () =>
      Effect.gen(function*() {
        const ended = yield* recorded(({ emit, pass }) =>
          Effect.sync(() => {
            pass(2.5)
            emit({ _tag: "Ended", by: "user" })
          })
        )
        assert.deepStrictEqual(ended, { status: "kept", reason: null, seconds: 2.5 })
        const left = yield* recorded(({ pass }) => Effect.sync(() => pass(2.5)))
        assert.deepStrictEqual(left, { status: "kept", reason: null, seconds: 2.5 })
      }),
    { start: mondayMorning }
  )

  virtualTest("keeps nothing that waits from a pause", () =>
    Effect.gen(function*() {
      const result = yield* recorded(({ pass }, { control }) =>
        Effect.gen(function*() {
          yield* control.pause
          pass(2)
          yield* control.resume
        })
      )
      assert.strictEqual(result?.status, "refused")
    }), { start: mondayMorning })
})
