import { assert, describe, it } from "@effect/vitest"
import { makeAnswerDetector } from "@trunkline/telephony"

const rate = 8_000
const frameLength = 160

/** Sound like a voice: many harmonics whose loudness moves as in syllables. */
const voice = (seconds: number): Float32Array =>
  new Float32Array(seconds * rate).map((_, at) => {
    const time = at / rate
    const sum = [1, 2, 3, 4, 5, 6].reduce((all, harmonic) => all + Math.sin(2 * Math.PI * 130 * harmonic * time), 0)
    return 0.05 * sum * (0.7 + 0.3 * Math.sin(2 * Math.PI * 4 * time))
  })

const silence = (seconds: number): Float32Array => new Float32Array(seconds * rate)

const tone = (frequency: number, seconds: number): Float32Array =>
  silence(seconds).map((_, at) => 0.2 * Math.sin(2 * Math.PI * frequency * at / rate))

/** Hears sounds one after the other, with words that are known at moments in milliseconds. */
const hear = (sounds: ReadonlyArray<Float32Array>, words: Readonly<Record<number, string>> = {}) => {
  const detector = makeAnswerDetector({ rate })
  const readyAt = { millis: Infinity }
  let millis = 0
  for (const sound of sounds) {
    for (let from = 0; from + frameLength <= sound.length; from += frameLength) {
      detector.push(sound.subarray(from, from + frameLength))
      millis += 20
      const text = words[millis]
      if (text !== undefined) detector.hear(text, false)
      if (detector.isReady) readyAt.millis = Math.min(readyAt.millis, millis)
    }
  }
  return { verdict: detector.verdict, readyAt: readyAt.millis }
}

describe("a detector of who answered", () => {
  it("finds a person by a short greeting and the pause after it", () => {
    const { verdict } = hear([silence(0.4), voice(0.6), silence(1)])
    assert.deepInclude(verdict, { answered_by: "person", evidence: "rhythm" })
    assert.isBelow(verdict?.decided_ms ?? Infinity, 1_900)
  })

  it("finds a machine by speech without a pause, and is ready after its beep", () => {
    const { readyAt, verdict } = hear([silence(0.4), voice(5), silence(0.5), tone(1_000, 0.4), silence(1)])
    assert.deepInclude(verdict, { answered_by: "machine", evidence: "rhythm" })
    assert.isAtLeast(readyAt, 6_200)
    assert.isAtMost(readyAt, 6_400)
  })

  it("is ready two seconds after a greeting without a beep", () => {
    const { readyAt } = hear([silence(0.4), voice(5), silence(3)])
    assert.isAtLeast(readyAt, 7_300)
    assert.isAtMost(readyAt, 7_500)
  })

  it("finds a machine by its words, long before its greeting is over", () => {
    const { verdict } = hear([silence(0.4), voice(2)], { 1_400: "The person you are calling is not available" })
    assert.deepStrictEqual(verdict, {
      answered_by: "machine",
      evidence: "words",
      decided_ms: 1_400,
      words: "The person you are calling is not available"
    })
  })

  it("takes a person for a machine no longer once their words are known", () => {
    const { verdict } = hear([silence(0.4), voice(4)], { 4_000: "yes please, I am driving" })
    assert.deepInclude(verdict, { answered_by: "person", evidence: "words" })
  })

  it("takes a machine for a person no longer once its words are known", () => {
    const { verdict } = hear([silence(0.2), voice(0.5), silence(1), voice(2)], {
      3_000: "hello please leave a message"
    })
    assert.deepInclude(verdict, { answered_by: "machine", evidence: "words" })
  })

  it("takes words that anybody could say for those of a person, 2.44 seconds after the answer", () => {
    assert.deepInclude(hear([silence(0.4), voice(3)], { 1_400: "hello anil" }).verdict, {
      answered_by: "person",
      evidence: "rhythm",
      decided_ms: 2_440
    })
  })

  it("waits for 1.64 seconds of a voice that begins late", () => {
    assert.deepInclude(hear([silence(1.6), voice(2)], { 2_400: "hello anil" }).verdict, {
      answered_by: "person",
      decided_ms: 3_260
    })
  })

  it("takes a greeting that goes on for a machine, until its words are those of a person", () => {
    const opening = { 2_000: "I am not available" }
    assert.deepInclude(hear([silence(0.4), voice(2.2)], opening).verdict, {
      answered_by: "machine",
      evidence: "rhythm",
      decided_ms: 2_440
    })
    assert.deepInclude(
      hear([silence(0.4), voice(2.4)], { ...opening, 2_700: "I am not available call me later" }).verdict,
      { answered_by: "person", evidence: "words" }
    )
  })

  it("takes the same greeting for a person's where it ends", () => {
    assert.deepInclude(hear([silence(0.4), voice(1.2), silence(1)], { 1_500: "this is asha i" }).verdict, {
      answered_by: "person"
    })
  })

  it("awaits the words after those of a recording, which may be a service that screens", () => {
    const words = {
      1_400: "the person you are calling",
      2_300: "the person you are calling is using a screening service"
    }
    assert.deepInclude(hear([silence(0.4), voice(3)], words).verdict, { answered_by: "screening", decided_ms: 2_300 })
    assert.deepInclude(hear([silence(0.4), voice(3)], { 1_400: "the person you are calling" }).verdict, {
      answered_by: "machine",
      evidence: "words",
      decided_ms: 2_440
    })
  })

  it("takes back a person in doubt once the greeting opens like a recording, and goes on", () => {
    const { verdict } = hear([silence(0.4), voice(4)], {
      1_400: "thanks for calling",
      3_000: "thanks for calling we are closed"
    })
    assert.deepInclude(verdict, { answered_by: "machine", evidence: "rhythm", decided_ms: 3_420 })
  })

  it("takes back a person in doubt who speaks for six seconds without a pause, and not later in a conversation", () => {
    assert.deepInclude(hear([silence(0.4), voice(7)], { 1_400: "hello anil" }).verdict, { answered_by: "machine" })
    assert.deepInclude(hear([silence(0.4), voice(0.5), silence(1), voice(7)], { 1_400: "hello anil" }).verdict, {
      answered_by: "person"
    })
  })

  it("takes no beep without a greeting for a machine", () => {
    assert.isNull(hear([silence(0.4), tone(1_400, 0.3), silence(1)]).verdict)
  })

  it("finds no silence while tones are heard", () => {
    const slow = Array.from({ length: 4 }, () => [tone(400, 0.75), silence(0.75)]).flat()
    assert.deepInclude(hear(slow).verdict, { answered_by: "network", evidence: "tone" })
  })

  it("finds the calling tone of a fax, and its answering tone", () => {
    for (const sounds of [[silence(0.2), tone(1_100, 0.5), silence(0.5)], [silence(0.2), tone(2_100, 2)]]) {
      assert.deepInclude(hear(sounds).verdict, { answered_by: "fax", evidence: "tone" })
    }
  })

  it("finds the busy tone of a network", () => {
    const busy = Array.from({ length: 5 }, () => [tone(425, 0.48), silence(0.48)]).flat()
    assert.deepInclude(hear(busy).verdict, { answered_by: "network", evidence: "tone" })
  })

  it("finds silence after 2.4 seconds", () => {
    assert.deepInclude(hear([silence(3)]).verdict, { answered_by: "silence", decided_ms: 2_400, words: null })
  })

  it("believes the carrier", () => {
    const detector = makeAnswerDetector({ rate })
    detector.tell("machine")
    assert.deepInclude(detector.verdict, { answered_by: "machine", evidence: "carrier" })
  })
})
