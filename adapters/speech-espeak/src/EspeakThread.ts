import { fromPcm16 } from "@trunkline/audio"
import { ModelFailed } from "@trunkline/errors"
import { entryBeside, makeIdleWorkers, type PooledWorker, startThread } from "@trunkline/workers"
import { Effect, Schema, type Scope } from "effect"
import { type AudioFeed, makeAudioFeed } from "./AudioFeed.js"
import type { EspeakBackend, EspeakRequest, Synthesis } from "./Engine.js"
import { makeGate, noteTaken, open, stop } from "./Gate.js"

const Samples = Schema.declare((value): value is Int16Array => value instanceof Int16Array)

/** Reply of a thread: 16 bit samples, the end of an utterance, or the kind of error that espeak died of. */
const EspeakReply = Schema.Union(
  Schema.TaggedStruct("Audio", { samples: Samples }),
  Schema.TaggedStruct("Done", {}),
  Schema.TaggedStruct("Broken", { kind: Schema.String })
)
export type EspeakReply = typeof EspeakReply.Type

const isReply = Schema.is(EspeakReply)

/** Options of an utterance in a thread. */
export interface BeginOptions {
  /** Time without audio while the reader waits, in milliseconds. */
  readonly audioMillis: number
  /** Called when the thread can speak again, or is broken. */
  readonly onDone: () => void
}

/** A thread with espeak, which speaks one utterance at a time. The process stays alive for it only while it speaks. */
export interface EspeakThread extends PooledWorker {
  readonly begin: (request: EspeakRequest, options: BeginOptions) => Synthesis
}

/** Module that threads run. */
export const workerEntry = entryBeside(import.meta.url, "worker")

/**
 * Starts a thread; espeak loads in it while the first utterance waits. An utterance that does not stop within
 * `graceMillis` ends the thread.
 */
export const startEspeakThread = (entry: URL, graceMillis = 2_000): EspeakThread => {
  const gate = makeGate()
  let broken: ModelFailed | null = null
  let current: { readonly feed: AudioFeed; readonly onDone: () => void } | null = null

  const finish = (failure: ModelFailed | null) => {
    thread.hold(false)
    const { feed, onDone } = current ?? {}
    current = null
    feed?.end(failure)
    onDone?.()
  }
  const breakBy = (kind: string) => {
    broken ??= new ModelFailed({ message: `The thread of espeak-ng crashed: ${kind}` })
    finish(broken)
  }
  const end = async () => {
    breakBy("Ended")
    await thread.terminate()
  }

  const thread = startThread(entry, {
    name: "espeak",
    workerData: gate,
    onCrash: ({ kind }) => breakBy(kind),
    onMessage: (reply) => {
      if (!isReply(reply)) breakBy("UnknownMessage")
      else if (reply._tag === "Audio") current?.feed.push(fromPcm16(reply.samples))
      else if (reply._tag === "Done") finish(null)
      else breakBy(reply.kind)
    }
  })

  return {
    begin: (request, { audioMillis, onDone }) => {
      const feed = makeAudioFeed({
        timeoutMillis: audioMillis,
        onTaken: () => current?.feed === feed && noteTaken(gate)
      })
      const completion = new Promise<void>((resolve) => {
        current = {
          feed,
          onDone: () => {
            onDone()
            resolve()
          }
        }
      })
      if (broken !== null) finish(broken)
      else {
        open(gate)
        thread.hold(true)
        thread.post(request)
      }
      return {
        audio: feed.audio,
        end: Effect.promise(async () => {
          if (current?.feed !== feed) return
          stop(gate)
          const timer = setTimeout(() => void end(), graceMillis)
          await completion
          clearTimeout(timer)
        })
      }
    },
    isBroken: () => broken !== null,
    end: Effect.promise(end)
  }
}

/** Time after which idle threads end, in milliseconds. */
const idleMillis = 60_000

/**
 * WebAssembly as a backend, in threads, since espeak blocks while it speaks. One thread starts at once and stays, so that
 * no utterance waits for espeak to load; the others end when they are idle.
 */
export const makeWasmBackend = (
  { audioMillis, start }: { readonly start: () => EspeakThread; readonly audioMillis: number }
): Effect.Effect<EspeakBackend, never, Scope.Scope> =>
  Effect.map(makeIdleWorkers({ start, idleMillis, minimum: 1 }), ({ release, take }) => ({
    english: "en",
    begin: (request, onDone) =>
      Effect.sync(() => {
        const thread = take()
        return thread.begin(request, {
          audioMillis,
          onDone: () => {
            release(thread)
            onDone()
          }
        })
      })
  }))
