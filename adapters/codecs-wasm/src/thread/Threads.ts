import { Data, Effect, Exit, type Scope } from "effect"
import type { CodecThread } from "./CodecThread.js"

/** No thread can be had, with why for a person. */
export class NoThread extends Data.TaggedError("NoThread")<{ readonly message: string }> {}

/** Lends threads. */
export interface Threads {
  /**
   * Does some work with a thread that nobody else has meanwhile, when it is its turn. Unless the work succeeds, the
   * thread is ended.
   */
  readonly use: <A, E>(work: (thread: CodecThread) => Effect.Effect<A, E>) => Effect.Effect<A, E | NoThread>
}

/** How many threads there are, and for how long. */
export interface ThreadsOptions {
  readonly start: () => CodecThread
  /** How many there are at the most. */
  readonly size: number
  /** How many may wait for one. */
  readonly waiting: number
  /** How long a thread waits for more work before it is ended. */
  readonly idleMillis: number
}

/** How long a thread may take to start; on an idle core it takes a tenth of a second. */
const startLimit = "30 seconds"

const notStarted = (kind: string) =>
  Effect.zipRight(
    Effect.logError("The thread for codecs did not start", kind),
    new NoThread({ message: "Sound cannot be written or read here: no thread starts" })
  )

const started = ({ ready }: CodecThread): Effect.Effect<void, NoThread> =>
  ready.pipe(
    Effect.catchTag("ThreadBroke", ({ kind }) => notStarted(kind)),
    Effect.timeoutOption(startLimit),
    Effect.flatMap((isReady) => isReady._tag === "Some" ? Effect.void : notStarted("Timeout"))
  )

/** Threads that are started when there is work. With the scope, all of them are ended. */
export const makeThreads = (
  { idleMillis, size, start, waiting }: ThreadsOptions
): Effect.Effect<Threads, never, Scope.Scope> =>
  Effect.gen(function*() {
    const turns = yield* Effect.makeSemaphore(size)
    const idle = new Map<CodecThread, NodeJS.Timeout>()
    let wanted = 0

    const take = (thread: CodecThread): CodecThread => {
      clearTimeout(idle.get(thread))
      idle.delete(thread)
      return thread
    }

    const lend = Effect.sync(() => {
      const fit = [...idle.keys()].find((thread) => !thread.isBroken())
      return fit === undefined ? start() : take(fit)
    })

    const rest = (thread: CodecThread) =>
      Effect.sync(() => {
        const leave = () => Effect.runFork(take(thread).end)
        idle.set(thread, setTimeout(leave, idleMillis).unref())
      })

    yield* Effect.addFinalizer(() =>
      Effect.forEach([...idle.keys()], (thread) => take(thread).end, { concurrency: "unbounded", discard: true })
    )

    const enter = Effect.suspend(() => {
      if (wanted >= size + waiting) {
        return new NoThread({ message: "Too many sounds are being written and read: try again later" })
      }
      wanted += 1
      return Effect.void
    })

    const leave = Effect.sync(() => void (wanted -= 1))

    return {
      use: (work) => {
        const inTurn = turns.withPermits(1)(Effect.acquireUseRelease(
          lend,
          (thread) => Effect.zipRight(started(thread), work(thread)),
          (thread, exit) => Exit.isSuccess(exit) ? rest(thread) : thread.end
        ))
        return Effect.acquireUseRelease(enter, () => inTurn, () => leave)
      }
    }
  })
