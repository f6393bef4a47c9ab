import { BusinessTime } from "@trunkline/kernel"
import { type Heard, type Leg, LegEnded } from "@trunkline/telephony"
import { Duration, Effect } from "effect"

/** Something that the caller of a debugged call does while the agent listens. */
export type CallerMove =
  | { readonly _tag: "Say"; readonly text: string }
  | { readonly _tag: "Press"; readonly keys: string }
  /** Says nothing until the agent stops listening. */
  | { readonly _tag: "Wait" }
  | { readonly _tag: "HangUp" }

/** A leg whose caller is a person at a keyboard. */
export interface DebuggedLeg {
  readonly leg: Leg
  /** Does something; false when the agent does not listen. */
  readonly move: (move: CallerMove) => boolean
}

/** Words a second of the agent. */
const wordsPerSecond = 3

const heardOf = (move: CallerMove): Heard =>
  move._tag === "Say"
    ? { _tag: "Said", text: move.text, en_text: null, language_name: null }
    : move._tag === "Press"
    ? { _tag: "Pressed", digit: move.keys }
    : { _tag: "Silent" }

/**
 * A leg that waits for its caller outside of virtual time, so that a person may think for as long as they like.
 *
 * @param onListen - Told when the agent listens.
 * @param onTransfer - Told of a transfer, which comes about at once, as no one is called.
 */
export const debuggedLeg = (
  { onListen, onTransfer }: { readonly onListen: () => void; readonly onTransfer: (to: string) => void }
): DebuggedLeg => {
  let endedBy: "agent" | "user" | null = null
  let take: ((move: CallerMove) => void) | null = null
  const whileConnected = <A>(work: Effect.Effect<A, LegEnded>): Effect.Effect<A, LegEnded> =>
    Effect.suspend(() => endedBy === null ? work : new LegEnded({ by: endedBy }))
  const nextMove = Effect.async<CallerMove>((resume) => {
    take = (move) => {
      take = null
      resume(Effect.succeed(move))
    }
    onListen()
    return Effect.sync(() => {
      take = null
    })
  })
  return {
    move: (move) => {
      if (take === null) return false
      take(move)
      return true
    },
    leg: {
      say: ({ text }) =>
        whileConnected(
          Effect.as(
            BusinessTime.sleep((text.match(/\S+/gu) ?? []).length / wordsPerSecond * 1_000),
            { heard: text, interrupted: false }
          )
        ),
      listen: (silence) =>
        whileConnected(
          // Entries of digits listen for no time to see if there are more keys.
          Duration.toMillis(silence) === 0 ? Effect.succeed<Heard>({ _tag: "Silent" }) : Effect.flatMap(
            BusinessTime.hold(nextMove),
            (move): Effect.Effect<Heard, LegEnded> => {
              if (move._tag === "HangUp") {
                endedBy = "user"
                return new LegEnded({ by: "user" })
              }
              const pause = move._tag === "Wait" ? Duration.toMillis(silence) : 1_000
              return Effect.as(BusinessTime.sleep(Math.min(pause, Duration.toMillis(silence))), heardOf(move))
            }
          )
        ),
      press: () => Effect.void,
      transfer: ({ to }) =>
        Effect.map(BusinessTime.now, (now) => {
          onTransfer(to)
          endedBy ??= "agent"
          return { outcome: "transferred", reason: null, by: "provider", answered_at: now } as const
        }),
      hangUp: Effect.sync(() => void (endedBy ??= "agent"))
    }
  }
}
