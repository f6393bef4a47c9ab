import { makePlayout } from "@trunkline/audio"
import type { SoundFormat } from "../dialects/StreamFormat.js"

/** Sound of the agent on its way to a provider. */
export interface AgentSound {
  readonly play: (samples: Float32Array, mark?: number) => void
  /** Drops what was not heard, and returns the samples that were. */
  readonly clear: () => number
  /** Takes a mark that the provider reports. */
  readonly takeMark: (name: string) => void
  readonly tick: (now: number) => void
}

/** Sound that was sent, up to a mark. */
interface Sent {
  readonly name: string
  /** Samples from the last clear to the end of it. */
  readonly until: number
  /** Marks of the line within it. */
  readonly marks: ReadonlyArray<number>
  /** Time at which it is heard to its end if all goes well. */
  readonly dueAt: number
}

/** Sound of one message, and the sound up to which the provider is ahead, in milliseconds: 200 at most. */
const piece = 100

/** Time after which a mark that the provider does not report counts as reached, in milliseconds. */
const markPatience = 500

const nothing = new Float32Array()

const base64Of = ({ buffer, byteLength, byteOffset }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("base64")

/**
 * Makes the only playout of a call: at most 200 ms are with the provider, in messages of 100 ms, each with a mark. What was
 * heard is the sound up to the last mark that came back, and the time since then as far as the next mark; a mark that never
 * comes counts half a second after its time.
 */
export const makeAgentSound = ({ format, now: clock, onReached, post, streamId }: {
  readonly format: SoundFormat
  readonly streamId: string
  readonly post: (message: string | Uint8Array) => void
  /** Monotonic time in milliseconds. */
  readonly now: () => number
  /** Told each mark of the line once its sound was heard. */
  readonly onReached: (mark: number) => void
}): AgentSound => {
  const { pieceMillis, rate } = format
  const playout = makePlayout({ rate })
  const perMilli = rate / 1000
  let generation = 0
  let count = 0
  let sounds = 0
  let frames: Array<Sent> = []
  /** Time up to which the provider has sound. */
  let busyUntil = 0
  /** Samples that were heard by the last mark, and when. */
  let lastMark = { until: 0, at: 0 }

  const settle = (entry: Sent, now: number): void => {
    lastMark = { until: entry.until, at: now }
    entry.marks.forEach(onReached)
  }

  const take = (): { readonly samples: Float32Array; readonly marks: ReadonlyArray<number> } => {
    const remaining = Math.round(playout.remainingMillis * perMilli)
    const whole = Math.min(piece * perMilli, Math.ceil(remaining / (pieceMillis * perMilli)) * pieceMillis * perMilli)
    if (whole === 0) return { samples: nothing, marks: playout.next(nothing) }
    const samples = new Float32Array(whole)
    return { samples, marks: playout.next(samples) }
  }

  const send = (now: number): void => {
    const { marks, samples } = take()
    if (samples.length === 0 && marks.length === 0) return
    if (frames.length === 0 && busyUntil < now) lastMark = { until: lastMark.until, at: now }
    busyUntil = Math.max(busyUntil, now) + samples.length / perMilli
    const name = `${generation}-${++count}`
    if (samples.length > 0) {
      const bytes = format.encode(samples)
      post(format.sound === undefined ? bytes : format.sound(base64Of(bytes), streamId, ++sounds))
    }
    post(format.mark(name, streamId))
    frames.push({ name, until: playout.position, marks, dueAt: busyUntil })
  }

  /** Sends while the provider has less than 100 ms; a short rest waits until it has nearly run out, since more may follow. */
  const pump = (now: number): void => {
    while (playout.remainingMillis > 0 && busyUntil - now <= piece) {
      if (playout.remainingMillis < piece && busyUntil - now > 2 * 20) return
      send(now)
    }
  }

  const heardNow = (now: number): number => {
    const [next] = frames
    return next === undefined
      ? lastMark.until
      : Math.round(Math.min(next.until, lastMark.until + Math.max(0, now - lastMark.at) * perMilli))
  }

  return {
    play: (samples, mark) => {
      playout.enqueue(samples, mark)
      const now = clock()
      pump(now)
      if (playout.remainingMillis === 0) send(now)
    },
    clear: () => {
      const heardSamples = heardNow(clock())
      if (frames.length > 0) post(format.clear(streamId))
      generation += 1
      frames = []
      busyUntil = 0
      playout.clear()
      lastMark = { until: 0, at: 0 }
      return heardSamples
    },
    takeMark: (name) => {
      const index = frames.findIndex((entry) => entry.name === name)
      if (index < 0) return
      const now = clock()
      frames.splice(0, index + 1).forEach((entry) => settle(entry, now))
      pump(now)
    },
    tick: (now) => {
      for (let [first] = frames; first !== undefined && first.dueAt + markPatience < now; [first] = frames) {
        frames.shift()
        settle(first, now)
      }
      pump(now)
    }
  }
}
