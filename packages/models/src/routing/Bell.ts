import { Effect } from "effect"

/** Wakes the one fiber that waits for it; a ring that nobody hears is kept for the next one who listens. */
export interface Bell {
  readonly ring: () => void
  readonly rung: Effect.Effect<void>
}

/** Makes a bell that has not been rung. */
export const makeBell = (): Bell => {
  let wake: (() => void) | null = null
  let isRung = false
  return {
    ring: () => {
      if (wake === null) {
        isRung = true
      } else {
        const listener = wake
        wake = null
        listener()
      }
    },
    rung: Effect.async((resume) => {
      if (isRung) {
        isRung = false
        resume(Effect.void)
      } else {
        wake = () => resume(Effect.void)
      }
    })
  }
}
