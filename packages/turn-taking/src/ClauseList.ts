import { Effect } from "effect"

/** A list of clauses that grows until it is complete. */
export const makeClauseList = (first: ReadonlyArray<string>) => {
  const list = [...first]
  const changedLatch = Effect.unsafeMakeLatch(false)
  let isComplete = false
  const change = (): void => changedLatch.unsafeOpen()
  /** Waits for the clause at an index; false if the list ends before it. */
  const has = (index: number): Effect.Effect<boolean> =>
    Effect.suspend(() => {
      if (index < list.length) return Effect.succeed(true)
      if (isComplete) return Effect.succeed(false)
      changedLatch.unsafeClose()
      return Effect.zipRight(changedLatch.await, has(index))
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
