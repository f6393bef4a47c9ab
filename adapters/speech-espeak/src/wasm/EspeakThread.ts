import { fromPcm16 } from "@trunkline/audio"
import { ModelFailed } from "@trunkline/errors"
import { describeCause } from "@trunkline/kernel"
import { Cause, Effect } from "effect"
import { Worker, type WorkerOptions } from "node:worker_threads"
import type { Begun, Speaking } from "../engine/Engine.js"
import { type Feed, makeFeed } from "../engine/Feed.js"
import { makeGate, open, stop, taken } from "./Gate.js"
import { isTold } from "./Messages.js"

/** A module that threads run, and the options of Node.js that it needs. */
export interface ThreadEntry {
  readonly url: URL
  readonly options?: Pick<WorkerOptions, "execArgv">
}

/** A thread with espeak in it, which says one thing at a time. The process does not stay for it unless it speaks. */
export interface EspeakThread {
  /** Begins to speak; `onGone` is called when it can speak anew, or is broken. */
  readonly begin: (speaking: Speaking, options: { readonly limit: number; readonly onGone: () => void }) => Begun
  /** Whether it will never speak again. */
  readonly isBroken: () => boolean
  /** Ends it, whatever it is doing, and waits until it is gone. */
  readonly end: () => Promise<void>
}

const kindOf = (error: unknown): string => describeCause(Cause.die(error)).split("\n")[0] ?? ""

/**
 * Starts a thread; espeak loads in it while the first utterance waits. One that is stopped and does not end what it does
 * within `grace`, in milliseconds, is ended itself. What it would print is dropped.
 */
export const startThread = ({ options, url }: ThreadEntry, grace = 2_000): EspeakThread => {
  const gate = makeGate()
  const worker = new Worker(url, { ...options, workerData: gate, name: "espeak", stdout: true, stderr: true })
  let broken: ModelFailed | null = null
  let spoken: { readonly feed: Feed; readonly over: () => void } | null = null

  const finish = (failure: ModelFailed | null) => {
    worker.unref()
    const { feed, over } = spoken ?? {}
    spoken = null
    feed?.end(failure)
    over?.()
  }
  const breakBy = (kind: string) => {
    broken ??= new ModelFailed({ message: `The thread of espeak-ng broke: ${kind}` })
    finish(broken)
  }
  const end = async () => {
    breakBy("Ended")
    await worker.terminate()
  }

  worker.on("message", (told) => {
    if (!isTold(told)) breakBy("UnknownMessage")
    else if (told._tag === "Sound") spoken?.feed.push(fromPcm16(told.samples))
    else if (told._tag === "Done") finish(null)
    else breakBy(told.kind)
  })
  worker.on("error", (error) => breakBy(kindOf(error)))
  worker.on("messageerror", (error) => breakBy(kindOf(error)))
  worker.on("exit", (code) => breakBy(`Exit ${code}`))
  worker.stdout.resume()
  worker.stderr.resume()
  worker.unref()

  return {
    begin: (speaking, { limit, onGone }) => {
      const feed = makeFeed({ limit, onTaken: () => spoken?.feed === feed && taken(gate) })
      const over = new Promise<void>((resolve) => {
        spoken = {
          feed,
          over: () => {
            onGone()
            resolve()
          }
        }
      })
      if (broken !== null) finish(broken)
      else {
        open(gate)
        worker.ref()
        worker.postMessage(speaking)
      }
      return {
        sound: feed.sound,
        end: Effect.promise(async () => {
          if (spoken?.feed !== feed) return
          stop(gate)
          const late = setTimeout(() => void end(), grace)
          await over
          clearTimeout(late)
        })
      }
    },
    isBroken: () => broken !== null,
    end
  }
}
