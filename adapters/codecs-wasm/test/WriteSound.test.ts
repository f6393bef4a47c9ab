import { assert, describe, it } from "@effect/vitest"
import type { AudioFormat } from "@trunkline/audio"
import { toneOf } from "@trunkline/audio/testing"
import { Effect } from "effect"
import type { CodecThread } from "../src/thread/CodecThread.js"
import type { CompressedCodec, Job } from "../src/thread/Messages.js"
import type { Threads } from "../src/thread/Threads.js"
import { writeSound } from "../src/WriteSound.js"
import { turnsDuring } from "./Turns.js"

/** Threads that keep what they are asked. */
const keeping = () => {
  const jobs: Array<Job> = []
  const thread: CodecThread = {
    ready: Effect.void,
    run: (job) =>
      Effect.sync(() => {
        jobs.push(job)
        return { _tag: "Written", bytes: new Uint8Array(7) }
      }),
    end: Effect.void,
    isBroken: () => false
  }
  const threads: Threads = { use: (work) => work(thread) }
  return { jobs, threads }
}

const writing = (format: AudioFormat<CompressedCodec>) =>
  Effect.gen(function*() {
    const { jobs, threads } = keeping()
    const sound = toneOf({ rate: format.rate, seconds: 1, hertz: 440, level: 0.5 })
    assert.deepStrictEqual(yield* writeSound(threads, sound, format), new Uint8Array(7))
    return jobs.map((job) => job._tag === "Write" ? { ...job.writing, samples: job.writing.samples.length } : job)
  })

describe("a sound on its way to a thread", () => {
  it.live("keeps its rate, but for Opus at a rate that it does not take", () =>
    Effect.gen(function*() {
      const given = { bitrate: "128k", samples: 22_050 } as const
      assert.deepStrictEqual(yield* writing({ codec: "flac", rate: 22_050 }), [
        { ...given, codec: "flac", asked: 22_050, rate: 22_050 }
      ])
      assert.deepStrictEqual(yield* writing({ codec: "opus", rate: 24_000, bitrate: "32k" }), [
        { bitrate: "32k", samples: 24_000, codec: "opus", asked: 24_000, rate: 24_000 }
      ])
      assert.deepStrictEqual(yield* writing({ codec: "opus", rate: 22_050 }), [
        { ...given, samples: 48_000, codec: "opus", asked: 22_050, rate: 48_000 }
      ])
    }))

  it.live("lets others have their turn while it is resampled", () =>
    Effect.gen(function*() {
      const sound = toneOf({ rate: 44_100, seconds: 10, hertz: 440, level: 0.5 })
      const work = writeSound(keeping().threads, sound, { codec: "opus", rate: 44_100 })
      assert.isAtLeast(yield* turnsDuring(work), 40)
    }))
})
