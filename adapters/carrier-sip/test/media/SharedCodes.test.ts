import { assert, describe, it } from "@effect/vitest"
import { alaw, frameSamples, mulaw } from "@trunkline/audio"
import type { SentCodes } from "@trunkline/sip"
import { FastCheck } from "effect"
import { makeSharedCodes, tapOf, writeCodes } from "../../src/media/shared/SharedCodes.js"

const levels = [0.1, 0.2, 0.3, 0.4, 0.5]
const [silence] = mulaw.encode(Float32Array.of(0))

/** A level that A-law has as well. */
const inAlaw = (samples: Float32Array) => alaw.decode(alaw.encode(samples))

/** Codes of sound as it may have been sent, and none. */
const sentCodes: ReadonlyArray<(samples: Float32Array) => SentCodes | null> = [
  (samples) => ({ codec: "mulaw", bytes: mulaw.encode(samples) }),
  (samples) => ({ codec: "alaw", bytes: alaw.encode(samples) }),
  (samples) => ({ codec: "g722", bytes: new Uint8Array(samples.length) }),
  () => null
]

/** Codes of both sides of a call, and what is read of them: the code with which each frame begins on each side. */
const world = () => {
  const shared = makeSharedCodes()
  const { read } = tapOf(shared)
  const written: Array<readonly [number | undefined, number | undefined]> = []
  const seen: Array<readonly [number | undefined, number | undefined]> = []
  return {
    written,
    seen,
    write: () => {
      const level = levels[written.length % levels.length] ?? 0
      const samples = inAlaw(new Float32Array(frameSamples).fill(level))
      const codes = sentCodes[written.length % sentCodes.length]?.(samples) ?? null
      const isSilent = written.length % 3 === 0
      writeCodes(shared, samples, isSilent ? null : { samples, codes })
      const [code] = mulaw.encode(samples)
      written.push([code, isSilent ? silence : code])
    },
    read: () =>
      read((part) => {
        for (let at = 0; at < part.length; at += 2 * frameSamples) seen.push([part[at], part[at + 1]])
      })
  }
}

describe("codes of a call that two threads share", () => {
  it("arrive once and in order, whenever they are read", () =>
    FastCheck.assert(FastCheck.property(FastCheck.array(FastCheck.nat(100), { maxLength: 20 }), (counts) => {
      const { read, seen, write, written } = world()
      for (const count of counts) {
        for (let frame = 0; frame < count; frame++) write()
        read()
      }
      assert.deepStrictEqual(seen, written)
    })))

  it("are silence where they have waited for too long, so that the time stays", () => {
    const { read, seen, write, written } = world()
    for (let frame = 0; frame < 1_000; frame++) write()
    read()
    assert.lengthOf(seen, 1_000)
    assert.deepStrictEqual(seen.slice(0, 700), Array.from({ length: 700 }, () => [silence, silence]))
    assert.deepStrictEqual(seen.slice(-240), written.slice(-240))
  })
})
