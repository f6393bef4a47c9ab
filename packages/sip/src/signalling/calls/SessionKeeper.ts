import { Effect } from "effect"
import { sessionDeadlines, type TimerSession } from "../dialogs/SessionTimer.js"
import type { CallCore } from "./CallCore.js"

/** Session timer of a call. */
export interface SessionKeeper {
  /** Starts anew with what was agreed last; null ends the timer. */
  readonly renew: (session: TimerSession | null) => void
  readonly session: () => TimerSession | null
}

/** Pause before a refresh that failed is tried again, in milliseconds. */
const refreshPause = 10_000

/**
 * Refreshes the session in time, or hangs up when the other side does not (RFC 4028, section 10). So a call ends by itself
 * when the process of either side has died. `refresh` calls `renew` with what is agreed.
 */
export const keepSession = (core: CallCore, refresh: Effect.Effect<unknown, unknown>): SessionKeeper => {
  const { after, start } = core.agent
  let session: TimerSession | null = null
  let stopRefreshing = () => {}
  let stopWaiting = () => {}

  const stop = () => {
    stopRefreshing()
    stopWaiting()
  }
  const retry = Effect.sync(() => {
    if (core.state.phase === "up") refreshAfter(refreshPause)
  })
  const refreshAfter = (millis: number) => {
    stopRefreshing = after(millis, () => start(Effect.catchAll(Effect.asVoid(refresh), () => retry)))
  }
  core.onEnd(stop)

  return {
    renew: (agreement) => {
      stop()
      session = agreement
      if (agreement === null || core.state.phase !== "up") return
      const deadlines = sessionDeadlines(agreement)
      if (deadlines.refresh !== null) refreshAfter(deadlines.refresh)
      stopWaiting = after(
        deadlines.giveUp,
        () => core.finish({ by: "fault", kind: "expired", cause: null }, { bye: true })
      )
    },
    session: () => session
  }
}
