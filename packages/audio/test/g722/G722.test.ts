import { assert, describe, it } from "@effect/vitest"
import { makeG722Decoder, makeG722Encoder, makeRateDoubler, makeRateHalver } from "@trunkline/audio"
import { FastCheck } from "effect"
import { noiseOf } from "../Noise.js"

const sampleRate = 16_000

const tone = (hertz: number, samples: number, level = 0.5, rate = sampleRate): Float32Array =>
  Float32Array.from({ length: samples }, (_, at) => level * Math.sin(2 * Math.PI * hertz * at / rate))

const encoded = (samples: Float32Array): Uint8Array => {
  const bytes = new Uint8Array(samples.length >> 1)
  makeG722Encoder().encode(samples, bytes, 0)
  return bytes
}

const decoded = (bytes: Uint8Array): Float32Array => {
  const samples = new Float32Array(2 * bytes.length)
  makeG722Decoder().decode(bytes, 0, bytes.length, samples, 0)
  return samples
}

/** Samples by which both filters together delay sound. */
const filterDelay = 22

/** Ratio of a sound to its difference with another that is late by both filters, in decibels. */
const snr = (sound: Float32Array, late: Float32Array): number => {
  let [signal, noise] = [0, 0]
  for (let at = 1_600; at < sound.length - filterDelay; at++) {
    const sample = sound[at] ?? 0
    signal += sample ** 2
    noise += (sample - (late[at + filterDelay] ?? 0)) ** 2
  }
  return 10 * Math.log10(signal / noise)
}

const levelOf = (samples: Float32Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)

describe("G.722", () => {
  it("keeps tones of both sub-bands", () => {
    for (const [hertz, least] of [[200, 30], [1_000, 30], [3_000, 25], [5_000, 15], [6_500, 15]] as const) {
      const sound = tone(hertz, sampleRate)
      assert.isAbove(snr(sound, decoded(encoded(sound))), least, `${hertz} Hz`)
    }
  })

  it("encodes silence into silence, and ends sound in it", () => {
    assert.isBelow(Math.max(...decoded(encoded(new Float32Array(sampleRate)))), 0.001)
    const ended = new Float32Array(2 * sampleRate)
    ended.set(tone(1_000, sampleRate, 0.9))
    assert.isBelow(levelOf(decoded(encoded(ended)).subarray(sampleRate + 8_000)), 0.001)
  })

  it("survives full scale and beyond, and what is not a number", () => {
    const loud = tone(900, sampleRate, 8)
    const output = decoded(encoded(loud))
    assert.isTrue(output.every((sample) => sample >= -1 && sample <= 1))
    assert.isAbove(levelOf(output), 0.8)
    const broken = tone(900, sampleRate)
    broken[500] = Number.NaN
    broken[501] = Infinity
    broken[502] = -Infinity
    assert.isAbove(snr(tone(900, sampleRate).subarray(8_000), decoded(encoded(broken)).subarray(8_000)), 25)
  })

  it("decodes any bytes to samples from -1 to 1", () =>
    FastCheck.assert(FastCheck.property(FastCheck.uint8Array({ maxLength: 700 }), (bytes) => {
      assert.isTrue(decoded(bytes).every((sample) => sample >= -1 && sample <= 1))
    })))

  it("gives the same bytes and samples however a stream is divided, and whatever another one does meanwhile", () =>
    FastCheck.assert(FastCheck.property(
      FastCheck.array(FastCheck.integer({ min: 0, max: 400 }), { maxLength: 8 }),
      FastCheck.double({ min: 0, max: 1.2, noNaN: true }),
      (parts, level) => {
        const total = parts.reduce((sum, part) => sum + part, 0)
        const sound = noiseOf(2 * total, level)
        const bytes = new Uint8Array(total + 5)
        const samples = new Float32Array(2 * total)
        const [{ encode }, other] = [makeG722Encoder(), makeG722Encoder()]
        const { decode } = makeG722Decoder()
        let done = 0
        for (const part of parts) {
          encode(sound.subarray(2 * done, 2 * (done + part)), bytes, 5 + done)
          other.encode(noiseOf(320, 1), new Uint8Array(160), 0)
          decode(bytes, 5 + done, 5 + done + part, samples, 2 * done)
          done += part
        }
        assert.deepStrictEqual(bytes.subarray(5), encoded(sound))
        assert.deepStrictEqual(samples, decoded(encoded(sound)))
      }
    )))

  it("follows a stream again after bytes that were lost", () => {
    const sound = tone(700, 2 * sampleRate)
    const bytes = encoded(sound)
    const { decode } = makeG722Decoder()
    const samples = new Float32Array(sound.length)
    decode(bytes, 0, 4_000, samples, 0)
    decode(bytes, 4_320, bytes.length, samples, 8_640)
    assert.isAbove(snr(sound.subarray(16_000), samples.subarray(16_000)), 25)
  })
})

describe("changes between 8,000 and 16,000 hertz", () => {
  const inFrames = (sound: Float32Array, length: number, change: (frame: Float32Array, at: number) => void) => {
    for (let at = 0; at < sound.length; at += length) change(sound.subarray(at, at + length), at)
  }

  const halved = (sound: Float32Array): Float32Array => {
    const halve = makeRateHalver()
    const output = new Float32Array(sound.length >> 1)
    inFrames(sound, 320, (frame, at) => halve(frame, frame.length >> 1, output, at >> 1))
    return output
  }

  const doubled = (sound: Float32Array): Float32Array => {
    const double = makeRateDoubler()
    const output = new Float32Array(2 * sound.length)
    inFrames(sound, 160, (frame, at) => double(frame, frame.length, output, 2 * at))
    return output
  }

  it("keep what a narrow band has, through both", () => {
    for (const [hertz, least] of [[300, 40], [1_000, 40], [2_000, 35], [3_000, 20]] as const) {
      const sound = tone(hertz, sampleRate)
      assert.isAbove(snr(sound, doubled(halved(sound))), least, `${hertz} Hz`)
    }
  })

  it("leave out what it has not", () => {
    assert.isBelow(levelOf(halved(tone(6_000, sampleRate))), 0.01)
    assert.closeTo(levelOf(halved(tone(2_000, sampleRate))), 0.5 / Math.SQRT2, 0.01)
    assert.closeTo(levelOf(doubled(tone(2_000, 8_000, 0.5, 8_000))), 0.5 / Math.SQRT2, 0.01)
  })
})
