import { Effect, Exit, type Scope } from "effect"

/** Gathers the items of concurrent callers, so that one run serves many of them. */
export interface Batches<A, B> {
  /**
   * Returns the result for one item. If nothing runs, the item runs at once, alone and in the caller's fiber; otherwise it
   * waits for the next run. An interrupted caller withdraws an item that still waits; a run that serves others continues.
   */
  readonly submit: (item: A) => Effect.Effect<B>
}

/** Options of `makeBatches`. */
export interface BatchOptions<A, B> {
  /** Processes some items, in the order of their arrival, and returns a result for each of them. */
  readonly run: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>>
  /** Most items of one run. */
  readonly limit: number
}

interface Waiter<A, B> {
  readonly item: A
  /** Continues the caller with the result. */
  readonly resume: (result: Effect.Effect<B>) => void
}

/**
 * Makes `Batches` whose runs end with the scope, which interrupts the callers that still wait. Runs follow each other, and
 * each takes all items that have arrived during the one before, up to the limit.
 *
 * A run of several items that dies runs again for each item on its own, all at the same time, so that an item cannot
 * harm the others. For this, a run that dies must leave nothing done, as transactions do.
 *
 * @example
 * ```ts
 * const ends = yield* makeBatches({ limit: 100, run: (ends) => transactions.run(Effect.forEach(ends, store)) })
 * yield* ends.submit(end)
 * ```
 */
export const makeBatches = <A, B>(
  { limit, run }: BatchOptions<A, B>
): Effect.Effect<Batches<A, B>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const waiting = new Set<Waiter<A, B>>()
    let running = false
    let isClosed = false

    const runOne = (item: A): Effect.Effect<B> =>
      Effect.flatMap(
        run([item]),
        ([result]) =>
          result === undefined ? Effect.dieMessage("A run returned no result for its item") : Effect.succeed(result)
      )

    const runEach = (waiters: ReadonlyArray<Waiter<A, B>>) =>
      Effect.forEach(
        waiters,
        ({ item, resume }) =>
          Effect.onExit(Effect.exit(runOne(item)), (exit) => Effect.sync(() => resume(Exit.flatten(exit)))),
        { concurrency: "unbounded", discard: true }
      )

    const settle = (waiters: ReadonlyArray<Waiter<A, B>>, exit: Exit.Exit<ReadonlyArray<B>>) =>
      Exit.match(exit, {
        onFailure: () => runEach(waiters),
        onSuccess: (results) =>
          results.length === waiters.length
            ? Effect.sync(() =>
              results.forEach((result, index) => {
                waiters[index]?.resume(Exit.succeed(result))
              })
            )
            : Effect.dieMessage("A run returned another number of results than it had items")
      })

    /** Takes the items that have arrived, up to the limit. */
    const take = (): ReadonlyArray<Waiter<A, B>> => {
      const batch: Array<Waiter<A, B>> = []
      for (const waiter of waiting) {
        if (batch.length >= limit) break
        waiting.delete(waiter)
        batch.push(waiter)
      }
      return batch
    }

    const runNext = Effect.suspend(() => {
      const waiters = take()
      const items = waiters.map(({ item }) => item)
      const work = waiters.length === 1
        ? runEach(waiters)
        : Effect.flatMap(Effect.exit(run(items)), (exit) => settle(waiters, exit))
      return Effect.onExit(work, (exit) => Exit.isFailure(exit) ? abandon(waiters) : Effect.void)
    })

    const abandon = (waiters: Iterable<Waiter<A, B>>) =>
      Effect.sync(() => {
        for (const { resume } of waiters) resume(Effect.interrupt)
      })

    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        isClosed = true
        return abandon(waiting)
      })
    )

    /** Starts a run for the items that have arrived meanwhile. */
    const runWaiting = Effect.suspend(() => {
      if (waiting.size > 0 && !isClosed) return Effect.asVoid(Effect.forkIn(Effect.interruptible(runAll), scope))
      running = false
      return Effect.void
    })

    const runAll: Effect.Effect<void> = Effect.suspend(() =>
      Effect.ensuring(Effect.repeat(runNext, { while: () => waiting.size > 0 }), runWaiting)
    )

    return {
      submit: (item) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.suspend(() => {
            if (!running || isClosed) {
              running = true
              return Effect.ensuring(restore(runOne(item)), runWaiting)
            }
            let waiter: Waiter<A, B> | undefined
            const result = Effect.async<B>((resume) => {
              waiter = { item, resume }
              waiting.add(waiter)
            })
            return Effect.onInterrupt(
              restore(result),
              () => Effect.sync(() => void (waiter && waiting.delete(waiter)))
            )
          })
        )
    }
  })
