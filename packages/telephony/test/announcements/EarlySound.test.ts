import { assert, describe, it } from "@effect/vitest"
import { concatSamples } from "@trunkline/audio"
import { hearAnnouncement, makeEarlySound } from "@trunkline/telephony"
import { Effect } from "effect"

const rate = 8_000

const silence = (seconds: number) => new Float32Array(Math.round(seconds * rate))

const tone = (hertz: number, seconds: number) =>
  Float32Array.from({ length: Math.round(seconds * rate) }, (_, at) => 0.3 * Math.sin(2 * Math.PI * hertz * at / rate))

/** Sound that is neither a tone nor silence. */
const speech = (seconds: number) =>
  tone(700, seconds).map((sample, at) => sample + 0.2 * Math.sin(at / 3) + 0.2 * Math.sin(at / 9))

const repeated = (times: number, ...parts: ReadonlyArray<Float32Array>) =>
  concatSamples(Array.from({ length: times }, () => parts).flat())

const busyTone = repeated(5, tone(400, 0.75), silence(0.75))
const ringing = repeated(8, tone(400, 0.4), silence(0.2), tone(400, 0.4), silence(2))

const storeOf = (...parts: ReadonlyArray<Float32Array>) => {
  const sound = makeEarlySound(rate)
  const samples = concatSamples(parts)
  for (let at = 0; at + 160 <= samples.length; at += 160) sound.push(samples.subarray(at, at + 160), false)
  return sound
}

/** The announcement that is heard, and the seconds of sound whose words were asked for. */
const hear = (words: string, ...parts: ReadonlyArray<Float32Array>) => {
  const asked: Array<number> = []
  const wordsOf = ({ samples }: { readonly samples: Float32Array }) =>
    Effect.sync(() => {
      asked.push(samples.length / rate)
      return words
    })
  return Effect.map(hearAnnouncement(storeOf(...parts), wordsOf), (heard) => ({ heard, asked }))
}

describe("the sound before an answer", () => {
  it.effect("is told by its words, once", () =>
    Effect.gen(function*() {
      const { asked, heard } = yield* hear("The number is switched off.", ringing, speech(5), silence(1))
      assert.deepStrictEqual(heard, { by: "announcement", name: "switched off", cause: 20 })
      assert.lengthOf(asked, 1)
    }))

  it.effect("is told by its tone where there are no words, and nobody is asked for some", () =>
    Effect.gen(function*() {
      const { asked, heard } = yield* hear("never", ringing, busyTone)
      assert.deepStrictEqual(heard, { by: "tone", name: "busy", cause: 17 })
      assert.deepStrictEqual(asked, [])
    }))

  it.effect("is told by its words before the tone that follows them, and by the tone when the words tell nothing", () =>
    Effect.gen(function*() {
      assert.strictEqual((yield* hear("It does not exist.", speech(4), busyTone)).heard?.cause, 1)
      assert.strictEqual((yield* hear("Welcome.", speech(4), busyTone)).heard?.by, "tone")
    }))

  it.effect("is nothing while it only rings, is silent or clicks", () =>
    Effect.gen(function*() {
      const clicks = repeated(30, speech(0.03), silence(0.97))
      for (const sound of [ringing, silence(40), clicks, speech(0.8)]) {
        assert.deepStrictEqual(yield* hear("never", sound), { heard: null, asked: [] })
      }
    }))

  it("keeps the last 30 seconds that are neither tones nor pauses", () => {
    const long = storeOf(speech(20), silence(20), ringing, speech(15), busyTone).voice()
    assert.closeTo((long?.samples.length ?? 0) / rate, 30, 0.01)
    const short = storeOf(silence(5), ringing, speech(3), silence(30), speech(3), busyTone).voice()
    const seconds = (short?.samples.length ?? 0) / rate
    assert.isAtLeast(seconds, 6)
    assert.isAtMost(seconds, 8)
    assert.isNull(makeEarlySound(rate).voice())
  })

  it("keeps a vowel that sounds like a tone", () => {
    const word = concatSamples([speech(0.5), tone(430, 0.12), speech(0.5)])
    const { samples = new Float32Array() } = storeOf(word).voice() ?? {}
    assert.strictEqual(samples.length, word.length)
    word.forEach((sample, at) => assert.closeTo(samples[at] ?? 9, sample, 0.05))
  })
})
