import { makeResampler } from "@trunkline/audio"
import { fiberStarter } from "@trunkline/kernel"
import { Deferred, Effect } from "effect"
import type { AudioLine, LineEvent } from "./AudioLine.js"

/** Frames that may wait for a line to play them, half a second: what comes beyond is dropped, so that no stall delays all the rest. */
const maxWaitingFrames = 25

/** Frames from one mark to the next, by which a line tells how far it has played. */
const framesPerMark = 5

/** Sound from one line to another. */
interface Relay {
  readonly push: (samples: Float32Array) => void
  /** The other line has played up to a mark. */
  readonly reach: (mark: number) => void
}

/** Plays on a line what is heard on another one. */
const makeRelay = (from: AudioLine, to: AudioLine): Relay => {
  const resampler = from.rate === to.rate ? null : makeResampler({ from: from.rate, to: to.rate, band: "telephone" })
  let pushCount = 0
  let playCount = 0
  return {
    push: (samples) => {
      if (pushCount - playCount >= maxWaitingFrames) return
      pushCount += 1
      const mark = pushCount % framesPerMark === 0 ? pushCount : undefined
      to.play(resampler === null ? samples.slice() : resampler.push(samples), mark)
    },
    reach: (mark) => {
      playCount = Math.max(playCount, mark)
    }
  }
}

/**
 * Connects the other sides of two lines with each other: sound and keys of each go to the other one. Completes when one has
 * ended, and both are hung up. It takes both lines over from whoever has listened to them.
 */
export const joinLines = (one: AudioLine, other: AudioLine): Effect.Effect<void> =>
  Effect.gen(function*() {
    const over = yield* Deferred.make<void>()
    const start = yield* fiberStarter()
    const [there, back] = [makeRelay(one, other), makeRelay(other, one)]
    /** Listens to a line whose sound goes out by `heardRelay`, and whose marks belong to `playedRelay`. */
    const listen = (heardRelay: Relay, playedRelay: Relay, to: AudioLine) => (event: LineEvent): void => {
      switch (event._tag) {
        case "Frame":
          return heardRelay.push(event.samples)
        case "Reached":
          return playedRelay.reach(event.mark)
        case "Pressed":
          return void start(to.press(event.digit))
        case "Ended":
          return void Deferred.unsafeDone(over, Effect.void)
        case "Held":
      }
    }
    one.clear()
    other.clear()
    one.hear(listen(there, back, other))
    other.hear(listen(back, there, one))
    yield* Deferred.await(over)
  }).pipe(
    Effect.ensuring(Effect.all([one.hangUp, other.hangUp], { concurrency: "unbounded", discard: true }))
  )
