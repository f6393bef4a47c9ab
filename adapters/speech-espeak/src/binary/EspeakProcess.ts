import { ModelFailed, ModelUnavailable } from "@trunkline/errors"
import { Duration, Effect, Either } from "effect"
import { spawn } from "node:child_process"
import { type Begun, espeakRate, type Speaking } from "../engine/Engine.js"
import { makeFeed } from "../engine/Feed.js"
import { environment } from "./Environment.js"
import { makeWavSamples } from "./WavSamples.js"

/** How a process is started. */
export interface ProcessOptions {
  readonly binary: string
  /** How long it may give no sound while some is wanted, in milliseconds. */
  readonly limit: number
  /** Called when it is gone. */
  readonly onGone: () => void
}

/** Samples that are taken from the process ahead of the reader: clauses are shorter, so that most end before they are read. */
const readAhead = 24 * espeakRate

const argumentsOf = ({ pitch, voice, wordsPerMinute }: Speaking): ReadonlyArray<string> => {
  const manner = ["-v", voice, "-p", String(pitch), "-s", String(wordsPerMinute)]
  // The text is UTF-8, whatever the locale, and no pause follows it.
  return [...manner, "-b", "1", "-z", "--stdin", "--stdout"]
}

const codeOf = (error: unknown): string => error instanceof Error && "code" in error ? String(error.code) : "unknown"

const notStarted = (error: unknown) =>
  ["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"].includes(codeOf(error))
    ? new ModelUnavailable({ message: "There is no room for a process of espeak-ng", retryAfter: Duration.seconds(1) })
    : new ModelUnavailable({ message: `espeak-ng could not be started: ${codeOf(error)}`, lasting: true })

const endedBadly = (code: number | null, signal: string | null) =>
  new ModelFailed({ message: `espeak-ng ended with ${signal ?? `code ${code}`} before all was said` })

const noWav = new ModelFailed({ message: "espeak-ng gave something else than the sound that was asked for" })

const start = (speaking: Speaking, { binary, limit, onGone }: ProcessOptions): Begun => {
  const child = spawn(binary, argumentsOf(speaking), {
    env: environment(),
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true
  })
  const feed = makeFeed({ limit, onTaken: () => feed.waiting() < readAhead && child.stdout.resume() })
  const samplesOf = makeWavSamples()

  const gone = new Promise<void>((resolve) => {
    const leave = () => {
      onGone()
      resolve()
    }
    child.once("exit", leave)
    child.once("error", (error) => {
      feed.end(notStarted(error))
      if (child.pid === undefined) leave()
    })
  })
  const kill = () => {
    child.kill("SIGKILL")
    child.stdin.destroy()
    child.stdout.destroy()
  }

  child.once("close", (code, signal) => feed.end(code === 0 ? null : endedBadly(code, signal)))
  if (child.pid !== undefined) {
    child.stdout.on("data", (bytes: Buffer) => {
      const samples = samplesOf(bytes)
      if (Either.isLeft(samples)) {
        feed.end(noWav)
        kill()
      } else if (samples.right.length > 0) {
        feed.push(samples.right)
        if (feed.waiting() >= readAhead) child.stdout.pause()
      }
    })
    // It may die before it has read everything.
    child.stdin.on("error", () => undefined)
    child.stdin.end(speaking.text)
  }

  return {
    sound: feed.sound,
    end: Effect.promise(() => {
      if (child.pid !== undefined) kill()
      return gone
    })
  }
}

/**
 * Begins a process that speaks, and that is killed to stop it. The text goes through a pipe: nobody else on the machine
 * sees it.
 */
export const beginProcess = (
  speaking: Speaking,
  options: ProcessOptions
): Effect.Effect<Begun, ModelUnavailable> => Effect.try({ try: () => start(speaking, options), catch: notStarted })
