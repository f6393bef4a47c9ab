import { BusinessTime } from "@trunkline/kernel"
import { Duration, Effect } from "effect"
import { endWithTimeout } from "./CallLimits.js"
import { type Leg, LegEnded } from "./Leg.js"

/** What a leg may spend, in business time. */
export interface LegBudget {
  /** Epoch milliseconds at which it is ended, whatever goes on. */
  readonly deadline: number
  /** How long it may stand still. */
  readonly idle: Duration.Duration
}

/** A leg that cannot outlive its budget. */
export interface GuardedLeg {
  /** For the handler. */
  readonly leg: Leg
  /** Completes once the budget is spent: the deadline has passed, or nothing has gone on for too long. */
  readonly spent: Effect.Effect<"deadline" | "idle">
  /** Hangs up unless the line is known to be gone. It takes 10 s of technical time at most, and nothing is said after it. */
  readonly close: Effect.Effect<void>
}

/** Who goes on with a line that is gone is told so as often as this, and then left waiting. */
const MAX_ENDED_ERRORS = 16

/** Milliseconds that a letter may take to say: slower than anybody speaks. */
const MILLIS_PER_CHARACTER = 100

/** Guards a leg that is connected. */
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

    /** An operation that may take so much longer than the idle budget. */
    const tracked = <A>(operation: Effect.Effect<A, LegEnded>, allowance: number): Effect.Effect<A, LegEnded> =>
      Effect.suspend(() => {
        if (endedErrors >= MAX_ENDED_ERRORS) return Effect.never
        if (isClosed) return Effect.fail(recordEnd(new LegEnded({ by: "timeout" })))
        return Effect.flatMap(BusinessTime.now, (now) => {
          idleFrom = now + allowance
          return Effect.mapError(operation, recordEnd)
        })
      }).pipe(Effect.tap(() => Effect.map(BusinessTime.now, (now) => void (idleFrom = now))))

    const spent: GuardedLeg["spent"] = Effect.suspend(() =>
      BusinessTime.sleepUntil(Math.min(idleFrom + idleMillis, deadline)).pipe(
        Effect.zipRight(BusinessTime.now),
        Effect.flatMap((now) => {
          if (now >= deadline) return Effect.succeed("deadline" as const)
          return now >= idleFrom + idleMillis ? Effect.succeed("idle" as const) : spent
        })
      )
    )

    const hangUp = Effect.tap(leg.hangUp, () => Effect.sync(() => void (isOver = true)))

    return {
      leg: {
        say: (utterance) => tracked(leg.say(utterance), utterance.text.length * MILLIS_PER_CHARACTER),
        listen: (silence) => tracked(leg.listen(silence), 0),
        hangUp
      },
      spent,
      close: Effect.suspend(() => {
        isClosed = true
        return isOver ? Effect.void : endWithTimeout(hangUp)
      })
    }
  })
