import { type ThreadHandlers, WorkerCrashed, type WorkerThread } from "@trunkline/workers"
import { Deferred, Effect, FiberId, type Scope } from "effect"
import type { SipMediaSession } from "./CallSession.js"
import { makeFrameRing } from "./frames/FrameRing.js"
import type { FromThread, MediaThreadSettings, ToThread } from "./frames/MediaMessages.js"
import { makeTurnReader } from "./frames/Turns.js"

/** The main thread's side of a media thread. */
export interface ThreadClient {
  /** Sessions by the number of their call, which hear what the thread says about them. */
  readonly sessions: Map<number, SipMediaSession>
  readonly post: (message: ToThread, transfer?: ReadonlyArray<ArrayBuffer>) => void
  /** Opens or closes a call, and waits until that is done. */
  readonly ask: (
    message: Extract<ToThread, { readonly _tag: "Open" | "Close" }>
  ) => Effect.Effect<FromThread, WorkerCrashed>
  /** Keeps the process alive for the thread, for as long as the scope is open. */
  readonly hold: Effect.Effect<void, never, Scope.Scope>
  readonly terminate: () => Promise<void>
}

/** Starts the thread itself. */
export type StartThread = (settings: MediaThreadSettings, handlers: ThreadHandlers) => WorkerThread

const isFromThread = (message: unknown): message is FromThread =>
  typeof message === "object" && message !== null && "_tag" in message

/** Starts a media thread. A crash ends its sessions and fails what waits for it; then `onCrash` is called, once. */
export const startThreadClient = (
  start: StartThread,
  options: {
    readonly settings: Omit<MediaThreadSettings, "ring">
    readonly onCrash: (client: ThreadClient) => void
    /** Frames that the way from the thread has room for; a power of two. */
    readonly frames?: number | undefined
  }
): ThreadClient => {
  const sessions = new Map<number, SipMediaSession>()
  const ring = makeFrameRing(options.frames)
  const readTurn = makeTurnReader(ring, {
    onEvent: (event) => sessions.get(event.call)?.onEvent(event),
    onFrame: (call, samples, kind) => sessions.get(call)?.onFrame(samples, kind)
  })
  const replies = new Map<
    number,
    { readonly to: "Open" | "Close"; readonly reply: Deferred.Deferred<FromThread, WorkerCrashed> }
  >()
  let failure: WorkerCrashed | null = null
  let holders = 0

  const onMessage = (message: unknown): void => {
    if (!isFromThread(message)) return onCrash(WorkerCrashed.of(new TypeError("Unknown message")))
    if (message._tag !== "Turn") {
      const waiting = replies.get(message.call)
      // A call that is closed while it opens may still report that it is open.
      if (waiting === undefined || waiting.to === "Close" && message._tag === "Opened") return
      return Deferred.unsafeDone(waiting.reply, Effect.succeed(message))
    }
    readTurn(message)
  }

  const onCrash = (crash: WorkerCrashed): void => {
    if (failure !== null) return
    failure = crash
    void thread.terminate()
    for (const { reply } of replies.values()) Deferred.unsafeDone(reply, crash)
    for (const session of sessions.values()) session.crash()
    sessions.clear()
    options.onCrash(client)
  }

  const thread = start({ ...options.settings, ring }, { onMessage, onCrash })

  const holdFor = (count: number) =>
    Effect.sync(() => {
      holders += count
      thread.hold(holders > 0)
    })

  const client: ThreadClient = {
    sessions,
    post: thread.post,
    ask: (message) =>
      Effect.suspend(() => {
        if (failure !== null) return failure
        const reply = Deferred.unsafeMake<FromThread, WorkerCrashed>(FiberId.none)
        replies.set(message.call, { to: message._tag, reply })
        thread.post(message)
        return Effect.ensuring(Deferred.await(reply), Effect.sync(() => replies.delete(message.call)))
      }),
    hold: Effect.acquireRelease(holdFor(1), () => holdFor(-1)),
    terminate: thread.terminate
  }
  return client
}
