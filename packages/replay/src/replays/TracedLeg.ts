import { BusinessTime } from "@trunkline/kernel"
import { type EndedBy, type Heard, type Leg, LegEnded, type TransferResult } from "@trunkline/telephony"
import { Duration, Effect } from "effect"
import type { RestOfTrace } from "./RestOfTrace.js"

/** Words a second of the agent. */
const wordsPerSecond = 3

/** Pause of a caller before they hang up, where their words are over. */
const hangUpPause = 1_000

/** A leg whose caller is that of a trace. */
export interface TracedLeg {
  readonly leg: Leg
  /** True when the agent has listened after the last words of the caller. */
  readonly isOver: () => boolean
}

const silent: Heard = { _tag: "Silent" }

/**
 * A leg on which the caller of a trace says what is left there, each time after the pause that they made. They listen to the end
 * of what is said, and when they have nothing more to say, they hang up where they did, else they are silent.
 *
 * @param onTransfer - Told of each transfer, which comes about at once, as no one is called.
 */
export const tracedLeg = ({ endedBy, inputs }: RestOfTrace, onTransfer: (to: string) => void): TracedLeg => {
  let place = 0
  let wait = 0
  let isOver = false
  let endSide: EndedBy | null = null

  const whileConnected = <A>(work: Effect.Effect<A, LegEnded>): Effect.Effect<A, LegEnded> =>
    Effect.suspend(() => endSide === null ? work : new LegEnded({ by: endSide }))

  const hungUp = Effect.suspend(() => {
    endSide ??= "user"
    return new LegEnded({ by: endSide })
  })

  const silence = (length: number): Effect.Effect<Heard> =>
    Effect.map(BusinessTime.sleep(length), () => {
      wait += length
      return silent
    })

  return {
    isOver: () => isOver,
    leg: {
      say: ({ text }) =>
        whileConnected(
          Effect.as(
            BusinessTime.sleep((text.match(/\S+/gu) ?? []).length / wordsPerSecond * 1_000),
            { heard: text, interrupted: false }
          )
        ),
      listen: (longest) =>
        whileConnected(Effect.suspend((): Effect.Effect<Heard, LegEnded> => {
          const length = Duration.toMillis(longest)
          const input = inputs[place]
          if (input === undefined) {
            isOver = true
            return endedBy === "user" && length >= hangUpPause
              ? Effect.zipRight(BusinessTime.sleep(hangUpPause), hungUp)
              : silence(length)
          }
          const pause = Math.max(0, input.pause - wait)
          if (pause > length) return silence(length)
          return Effect.map(BusinessTime.sleep(pause), () => {
            place += 1
            wait = 0
            return input.heard
          })
        })),
      press: () => Effect.void,
      transfer: ({ to }) =>
        Effect.map(BusinessTime.now, (now): TransferResult => {
          onTransfer(to)
          endSide ??= "agent"
          return { outcome: "transferred", reason: null, by: "provider", answered_at: now }
        }),
      hangUp: Effect.sync(() => void (endSide ??= "agent"))
    }
  }
}
