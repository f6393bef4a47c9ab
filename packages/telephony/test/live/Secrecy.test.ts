import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import type { CallProgress } from "../../src/call/CallWatch.js"
import { tellTurns } from "../../src/calls/legs/TurnReports.js"
import { watchedLeg } from "../../src/calls/legs/WatchedLeg.js"
import type { Heard, Leg } from "../../src/index.js"

const said: Heard = { _tag: "Said", text: "four two", en_text: null, language_name: null }
const pressed: Heard = { _tag: "Pressed", digit: "42#" }

/** A leg that hears these one after the other, and what its watchers are told of them. */
const watched = (inputs: ReadonlyArray<Heard>) => {
  const signals: Array<boolean> = []
  const shown: Array<string> = []
  const told: Array<string> = []
  const waiting = [...inputs]
  const line: Leg = {
    say: ({ text }) => Effect.succeed({ heard: text, interrupted: false }),
    listen: () => Effect.sync(() => waiting.shift() ?? { _tag: "Silent" }),
    secrecy: (isSecret) => Effect.sync(() => void signals.push(isSecret)),
    hangUp: Effect.void
  }
  const watch = (progress: CallProgress) => {
    if (progress._tag === "Words") shown.push(progress.text)
  }
  const leg = tellTurns(watchedLeg(line, watch), {
    tell: ({ text }) => Effect.sync(() => void told.push(text)),
    tellPart: () => {}
  })
  return { leg, shown, signals, told }
}

const listen = ({ leg }: { readonly leg: Leg }) => leg.listen(Duration.seconds(1))

describe("what a caller enters in secret", () => {
  it.effect("reaches the conversation, while watchers and the record get dots for keys and no words", () =>
    Effect.gen(function*() {
      const call = watched([pressed, said, pressed])
      yield* call.leg.secrecy?.(true) ?? Effect.void
      assert.deepStrictEqual([yield* listen(call), yield* listen(call)], [pressed, said])
      assert.deepStrictEqual([call.shown, call.told], [["••#"], ["••#"]])
      yield* call.leg.secrecy?.(false) ?? Effect.void
      yield* listen(call)
      assert.deepStrictEqual([call.shown, call.told], [["••#", "42#"], ["••#", "42#"]])
      assert.deepStrictEqual(call.signals, [true, false])
    }))
})
