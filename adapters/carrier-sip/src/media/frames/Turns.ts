// Way of a frame from the media thread to the main thread.
//
// 1. The media thread writes the frames of a turn to the ring, and notes its events. At the end of the turn it posts one message,
//    unless the main thread has still to read an earlier one: that reads all frames there are.
// 2. A full ring, as while the main thread stands still: frames go with the message, and so do all later ones until the main thread
//    has read that message. So they stay in order.
// 3. The main thread reads the events, the ring up to its end, and then the frames of the message.

import { frameSamples } from "@trunkline/audio"
import {
  callIn,
  countMessage,
  type FrameKind,
  type FrameRing,
  isWideIn,
  kindIn,
  messagesRead,
  mustNotify,
  readFrames,
  tagOf,
  wideFrameSamples,
  writeFrame
} from "./FrameRing.js"
import type { ThreadEvent, WheelTurn } from "./MediaMessages.js"

/** Collects the events of each slot of the wheel, in the media thread. */
export interface TurnBatch {
  readonly addFrame: (call: number, sound: Float32Array, kind: FrameKind) => void
  readonly addEvent: (event: ThreadEvent) => void
  /** Ends a turn: tells the main thread about it, unless that has still to look at the turn before. */
  readonly flush: () => void
}

/** Makes a batch, whose messages leave by `post`, with memory that passes to the main thread. */
export const makeTurnBatch = (
  ring: FrameRing,
  post: (message: WheelTurn, transfer: ReadonlyArray<ArrayBuffer>) => void
): TurnBatch => {
  let tags: Array<number> = []
  let samples = new Float32Array(16 * wideFrameSamples)
  let events: Array<ThreadEvent> = []
  let hasFrames = false
  /** Messages with frames that were posted. */
  let postedAt = 0

  const addToMessage = (tag: number, sound: Float32Array): void => {
    const at = tags.length * wideFrameSamples
    if (at === samples.length) {
      const longer = new Float32Array(2 * samples.length)
      longer.set(samples)
      samples = longer
    }
    samples.set(sound, at)
    tags.push(tag)
  }

  return {
    addFrame: (call, sound, kind) => {
      const tag = tagOf(call, sound, kind)
      const isInTurn = tags.length === 0 && messagesRead(ring) === postedAt
      if (isInTurn && writeFrame(ring, tag, sound)) hasFrames = true
      else addToMessage(tag, sound)
    },
    addEvent: (event) => void events.push(event),
    flush: () => {
      const isNews = hasFrames && mustNotify(ring)
      hasFrames = false
      if (tags.length > 0) {
        const frames = { tags: Int32Array.from(tags), samples: samples.slice(0, tags.length * wideFrameSamples) }
        postedAt = (postedAt + 1) | 0
        tags = []
        post({ _tag: "Turn", events, frames }, [frames.tags.buffer, frames.samples.buffer])
      } else if (isNews || events.length > 0) post({ _tag: "Turn", events, frames: null }, [])
      else return
      events = []
    }
  }
}

/** Receives what happened in turns, in the main thread. */
export interface TurnHandlers {
  readonly onEvent: (event: ThreadEvent) => void
  /** The samples may be overwritten as soon as it returns. */
  readonly onFrame: (call: number, samples: Float32Array, kind: FrameKind) => void
}

/** Makes a function that reads a message about turns, with all frames of the ring before those of the message. */
export const makeTurnReader = (ring: FrameRing, { onEvent, onFrame }: TurnHandlers): (turn: WheelTurn) => void => {
  let narrow = new Float32Array(frameSamples)
  let wide = new Float32Array(wideFrameSamples)

  /** Memory of a frame. A listener may have passed the last one on to another thread. */
  const frameOf = (isWide: boolean): Float32Array => {
    if (isWide) return wide.length > 0 ? wide : wide = new Float32Array(wideFrameSamples)
    return narrow.length > 0 ? narrow : narrow = new Float32Array(frameSamples)
  }

  const give = (tag: number, samples: Float32Array, from: number): void => {
    const frame = frameOf(isWideIn(tag))
    for (let at = 0; at < frame.length; at++) frame[at] = samples[from + at] ?? 0
    onFrame(callIn(tag), frame, kindIn(tag))
  }

  return ({ events, frames }) => {
    for (const event of events) onEvent(event)
    readFrames(ring, (tag, from) => give(tag, ring.samples, from))
    if (frames === null) return
    try {
      frames.tags.forEach((tag, at) => give(tag, frames.samples, at * wideFrameSamples))
    } finally {
      countMessage(ring)
    }
  }
}
