import { makePlayout } from "@trunkline/audio"
import type { AudioLine, LineEvent } from "../call/AudioLine.js"

/** Listener of both sides of a line. It must not throw, and copies what it keeps: the arrays are used again. */
export interface LineTap {
  /**
   * Told of 20 ms of the call: the sound of the other side, and that of the agent as it is played meanwhile, so without what
   * an interruption has dropped; null while nothing is played. Both have the rate of the line and the same length.
   */
  readonly onFrame: (caller: Float32Array, agent: Float32Array | null) => void
  /** Told that the other side holds the call, or goes on: no frames come meanwhile. */
  readonly onHeld: (on: boolean) => void
  /** Told that the call has ended. */
  readonly onEnd: () => void
}

/**
 * Wraps a line so that a tap hears both of its sides. The line plays as before: the tap follows its playout in a queue of
 * its own, by the frames of the line.
 */
export const tapLine = (line: AudioLine, { onEnd, onFrame, onHeld }: LineTap): AudioLine => {
  const playout = makePlayout({ rate: line.rate })
  let agent = new Float32Array(0)
  const tap = (event: LineEvent): void => {
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
    ...line,
    hear: (listener) =>
      line.hear((event) => {
        tap(event)
        listener(event)
      }),
    play: (samples, mark) => {
      playout.enqueue(samples)
      line.play(samples, mark)
    },
    clear: () => {
      playout.clear()
      return line.clear()
    }
  }
}
