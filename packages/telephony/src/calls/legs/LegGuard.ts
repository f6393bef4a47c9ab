import { BusinessTime } from "@trunkline/kernel"
import { Duration, Effect } from "effect"
import { type Leg, LegEnded } from "../../call/Leg.js"
import { endWithTimeout } from "../CallLimits.js"

/** Limits of a leg, in business time. */
interface LegBudget {
  /** Epoch milliseconds at which the leg is ended. */
  readonly deadline: number
  /** Maximum time without a completed operation; a call that is held is not idle. */
  readonly idle: Duration.Duration
}

/** A leg with enforced limits. */
interface GuardedLeg {
  /** The leg to pass to the handler. */
  readonly leg: Leg
  /** Completes when a limit is reached, with the limit. */
  readonly limit: Effect.Effect<"deadline" | "idle">
  /** Hangs up unless the call has already ended. Takes at most 10 s of technical time; later operations fail. */
  readonly close: Effect.Effect<void>
}

/** Number of `LegEnded` errors after which operations never complete, which stops handlers that loop on errors. */
const maxEndedErrors = 16

/** Idle allowance per character of an utterance, slower than any speech. */
const millisPerCharacter = 100

/** Idle allowance of an utterance whose end is not known, in characters: the longest reply of an agent. */
const openCharacters = 2_000

/** Enforces limits on a connected leg. */
export const guardLeg = (leg: Leg, { deadline, idle }: LegBudget): Effect.Effect<GuardedLeg> =>
  Effect.map(BusinessTime.now, (now) => {
    const idleMillis = Duration.toMillis(idle)
    let idleFrom = now
    let isOver = false
    let isClosed = false
    let endedErrors = 0

    const recordEnd = (error: LegEnded) => {
      isOver = true
      endedErrors += 1
      return error
    }

    /** Runs an operation that may exceed the idle limit by `allowance` milliseconds. */
    const track = <A>(operation: Effect.Effect<A, LegEnded>, allowance: number): Effect.Effect<A, LegEnded> =>
      Effect.suspend(() => {
        if (endedErrors >= maxEndedErrors) return Effect.never
        if (isClosed) return Effect.fail(recordEnd(new LegEnded({ by: "timeout" })))
        return Effect.flatMap(BusinessTime.now, (now) => {
          idleFrom = now + allowance
          return Effect.mapError(operation, recordEnd)
        })
      }).pipe(Effect.tap(() => Effect.map(BusinessTime.now, (now) => void (idleFrom = now))))

    const limit: GuardedLeg["limit"] = Effect.suspend(() =>
      BusinessTime.sleepUntil(Math.min(idleFrom + idleMillis, deadline)).pipe(
        Effect.zipRight(BusinessTime.now),
        Effect.flatMap((now) => {
          if (now >= deadline) return Effect.succeed("deadline" as const)
          if (leg.isHeld?.() === true) idleFrom = Math.max(idleFrom, now)
          return now >= idleFrom + idleMillis ? Effect.succeed("idle" as const) : limit
        })
      )
    )

    const hangUp = Effect.tap(leg.hangUp, () => Effect.sync(() => void (isOver = true)))

    return {
      leg: {
        ...leg,
        say: (utterance) => {
          const characters = utterance.text.length + (utterance.more === undefined ? 0 : openCharacters)
          return track(leg.say(utterance), characters * millisPerCharacter)
        },
        listen: (silence) => track(leg.listen(silence), 0),
        hangUp
      },
      limit,
      close: Effect.suspend(() => {
        isClosed = true
        return isOver ? Effect.void : endWithTimeout(hangUp)
      })
    }
  })
