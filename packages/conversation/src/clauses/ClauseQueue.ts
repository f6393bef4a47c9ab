import { fromSource } from "@trunkline/kernel"
import { Effect, Exit, type Stream } from "effect"

/** Clauses that are spoken while they are written. */
export interface ClauseQueue {
  /** The clauses in order, for one reader, which takes them by plain calls. */
  readonly stream: Stream.Stream<string>
  /** Adds a clause. */
  readonly add: (clause: string) => void
  /** Completes the list. */
  readonly end: () => void
}

/** Makes an empty queue of clauses. */
export const makeClauseQueue = (): ClauseQueue => {
  let clauses: Array<string> = []
  let isComplete = false
  let ready: (() => void) | null = null

  const notify = (): void => {
    const callback = ready
    ready = null
    callback?.()
  }

  return {
    stream: fromSource(() => ({
      poll: () => {
        if (clauses.length === 0) return isComplete ? Exit.succeed(null) : undefined
        const batch = clauses
        clauses = []
        return Exit.succeed(batch)
      },
      wait: (callback) => {
        ready = callback
        if (clauses.length > 0 || isComplete) notify()
      },
      close: Effect.void
    })),
    add: (clause) => {
      clauses.push(clause)
      notify()
    },
    end: () => {
      isComplete = true
      notify()
    }
  }
}
