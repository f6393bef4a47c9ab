import { assert, describe, it } from "@effect/vitest"
import type { AudioFormat } from "@trunkline/audio"
import { toneOf } from "@trunkline/audio/testing"
import { Effect } from "effect"
import { encodeAudio } from "../src/CodecJobs.js"
import type { CodecJob, CodecThread, CodecThreads, CompressedCodec } from "../src/CodecThreads.js"
import { eventLoopTurns } from "./EventLoop.js"

/** Threads that record their jobs. */
const recordingThreads = () => {
  const jobs: Array<CodecJob> = []
  const thread: CodecThread = {
    ready: Effect.void,
    request: (job) =>
      Effect.sync(() => {
        jobs.push(job)
        return { _tag: "Encoded", bytes: new Uint8Array(7) }
      }),
    requestMany: () => Effect.never,
    end: Effect.void,
    isBroken: () => false
  }
  const threads: CodecThreads = { use: (work) => work(thread) }
  return { jobs, threads }
}

const jobsOf = (format: AudioFormat<CompressedCodec>) =>
  Effect.gen(function*() {
    const { jobs, threads } = recordingThreads()
    const audio = toneOf({ rate: format.rate, seconds: 1, hertz: 440, level: 0.5 })
    assert.deepStrictEqual(yield* encodeAudio(threads, audio, format), new Uint8Array(7))
    return jobs.map((job) => job._tag === "Encode" ? { ...job.job, samples: job.job.samples.length } : job)
  })

describe("audio on its way to a thread", () => {
  it.live("keeps its rate, but for Opus at a rate that Opus does not support", () =>
    Effect.gen(function*() {
      const job = { bitrate: "128k", samples: 22_050 } as const
      assert.deepStrictEqual(yield* jobsOf({ codec: "flac", rate: 22_050 }), [
        { ...job, codec: "flac", originalRate: 22_050, rate: 22_050 }
      ])
      assert.deepStrictEqual(yield* jobsOf({ codec: "opus", rate: 24_000, bitrate: "32k" }), [
        { bitrate: "32k", samples: 24_000, codec: "opus", originalRate: 24_000, rate: 24_000 }
      ])
      assert.deepStrictEqual(yield* jobsOf({ codec: "opus", rate: 22_050 }), [
        { ...job, samples: 48_000, codec: "opus", originalRate: 22_050, rate: 48_000 }
      ])
    }))

  it.live("does not block the event loop while it is resampled", () =>
    Effect.gen(function*() {
      const audio = toneOf({ rate: 44_100, seconds: 10, hertz: 440, level: 0.5 })
      const work = encodeAudio(recordingThreads().threads, audio, { codec: "opus", rate: 44_100 })
      assert.isAtLeast(yield* eventLoopTurns(work), 40)
    }))
})
