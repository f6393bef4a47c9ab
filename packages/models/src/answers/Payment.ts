import type { BillingUnavailable } from "@trunkline/errors"
import { Effect } from "effect"
import type { Usage } from "../answer/Usage.js"
import type { Meter } from "./Meter.js"

/** How one request is paid for in the end: the first word holds, and nobody who leaves interrupts it. */
export interface Payment {
  /** Takes what was used; gives back what was set aside where that cannot be recorded. */
  readonly pay: (used: Usage) => Effect.Effect<void, BillingUnavailable>
  readonly release: Effect.Effect<void>
}

/** The payment by a meter. */
export const makePayment = (meter: Meter): Payment => {
  let isOver = false
  const once = <E>(work: Effect.Effect<void, E>) =>
    Effect.uninterruptible(Effect.suspend(() => {
      if (isOver) return Effect.void
      isOver = true
      return work
    }))
  return {
    pay: (used) => once(Effect.onError(meter.settle(used), () => meter.release)),
    release: once(meter.release)
  }
}
