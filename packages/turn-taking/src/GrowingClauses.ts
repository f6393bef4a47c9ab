import { Effect } from "effect"

/** A list of clauses that grows until it is complete. */
export const makeClauses = (first: ReadonlyArray<string>) => {
  const list = [...first]
  const changedLatch = Effect.unsafeMakeLatch(false)
  let isComplete = false
  const change = (): void => changedLatch.unsafeOpen()
  /** Waits until there is a clause of this number; false when there will be none. */
  const has = (clause: number): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      if (clause < list.length) return Effect.succeed(true)
      if (isComplete) return Effect.succeed(false)
      changedLatch.unsafeClose()
      return Effect.zipRight(changedLatch.await, has(clause))
    })
  return {
    list,
    has,
    add: (clause: string): void => {
      list.push(clause)
      change()
    },
    complete: (): void => {
      isComplete = true
      change()
    }
  }
}
