import { Effect, Exit, FiberSet, type Scope } from "effect"

/** Longest delay of a timer of Node.js, in milliseconds: longer ones fire at once. */
const maxDelay = 2_147_483_647

/** A worker as pools use it: slow to start, busy with one piece of work at a time, and able to break. */
export interface PooledWorker {
  /** Ends the worker and whatever it is doing, and completes when it is gone. */
  readonly end: Effect.Effect<void>
  /** True once it can never work again. */
  readonly isBroken: () => boolean
}

/** Workers that stay for a while after their work, to be used again. */
export interface IdleWorkers<W> {
  /** Takes the worker that was used last, or starts one. Broken workers are never taken. */
  readonly take: () => W
  /** Returns a worker after its work; a broken one is ended. */
  readonly release: (worker: W) => void
  /** Ends a worker instead of returning it. */
  readonly end: (worker: W) => Effect.Effect<void>
}

/** Options of idle workers. */
export interface IdleWorkersOptions<W> {
  readonly start: () => W
  /** Time after which an idle worker is ended. The process does not stay alive for idle workers. */
  readonly idleMillis: number
  /** Number of workers that are started at once and never ended for being idle; 0 by default. */
  readonly minimum?: number
}

/** Keeps idle workers. All workers end with the scope. */
export const makeIdleWorkers = <W extends PooledWorker>(
  { idleMillis, minimum = 0, start }: IdleWorkersOptions<W>
): Effect.Effect<IdleWorkers<W>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const fork = yield* FiberSet.makeRuntime<never>()
    const workers = new Set<W>()
    /** Idle workers with their timers; the last one was used last. */
    const idle = new Map<W, NodeJS.Timeout>()

    const add = (): W => {
      const worker = start()
      workers.add(worker)
      return worker
    }

    const wake = (worker: W): void => {
      clearTimeout(idle.get(worker))
      idle.delete(worker)
    }

    const end = (worker: W): Effect.Effect<void> =>
      Effect.suspend(() => {
        wake(worker)
        return workers.delete(worker) ? worker.end : Effect.void
      })

    const rest = (worker: W): void => {
      const onIdle = () => void (workers.size > minimum && fork(end(worker)))
      idle.set(worker, setTimeout(onIdle, Math.min(idleMillis, maxDelay)).unref())
    }

    yield* Effect.addFinalizer(() => Effect.forEach([...workers], end, { concurrency: "unbounded", discard: true }))
    for (let count = 0; count < minimum; count++) rest(add())

    return {
      take: () => {
        const worker = [...idle.keys()].findLast((candidate) => !candidate.isBroken())
        if (worker === undefined) return add()
        wake(worker)
        return worker
      },
      release: (worker) => {
        if (!workers.has(worker)) return
        if (worker.isBroken()) fork(end(worker))
        else rest(worker)
      },
      end
    }
  })

/** Lends workers to one piece of work each. */
export interface WorkerPool<W, Full = never> {
  /**
   * Runs some work with a worker that nothing else uses meanwhile. A worker whose work fails, dies or is interrupted is
   * ended, so work that is refused by an intact worker should return the refusal as a value.
   */
  readonly use: <A, E>(work: (worker: W) => Effect.Effect<A, E>) => Effect.Effect<A, E | Full>
}

/** Limit of the work that a pool accepts. */
export interface WorkerLimit<Full> {
  /** Number of workers at work at a time. */
  readonly size: number
  /** Number of pieces of work that may wait, in their order of arrival. */
  readonly waiting: number
  /** Error of the work beyond that. */
  readonly onFull: () => Full
}

/**
 * Pool of workers that are started when there is work and ended when they have been idle for a while, with the work that
 * did not succeed, or with the scope.
 *
 * @example
 * const pool = yield* makeWorkerPool({
 *   start: () => startRequestThread<Job, Result>(entry, { name: "jobs", decode }),
 *   idleMillis: 30_000,
 *   limit: { size: 2, waiting: 64, onFull: () => new Busy() }
 * })
 * const result = yield* pool.use((thread) => thread.request(job))
 */
export const makeWorkerPool = <W extends PooledWorker, Full = never>(
  { limit, ...options }: IdleWorkersOptions<W> & { readonly limit?: WorkerLimit<Full> }
): Effect.Effect<WorkerPool<W, Full>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { end, release, take } = yield* makeIdleWorkers(options)
    const { onFull, size, waiting } = limit ?? { onFull: undefined, size: Infinity, waiting: Infinity }
    const slots = yield* Effect.makeSemaphore(size)
    let occupancy = 0

    const enter = Effect.suspend((): Effect.Effect<void, Full> => {
      if (onFull !== undefined && occupancy >= size + waiting) return Effect.fail(onFull())
      occupancy += 1
      return Effect.void
    })
    const leave = Effect.sync(() => void (occupancy -= 1))

    return {
      use: (work) => {
        const loan = Effect.acquireUseRelease(Effect.sync(take), work, (worker, exit) =>
          Exit.isSuccess(exit)
            ? Effect.sync(() => release(worker))
            : end(worker))
        return Effect.acquireUseRelease(enter, () => slots.withPermits(1)(loan), () => leave)
      }
    }
  })
