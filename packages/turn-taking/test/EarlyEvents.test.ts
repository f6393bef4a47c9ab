import { assert, describe, it } from "@effect/vitest"
import { virtualTest } from "@trunkline/kernel/testing"
import type { AudioLine, LineEvent } from "@trunkline/telephony"
import { Duration, Effect } from "effect"
import { heardFromNow } from "../src/EarlyEvents.js"
import { connect } from "./Audible.js"

describe("a caller who speaks as soon as the call is answered", () => {
  virtualTest(
    "is heard from the first sound, although the agent's voice takes a second to load",
    () =>
      Effect.gen(function*() {
        const { leg } = yield* connect({
          atOnce: "hello who is this",
          agentVoice: { of: () => Effect.delay(Effect.succeed({ pace: 1, reference: null }), "1 second") }
        })
        assert.deepInclude(yield* leg.listen(Duration.seconds(10)), { _tag: "Said", text: "hello who is this" })
      })
  )
})

/** A line that tells what it is told to, to its present listener. */
const toldLine = () => {
  let listener: (event: LineEvent) => void = () => {}
  const line: AudioLine = {
    _tag: "AudioLine",
    rate: 8_000,
    hear: (hear) => {
      listener = hear
    },
    play: () => {},
    clear: () => 0,
    press: () => Effect.void,
    hangUp: Effect.void
  }
  return { line, tell: (event: LineEvent) => listener(event) }
}

describe("events before somebody listens", () => {
  it("are kept for the first listener, in order: the last thirty seconds", () => {
    const { line, tell } = toldLine()
    const early = heardFromNow(line)
    const samples = new Float32Array(1)
    for (let count = 1; count <= 2_000; count++) {
      samples[0] = count
      tell({ _tag: "Frame", samples, concealed: false })
    }
    tell({ _tag: "Pressed", digit: "1" })
    const heard: Array<LineEvent> = []
    early.hear((event) => void heard.push(event))
    assert.strictEqual(heard.length, 1_500)
    assert.deepStrictEqual(heard.slice(-2), [
      { _tag: "Frame", samples: new Float32Array([2_000]), concealed: false },
      { _tag: "Pressed", digit: "1" }
    ])
    tell({ _tag: "Pressed", digit: "2" })
    const later: Array<LineEvent> = []
    early.hear((event) => void later.push(event))
    tell({ _tag: "Pressed", digit: "3" })
    assert.deepStrictEqual([heard.at(-1), later], [
      { _tag: "Pressed", digit: "2" },
      [{ _tag: "Pressed", digit: "3" }]
    ])
  })
})
