import { frameMillis } from "@trunkline/audio"
import type { LineEvent } from "@trunkline/telephony"

/** Sound of a caller, from messages to frames of 20 ms. */
export interface HeardFrames {
  /** Takes the sound of a message. `order` counts the messages; one that comes late or twice is dropped. */
  readonly add: (samples: Float32Array, order: number | null, now: number) => void
  /** Fills in for sound that does not come, so that line time goes on. */
  readonly tick: (now: number) => void
}

/** Messages that wait for one that is missing before it is given up. */
const maxWaiting = 3

/** Milliseconds without sound after which silence fills in, and up to which it leaves line time behind. */
const patience = { from: 120, to: 40 }

/** Milliseconds by which the sound of a provider may be ahead of the time; more is dropped. */
const maxAheadMillis = 2_000

/**
 * Milliseconds by which line time is ahead at most, as far as silence is concerned: sound that comes after silence has filled in for
 * it is heard as well, and does not count against the sound that follows.
 */
const marginMillis = 200

/** Puts messages in order. */
const makeOrder = (emit: (samples: Float32Array) => void) => {
  const waiting = new Map<number, Float32Array>()
  let next: number | null = null

  const drain = (): void => {
    for (let at = next; at !== null; at = next) {
      const samples = waiting.get(at)
      if (samples === undefined) return
      waiting.delete(at)
      next = at + 1
      emit(samples)
    }
  }

  return (samples: Float32Array, order: number): void => {
    next ??= order
    if (order < next) return
    waiting.set(order, samples)
    drain()
    if (waiting.size < maxWaiting) return
    next = Math.min(...waiting.keys())
    drain()
  }
}

/** Makes the frames of a caller at a rate. Frames are given at once when their sound arrives. */
export const makeHeardFrames = (rate: number, listener: (event: LineEvent) => void): HeardFrames => {
  const size = rate * frameMillis / 1000
  const partial = new Float32Array(size)
  const silence = new Float32Array(size)
  let partialSize = 0
  /** Frames of the caller's sound, without silence that filled in. */
  let frames = 0
  /** Line time up to which there is sound, or silence in its place, in milliseconds. */
  let position = 0
  let since: number | null = null
  let at = 0

  const give = (samples: Float32Array): void => {
    frames += 1
    position = Math.min(position + frameMillis, at - (since ?? at) + marginMillis)
    listener({ _tag: "Frame", samples, concealed: false })
  }

  const emit = (samples: Float32Array): void => {
    if (since !== null && frames * frameMillis > at - since + maxAheadMillis) return
    if (partialSize === 0 && samples.length === size) return give(samples)
    for (let from = 0; from < samples.length;) {
      const until = Math.min(samples.length, from + size - partialSize)
      partial.set(samples.subarray(from, until), partialSize)
      partialSize += until - from
      from = until
      if (partialSize < size) return
      partialSize = 0
      give(partial)
    }
  }

  const inOrder = makeOrder(emit)

  return {
    add: (samples, order, now) => {
      since ??= now
      at = now
      if (order === null) emit(samples)
      else inOrder(samples, order)
    },
    tick: (now) => {
      since ??= now
      if (now - since - position < patience.from) return
      for (; now - since - position > patience.to; position += frameMillis) {
        listener({ _tag: "Frame", samples: silence, concealed: true })
      }
    }
  }
}
