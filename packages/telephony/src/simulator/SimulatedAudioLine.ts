import { concatSamples, frameMillis, makePlayout } from "@trunkline/audio"
import { everyPeriod } from "@trunkline/kernel"
import { Deferred, Effect, type Scope } from "effect"
import type { AudioLine, LineEvent } from "../call/AudioLine.js"
import type { EndedBy } from "../call/Leg.js"

/** The caller's side of a line with sound, for tests. */
export interface AudioCaller {
  /** Says mono samples at the rate of the line, after those that are still to be said. */
  readonly say: (samples: Float32Array) => void
  readonly press: (digit: string) => void
  /** Holds the call, or goes on. */
  readonly hold: (on: boolean) => void
  readonly hangUp: Effect.Effect<void>
  /** All that was heard of the agent so far, silence included: one sample for each of the line's. Empty when not recorded. */
  readonly recording: () => Float32Array
  /** Keys that the agent has sent. */
  readonly keys: () => string
  /** Completes when the call has ended. */
  readonly ended: Effect.Effect<EndedBy>
}

/** Both sides of a line. */
export interface AudioCall {
  readonly line: AudioLine
  readonly caller: AudioCaller
}

/** Sound that grows, in blocks of a second. */
const makeRecording = (rate: number) => {
  const blocks: Array<Float32Array> = []
  let length = 0
  return {
    add: (samples: Float32Array): void => {
      for (let at = 0; at < samples.length; at++, length++) {
        const place = length % rate
        if (place === 0) blocks.push(new Float32Array(rate))
        const block = blocks[blocks.length - 1]
        if (block !== undefined) block[place] = samples[at] ?? 0
      }
    },
    /** A copy of the sound so far. */
    all: (): Float32Array => concatSamples(blocks).subarray(0, length)
  }
}

const isFinite = (samples: Float32Array): boolean => {
  let sum = 0
  for (let at = 0; at < samples.length; at++) sum += samples[at] ?? 0
  return Number.isFinite(sum)
}

const withoutFaults = (samples: Float32Array): Float32Array =>
  samples.map((sample) => Number.isFinite(sample) ? sample : 0)

/**
 * Makes a line with sound at the pace of business time, without loss or delay. It lasts until one side hangs up or the
 * scope closes, which counts as the provider's end.
 *
 * @param rate - Samples a second; 8,000 by default.
 * @param isRecorded - False when nobody asks for `recording`, which takes 32 kB a second; true by default.
 * @param onHeard - Called with the agent's sound of every 20 ms that the caller hears, before the marks in it are reported.
 * The array is reused afterwards; none while the call is held.
 */
export const makeSimulatedAudioLine = (
  { isRecorded = true, onHeard, rate = 8_000 }: {
    readonly rate?: number
    readonly isRecorded?: boolean
    readonly onHeard?: (samples: Float32Array) => void
  } = {}
): Effect.Effect<AudioCall, never, Scope.Scope> =>
  Effect.gen(function*() {
    const over = yield* Deferred.make<EndedBy>()
    const toAgent = makePlayout({ rate })
    const toCaller = makePlayout({ rate })
    const frame = new Float32Array(Math.round(rate * frameMillis / 1000))
    const mixedSamples = new Float32Array(frame.length)
    const recording = makeRecording(rate)
    let listener: (event: LineEvent) => void = () => {}
    let endedBy: EndedBy | null = null
    let isHeld = false
    let keys = ""
    let stop = () => {}

    const end = (by: EndedBy) =>
      Effect.suspend(() => {
        if (endedBy !== null) return Effect.void
        endedBy = by
        stop()
        listener({ _tag: "Ended", by })
        return Effect.asVoid(Deferred.succeed(over, by))
      })

    const tick = (): void => {
      if (isHeld) return
      const marks = toCaller.next(mixedSamples)
      if (isRecorded) recording.add(mixedSamples)
      onHeard?.(mixedSamples)
      for (const mark of marks) listener({ _tag: "Reached", mark })
      toAgent.next(frame)
      listener({ _tag: "Frame", samples: frame, concealed: false })
    }

    stop = yield* everyPeriod(frameMillis, tick)
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
        toCaller.enqueue(isFinite(samples) ? samples : withoutFaults(samples), mark)
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
        recording: recording.all,
        keys: () => keys,
        ended: Deferred.await(over)
      }
    }
  })
