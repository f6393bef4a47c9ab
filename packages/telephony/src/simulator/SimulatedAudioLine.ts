import { makePlayout } from "@trunkline/audio"
import { BusinessTime } from "@trunkline/kernel"
import { Deferred, Effect, type Scope } from "effect"
import { type AudioLine, FRAME_MILLIS, type LineEvent } from "../calls/AudioLine.js"
import type { EndedBy } from "../calls/Leg.js"

/** The caller's side of a line with sound, for tests. */
export interface AudioCaller {
  /** Says mono samples at the rate of the line, after those that are still to be said. */
  readonly say: (samples: Float32Array) => void
  readonly press: (digit: string) => void
  /** Holds the call, or goes on. */
  readonly hold: (on: boolean) => void
  readonly hangUp: Effect.Effect<void>
  /** All that was heard of the agent so far, silence included: one sample for each of the line's. */
  readonly recording: () => Float32Array
  /** Keys that the agent has sent. */
  readonly pressed: () => string
  /** Completes when the call has ended. */
  readonly ended: Effect.Effect<EndedBy>
}

/** Both sides of a line. */
export interface AudioCall {
  readonly line: AudioLine
  readonly caller: AudioCaller
}

/**
 * Makes a line with sound at the pace of business time, without loss or delay. It lasts until one side hangs up or the
 * scope closes, which counts as the provider's end.
 */
export const makeSimulatedAudioLine = (
  { rate = 8_000 }: { readonly rate?: number } = {}
): Effect.Effect<AudioCall, never, Scope.Scope> =>
  Effect.gen(function*() {
    const over = yield* Deferred.make<EndedBy>()
    const toAgent = makePlayout({ rate })
    const toCaller = makePlayout({ rate })
    const frame = new Float32Array(Math.round(rate * FRAME_MILLIS / 1000))
    const recorded: Array<Float32Array> = []
    let listener: (event: LineEvent) => void = () => {}
    let endedBy: EndedBy | null = null
    let isHeld = false
    let keys = ""

    const end = (by: EndedBy) =>
      Effect.suspend(() => {
        if (endedBy !== null) return Effect.void
        endedBy = by
        listener({ _tag: "Ended", by })
        return Effect.asVoid(Deferred.succeed(over, by))
      })

    const tick = (): void => {
      if (isHeld) return
      const heard = new Float32Array(frame.length)
      const marks = toCaller.next(heard)
      recorded.push(heard)
      for (const mark of marks) listener({ _tag: "Reached", mark })
      toAgent.next(frame)
      listener({ _tag: "Frame", samples: frame, concealed: false })
    }

    const startedAt = yield* BusinessTime.now
    const ticks = Effect.gen(function*() {
      for (let count = 1; endedBy === null; count++) {
        yield* BusinessTime.sleepUntil(startedAt + count * FRAME_MILLIS)
        if (endedBy === null) tick()
      }
    })
    yield* Effect.forkScoped(ticks)
    yield* Effect.addFinalizer(() => end("provider"))

    const emit = (event: LineEvent): void => {
      if (endedBy === null) listener(event)
    }

    const line: AudioLine = {
      _tag: "AudioLine",
      rate,
      hear: (hear) => {
        listener = hear
        if (endedBy !== null) hear({ _tag: "Ended", by: endedBy })
      },
      play: (samples, mark) => {
        if (endedBy !== null) return
        const sound = samples.every(Number.isFinite)
          ? samples
          : samples.map((sample) => Number.isFinite(sample) ? sample : 0)
        toCaller.enqueue(sound, mark)
      },
      clear: () => toCaller.clear(),
      press: (digits) => Effect.sync(() => keys += endedBy === null ? digits.replaceAll(/[^0-9*#A-D]/g, "") : ""),
      hangUp: end("agent")
    }

    return {
      line,
      caller: {
        say: (samples) => toAgent.enqueue(samples),
        press: (digit) => emit({ _tag: "Pressed", digit }),
        hold: (on) => {
          isHeld = on
          emit({ _tag: "Held", on })
        },
        hangUp: end("user"),
        recording: () => {
          const all = new Float32Array(recorded.length * frame.length)
          recorded.forEach((heard, index) => all.set(heard, index * frame.length))
          return all
        },
        pressed: () => keys,
        ended: Deferred.await(over)
      }
    }
  })
