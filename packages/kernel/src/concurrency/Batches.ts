import { Effect, Exit, type Scope } from "effect"

/** Gathers the items of concurrent callers, so that one run serves many of them. */
export interface Batches<A, B> {
  /**
   * Returns the result for one item. If nothing runs, the item runs at once, alone and in the caller's fiber, unless the
   * batches gather; otherwise it waits for the next run. An interrupted caller withdraws an item that still waits; a run
   * that serves others continues.
   */
  readonly submit: (item: A) => Effect.Effect<B>
}

/** Options of `makeBatches`. */
export interface BatchOptions<A, B> {
  /** Processes some items, in the order of their arrival, and returns a result for each of them. */
  readonly run: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>>
  /** Most items of one run. */
  readonly limit: number
  /**
   * True to begin the first run once the fibers that are ready have had their turn, so that it takes all of their items;
   * default false. For items that come many at a time.
   */
  readonly gathers?: boolean
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
  { gathers = false, limit, run }: BatchOptions<A, B>
): Effect.Effect<Batches<A, B>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    const waiting = new Set<Waiter<A, B>>()
    let running = false
    let closed = false

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
      const taken: Array<Waiter<A, B>> = []
      for (const waiter of waiting) {
        if (taken.length >= limit) break
        waiting.delete(waiter)
        taken.push(waiter)
      }
      return taken
    }

    const runNext = Effect.suspend(() => {
      const waiters = take()
      if (waiters.length === 0) return Effect.void
      const items = waiters.map(({ item }) => item)
      const done = waiters.length === 1
        ? runEach(waiters)
        : Effect.flatMap(Effect.exit(run(items)), (exit) => settle(waiters, exit))
      return Effect.onExit(done, (exit) => Exit.isFailure(exit) ? abandon(waiters) : Effect.void)
    })

    const abandon = (waiters: Iterable<Waiter<A, B>>) =>
      Effect.sync(() => {
        for (const { resume } of waiters) resume(Effect.interrupt)
      })

    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        closed = true
        return abandon(waiting)
      })
    )

    const fork = (runs: Effect.Effect<void>) => Effect.asVoid(Effect.forkIn(Effect.interruptible(runs), scope))

    /** Starts runs for the items that have arrived meanwhile. */
    const runWaiting = Effect.suspend(() => {
      if (waiting.size > 0 && !closed) return fork(runAll)
      running = false
      return Effect.void
    })

    const runAll: Effect.Effect<void> = Effect.suspend(() =>
      Effect.ensuring(Effect.repeat(runNext, { while: () => waiting.size > 0 }), runWaiting)
    )

    const join = (item: A): Effect.Effect<B> =>
      Effect.async((resume) => {
        if (!running || closed) return resume(submit(item))
        const waiter = { item, resume }
        waiting.add(waiter)
        return Effect.sync(() => void waiting.delete(waiter))
      })

    const submit = (item: A): Effect.Effect<B> =>
      Effect.suspend(() => {
        if (running && !closed) return join(item)
        return Effect.uninterruptibleMask((restore) => {
          if (running && !closed) return restore(join(item))
          running = true
          return gathers && !closed
            ? Effect.zipRight(fork(runAll), restore(join(item)))
            : Effect.ensuring(restore(runOne(item)), runWaiting)
        })
      })

    return { submit }
  })
