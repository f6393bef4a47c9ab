import { describeCause } from "@trunkline/kernel"
import { Cause, Data, Deferred, Effect, Either, FiberId, Queue } from "effect"
import { type Transferable, Worker, type WorkerOptions } from "node:worker_threads"
import { commandOf } from "./WorkerEntry.js"
import type { PooledWorker } from "./WorkerPool.js"

/** A worker threw, exited, ran out of memory, or sent a message that does not belong to its protocol. */
export class WorkerCrashed extends Data.TaggedError("WorkerCrashed")<{
  /** Kind of the error, then the stack frames it came from. Messages are left out: they may quote the data at work. */
  readonly description: string
}> {
  /** Kind of the error alone, such as `TypeError`, `ThreadExit 1` or `Error ERR_WORKER_OUT_OF_MEMORY`. */
  get kind(): string {
    return this.description.split("\n", 1).join()
  }

  override get message() {
    return `A worker crashed: ${this.kind}`
  }

  /** Describes the error that ended a worker, with its code where it has one. */
  static readonly of = (error: unknown): WorkerCrashed => {
    const description = describeCause(Cause.die(error))
    return new WorkerCrashed({
      description: error instanceof Error && "code" in error
        ? description.replace(/^.*/, (name) => `${name} ${error.code}`)
        : description
    })
  }
}

/** Options of a worker thread. */
export interface ThreadOptions extends Pick<WorkerOptions, "resourceLimits" | "workerData"> {
  /** Name of the thread in debuggers and profilers. */
  readonly name: string
}

/** Callbacks for what a thread sends. */
export interface ThreadHandlers {
  readonly onMessage: (message: unknown) => void
  /** Called when the thread fails and again when it exits, also after `terminate`. */
  readonly onCrash: (crash: WorkerCrashed) => void
}

/** A running worker thread. The process does not stay alive for it unless it is held. */
export interface WorkerThread {
  /** Sends a message; the memory in `transfer` belongs to the thread afterwards. */
  readonly post: (message: unknown, transfer?: ReadonlyArray<Transferable>) => void
  /** Sets whether the process stays alive as long as the thread does. */
  readonly hold: (isHeld: boolean) => void
  /** Stops the thread, even in the middle of an endless loop, and completes when it has exited. */
  readonly terminate: () => Promise<void>
  /** Settles when the thread has exited. */
  readonly exited: Promise<void>
}

/**
 * Starts a worker thread that runs a module. Everything it prints is dropped, since output of a library may quote the data
 * it works on.
 */
export const startThread = (
  entry: URL,
  { onCrash, onMessage, ...options }: ThreadOptions & ThreadHandlers
): WorkerThread => {
  const { args, execArgv, url } = commandOf(entry, "thread")
  const worker = new Worker(url, {
    ...options,
    argv: [...args],
    ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
    stdout: true,
    stderr: true
  })
  const exited = new Promise<void>((resolve) => void worker.once("exit", () => resolve()))
  worker.on("message", onMessage)
  worker.on("error", (error) => onCrash(WorkerCrashed.of(error)))
  worker.on("messageerror", (error) => onCrash(WorkerCrashed.of(error)))
  worker.on("exit", (code) => onCrash(new WorkerCrashed({ description: `ThreadExit ${code}` })))
  worker.stdout.resume()
  worker.stderr.resume()
  worker.unref()
  return {
    post: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    hold: (isHeld) => isHeld ? worker.ref() : worker.unref(),
    terminate: async () => void await worker.terminate(),
    exited
  }
}

/** Message by which a thread may report that its modules are loaded. */
export const readyMessage = "ready"

/** Options of a thread that replies to requests. */
export interface RequestThreadOptions<Reply> extends ThreadOptions {
  /** Decodes a message of the thread. One that cannot be decoded is a crash. */
  readonly decode: (message: unknown) => Either.Either<Reply, unknown>
  /** Asks the thread to end by itself, and terminates it after `graceMillis`. By default it is terminated at once. */
  readonly shutdown?: { readonly message: unknown; readonly graceMillis: number }
}

/** A thread that works on one request at a time. */
export interface RequestThread<Request, Reply> extends PooledWorker {
  /** Completes when the thread has sent `readyMessage`. */
  readonly ready: Effect.Effect<void, WorkerCrashed>
  /** Sends a request and waits for the reply. An interruption leaves the thread at work: `end` it then. */
  readonly request: (request: Request, transfer?: ReadonlyArray<Transferable>) => Effect.Effect<Reply, WorkerCrashed>
  /** Sends a request that has several replies; `next` waits for one after the other. */
  readonly requestMany: <A, E>(
    request: Request,
    use: (next: Effect.Effect<Reply, WorkerCrashed>) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E>
}

/** Starts a thread that replies to requests. Its modules load while the first request waits. */
export const startRequestThread = <Request, Reply>(
  entry: URL,
  { decode, shutdown, ...options }: RequestThreadOptions<Reply>
): RequestThread<Request, Reply> => {
  const ready = Deferred.unsafeMake<void, WorkerCrashed>(FiberId.none)
  let firstCrash: WorkerCrashed | null = null
  let replies: Queue.Queue<Effect.Effect<Reply, WorkerCrashed>> | null = null

  const onCrash = (crash: WorkerCrashed) => {
    firstCrash ??= crash
    Deferred.unsafeDone(ready, firstCrash)
    replies?.unsafeOffer(firstCrash)
  }

  const thread = startThread(entry, {
    ...options,
    onCrash,
    onMessage: (message) => {
      if (message === readyMessage) return Deferred.unsafeDone(ready, Effect.void)
      Either.match(decode(message), {
        onLeft: (error) => onCrash(WorkerCrashed.of(error)),
        onRight: (reply) => void replies?.unsafeOffer(Effect.succeed(reply))
      })
    }
  })

  /** Keeps the process alive for the thread meanwhile. */
  const withHold = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.acquireUseRelease(
      Effect.sync(() => thread.hold(true)),
      () => effect,
      () => Effect.sync(() => thread.hold(false))
    )

  const exchange = <A, E>(
    request: Request,
    transfer: ReadonlyArray<Transferable>,
    use: (next: Effect.Effect<Reply, WorkerCrashed>) => Effect.Effect<A, E>
  ) =>
    withHold(Effect.flatMap(Queue.unbounded<Effect.Effect<Reply, WorkerCrashed>>(), (queue) => {
      replies = queue
      if (firstCrash === null) thread.post(request, transfer)
      else queue.unsafeOffer(firstCrash)
      return use(Effect.flatten(Queue.take(queue)))
    }))

  const shutDown = async ({ graceMillis, message }: NonNullable<typeof shutdown>) => {
    thread.post(message)
    const timer = setTimeout(() => void thread.terminate(), graceMillis)
    await thread.exited
    clearTimeout(timer)
  }

  return {
    ready: withHold(Deferred.await(ready)),
    request: (request, transfer = []) => exchange(request, transfer, (next) => next),
    requestMany: (request, use) => exchange(request, [], use),
    end: shutdown === undefined
      ? Effect.promise(thread.terminate)
      : withHold(Effect.promise(() => shutDown(shutdown))),
    isBroken: () => firstCrash !== null
  }
}
