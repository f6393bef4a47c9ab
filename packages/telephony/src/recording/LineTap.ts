import { makePlayout } from "@trunkline/audio"
import type { AudioLine, LineEvent } from "../call/AudioLine.js"

/** Listener of both sides of a line. It must not throw, and copies what it keeps: the arrays are used again. */
export interface LineListener {
  /**
   * Told of 20 ms of the call: the sound of the other side, and that of the agent as it is played meanwhile, so without what
   * an interruption has dropped; null while nothing is played. Both have the rate of the line and the same length.
   */
  readonly onFrame: (caller: Float32Array, agent: Float32Array | null) => void
  /** Told of some time of the call in place of `onFrame`, where the line has codes: mu-law of both sides, in turn. */
  readonly onCodes: (codes: Uint8Array) => void
  /** Told that the other side holds the call, or goes on: no frames come meanwhile. */
  readonly onHeld: (on: boolean) => void
  /** Told that the call has ended. */
  readonly onEnd: () => void
}

/** A line whose sides are listened to. */
export interface TappedLine {
  readonly line: AudioLine
  /** Tells of the sound until now, of which codes are told late. */
  readonly read: () => void
}

/** Frames between two readings of codes: half a second. */
const readInterval = 25

/** Listens to the codes of a line, half a second at a time: looking for them at each frame costs more than they do. */
const tapCodes = (line: AudioLine, tap: NonNullable<AudioLine["tap"]>, listener: LineListener): TappedLine => {
  const codes = tap()
  const read = () => codes.read(listener.onCodes)
  let frames = 0
  const follow = (event: LineEvent): void => {
    if (event._tag === "Frame") {
      frames += 1
      if (frames % readInterval === 0) read()
    } else if (event._tag === "Held") {
      read()
      listener.onHeld(event.on)
    } else if (event._tag === "Ended") {
      read()
      listener.onEnd()
    }
  }
  return {
    line: {
      ...line,
      hear: (hear) =>
        line.hear((event) => {
          follow(event)
          hear(event)
        })
    },
    read
  }
}

/** Follows the playout of a line in a queue of its own, by the frames of the line. */
const tapPlayout = (line: AudioLine, { onEnd, onFrame, onHeld }: LineListener): TappedLine => {
  const playout = makePlayout({ rate: line.rate })
  let agent = new Float32Array(0)
  const follow = (event: LineEvent): void => {
    if (event._tag === "Held") return onHeld(event.on)
    if (event._tag === "Ended") return onEnd()
    if (event._tag !== "Frame") return
    const { samples } = event
    if (playout.remainingMillis === 0) return onFrame(samples, null)
    if (agent.length !== samples.length) agent = new Float32Array(samples.length)
    playout.next(agent)
    onFrame(samples, agent)
  }
  return {
    line: {
      ...line,
      hear: (hear) =>
        line.hear((event) => {
          follow(event)
          hear(event)
        }),
      play: (samples, mark) => {
        playout.enqueue(samples)
        line.play(samples, mark)
      },
      clear: () => {
        playout.clear()
        return line.clear()
      }
    },
    read: () => undefined
  }
}

/** Wraps a line so that a listener hears both of its sides. The line plays as before. */
export const tapLine = (line: AudioLine, listener: LineListener): TappedLine =>
  line.tap === undefined ? tapPlayout(line, listener) : tapCodes(line, line.tap, listener)
