import { type Clip, ClipRefused, CodecsBusy, type Sound } from "@trunkline/audio"
import { type Duration, Effect } from "effect"
import type { Outcome } from "./thread/CodecThread.js"
import type { CompressedFormat } from "./thread/Messages.js"
import type { Threads } from "./thread/Threads.js"

/** How a clip is read. */
export interface ReadOptions {
  readonly format: CompressedFormat
  /** How long it may be, in seconds. */
  readonly seconds: number
  /** How long reading it may take by the clock. */
  readonly budget: Duration.DurationInput
}

const unreadable = (message: string) => new ClipRefused({ reason: "unreadable", message })

const soundOf = (outcome: Outcome): Effect.Effect<Sound, ClipRefused> => {
  switch (outcome._tag) {
    case "Heard":
      return Effect.succeed({ rate: outcome.rate, samples: outcome.samples })
    case "Refused":
      return new ClipRefused({ reason: outcome.reason, message: outcome.message })
    case "Written":
      return Effect.dieMessage("A thread wrote what it was to read")
  }
}

const tooSlow = () => new CodecsBusy({ message: "The clip took too long to read here: try again later" })

/**
 * Reads a clip in a thread. One that breaks the thread is unreadable. One that takes it too long is not: Node.js 20
 * cannot tell what a thread worked from what it waited for a core, so nobody knows whether the clip or the machine was
 * to blame. Its thread is ended, so that a hostile clip holds one no longer than the budget.
 */
export const readClip = (
  threads: Threads,
  { bytes }: Clip,
  { budget, format, seconds }: ReadOptions
): Effect.Effect<Sound, ClipRefused | CodecsBusy> =>
  threads.use((thread) =>
    Effect.timeoutFail(
      Effect.suspend(() => thread.run({ _tag: "Read", reading: { format, seconds, bytes: new Uint8Array(bytes) } })),
      { duration: budget, onTimeout: tooSlow }
    )
  ).pipe(
    Effect.catchTags({
      NoThread: ({ message }) => new CodecsBusy({ message }),
      ThreadBroke: ({ kind }) =>
        Effect.zipRight(Effect.logWarning("A clip broke what was reading it", kind), unreadable("It is damaged"))
    }),
    Effect.flatMap(soundOf)
  )
