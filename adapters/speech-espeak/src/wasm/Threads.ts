import { Effect, type Scope } from "effect"
import type { EspeakThread } from "./EspeakThread.js"

/** Threads that are there to speak. */
export interface Threads {
  /** One that is not at work. It is had until it is given back. */
  readonly take: () => EspeakThread
  readonly giveBack: (thread: EspeakThread) => void
}

/** What threads there are. */
export interface ThreadsOptions {
  readonly start: () => EspeakThread
  /** How long a thread stays without work, in milliseconds. */
  readonly idle: number
}

/**
 * As many threads as there is work for, all ended with the scope. One is there from the beginning and stays, so that
 * nobody waits for espeak to load; the others go when they have nothing to do.
 */
export const makeThreads = ({ idle, start }: ThreadsOptions): Effect.Effect<Threads, never, Scope.Scope> => {
  const all = new Set<EspeakThread>()
  /** Those that rest, with the timers that end them; the last one was at work last. */
  const resting = new Map<EspeakThread, NodeJS.Timeout>()

  const add = (): EspeakThread => {
    const thread = start()
    all.add(thread)
    return thread
  }
  const remove = async (thread: EspeakThread): Promise<void> => {
    wake(thread)
    all.delete(thread)
    await thread.end()
  }
  const wake = (thread: EspeakThread): void => {
    clearTimeout(resting.get(thread))
    resting.delete(thread)
  }
  const rest = (thread: EspeakThread): void => {
    resting.set(thread, setTimeout(() => void (all.size > 1 && remove(thread)), idle).unref())
  }
  const giveBack = (thread: EspeakThread): void => thread.isBroken() ? void remove(thread) : rest(thread)

  const take = (): EspeakThread => {
    const thread = [...resting.keys()].findLast((candidate) => !candidate.isBroken())
    if (thread === undefined) return add()
    wake(thread)
    return thread
  }

  return Effect.as(
    Effect.acquireRelease(
      Effect.sync(() => rest(add())),
      () => Effect.promise(() => Promise.all([...all].map(remove)))
    ),
    { take, giveBack }
  )
}
