import type { Caller, CallerStuck, StandingTime } from "@trunkline/agent-testing"
import { Duration, Effect, Runtime } from "effect"
import type { CallerScript, TestCaller } from "./TestTypes.js"

/** The script of a caller has rejected. */
export class ScriptFailed {
  constructor(readonly error: unknown) {}
}

/** A caller whose actions are promises, and what waits until all of them are done. */
interface Played {
  readonly caller: TestCaller
  readonly waitForEnd: () => Promise<void>
}

/**
 * Actions of a caller as promises, one after the other. Time stands still between them, while code of the script runs.
 */
const promisesOf = (caller: Caller, { go, stop }: StandingTime, runtime: Runtime.Runtime<never>): Played => {
  let last: Promise<unknown> = Promise.resolve()

  const run = <A>(action: Effect.Effect<A, CallerStuck>): Promise<A> => {
    const step = Effect.acquireUseRelease(go, () => action, () => stop)
    const next = last.then(() => Runtime.runPromise(runtime)(Effect.either(step))).then((result) => {
      if (result._tag === "Left") throw result.left
      return result.right
    })
    last = next
    // A script that waits for nothing is told at its end.
    next.catch(() => undefined)
    return next
  }

  const secondsOf = (seconds: number) => Duration.seconds(seconds)
  const afterOf = (after: number | undefined) => after === undefined ? {} : { after: secondsOf(after) }

  return {
    caller: {
      hears: (words, { within } = {}) =>
        run(caller.hears(words, within === undefined ? {} : { within: secondsOf(within) })),
      listens: () => run(caller.listens),
      says: (text, { pause, ...options } = {}) =>
        run(caller.says(text, { ...options, ...(pause !== undefined && { pause: secondsOf(pause) }) })),
      interrupts: (text, { after, ...options } = {}) => run(caller.interrupts(text, { ...options, ...afterOf(after) })),
      presses: (keys, { after } = {}) => run(caller.presses(keys, afterOf(after))),
      waits: (seconds) => run(caller.waits(secondsOf(seconds))),
      holds: (seconds) => run(caller.holds(secondsOf(seconds))),
      makesNoise: (seconds = 1) => run(caller.makesNoise(secondsOf(seconds))),
      hasBadLine: (loss) => run(caller.hasBadLine(loss)),
      hangsUp: ({ after } = {}) => run(caller.hangsUp(afterOf(after))),
      isOver: caller.isOver
    },
    waitForEnd: async () => {
      await last
    }
  }
}

/** Plays a script of promises. */
export const playScript =
  (script: CallerScript) => (caller: Caller, standing: StandingTime): Effect.Effect<void, ScriptFailed> =>
    Effect.flatMap(Effect.runtime<never>(), (runtime) => {
      const play = promisesOf(caller, standing, runtime)
      return Effect.acquireUseRelease(
        standing.stop,
        () =>
          Effect.tryPromise({
            try: async () => {
              await script(play.caller)
              await play.waitForEnd()
            },
            catch: (error) => new ScriptFailed(error)
          }),
        () => standing.go
      )
    })
