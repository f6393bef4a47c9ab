import { type Cause, Duration, Effect, type Fiber } from "effect"
import type { Caller } from "../line/Caller.js"
import type { CallLine } from "../line/CallLine.js"
import type { TestCallLog } from "../line/CallLog.js"
import { makeCaller } from "../line/LineCaller.js"

/** Lets the caller hang up after the script, once both sides were silent. */
const stayOn = ({ clock, end, state }: CallLine, silence: Duration.Duration): Effect.Effect<void> => {
  const isOver = () => state.endedBy !== null
  if (!Duration.isFinite(silence)) return clock.until(isOver)
  const millis = Duration.toMillis(silence)
  const isQuiet = () => state.isListening && state.speech === null
  const wait: Effect.Effect<void> = Effect.zipRight(
    clock.until(() => isQuiet() || isOver()),
    Effect.flatMap(
      clock.elapse(millis, { isOver: () => !isQuiet() || isOver() }),
      (quietTime) => quietTime >= millis ? end("user") : isOver() ? Effect.void : wait
    )
  )
  return wait
}

/** A caller on a line, and how long they stay on it. */
export interface PlayedCall {
  readonly line: CallLine
  readonly log: TestCallLog
  /** Silence of both sides after the script, after which the caller hangs up. */
  readonly lastSilence: Duration.Duration
}

/** Plays the caller of a line beside the call. A script that fails ends it; the fiber tells how. */
export const playCaller = <E>(
  { lastSilence, line, log }: PlayedCall,
  script: (caller: Caller) => Effect.Effect<void, E>
): Effect.Effect<Fiber.RuntimeFiber<Cause.Cause<E> | null>> =>
  Effect.forkDaemon(
    Effect.matchCauseEffect(script(makeCaller(line, log)), {
      onSuccess: () => Effect.as(stayOn(line, lastSilence), null),
      onFailure: (cause) => Effect.as(line.end("user"), cause)
    })
  )
