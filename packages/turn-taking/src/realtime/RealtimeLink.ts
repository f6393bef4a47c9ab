import { frameMillis } from "@trunkline/audio"
import { fiberStarter } from "@trunkline/kernel"
import { type Message, messageText, type ModelFailure, type ModelRequest } from "@trunkline/models"
import { Clock, Data, Deferred, Effect, ExecutionStrategy, Exit, Scope } from "effect"
import type { RealtimeCommand, RealtimeEvent, RealtimeModel, RealtimeSession, RealtimeSetup } from "./RealtimeModel.js"
import { makeRecentFrames } from "./RecentFrames.js"
import { makeSessionHistory, type SessionHistory } from "./SessionHistory.js"

/** The model can hold the call no more: no session could be opened in place of one that ended. */
export class RealtimeLost extends Data.TaggedError("RealtimeLost")<{ readonly failure: ModelFailure }> {}

/** The session of a call, and those that follow it. */
export interface RealtimeLink {
  /** The conversation as the session knows it. */
  readonly history: SessionHistory
  /** Adds a frame of the caller. `isQuiet`: neither side speaks, so that a session that ends soon can be replaced. */
  readonly push: (samples: Float32Array, turn: { readonly isOpen: boolean; readonly isQuiet: boolean }) => void
  readonly send: (command: RealtimeCommand) => void
  /** Gives the session, and those that follow it, instructions and tools. */
  readonly configure: (setup: RealtimeSetup) => void
  /** Lets the session know all that a request holds. */
  readonly prepare: (request: ModelRequest) => Effect.Effect<void, RealtimeLost>
  /** Completes when a session is open. */
  readonly ready: Effect.Effect<void, RealtimeLost>
  /** Gives the model up. */
  readonly lose: (failure: ModelFailure) => RealtimeLost
  /** Completes when the model can hold the call no more. */
  readonly lost: Effect.Effect<RealtimeLost>
  readonly isLost: () => boolean
  /** Removes and returns the sound of the caller's present turn, for what takes over; none is kept from then on. */
  readonly takeRecent: () => ReadonlyArray<Float32Array>
}

/** Sessions in a row that may end without an answer. */
const maxBreaks = 3

/** Wait before the second try to open a session. */
const retryAfter = "500 millis"

/** Time before the end of a session from which it is replaced in a quiet moment, in milliseconds. */
const renewBefore = 60_000

const noSetup: RealtimeSetup = { instructions: "", tools: [] }

const isLasting = (failure: ModelFailure): boolean =>
  failure._tag === "BadRequest" || failure._tag === "ModelUnavailable" && failure.lasting === true

const setupOf = ({ messages, tools = [] }: ModelRequest): RealtimeSetup => {
  const [first] = messages
  return { instructions: first?.role === "system" ? messageText(first) : "", tools }
}

const conversationOf = ({ messages }: ModelRequest): ReadonlyArray<Message> =>
  messages[0]?.role === "system" ? messages.slice(1) : messages

/**
 * Opens the session of a call and keeps one open until the scope closes. Its states, in this order: open; broken, while another
 * session is opened with the history and hears the caller's present turn again; lost, when none could be, which is for ever. A
 * session that will expire is replaced while nobody speaks. Events of a session that was replaced are dropped.
 *
 * @param onBroken - Told when a session has ended, before another one is opened: answers under way get nothing more.
 */
export const makeRealtimeLink = ({ model, onBroken, onEvent, rate, setup: firstSetup = noSetup }: {
  readonly model: RealtimeModel.Service
  readonly rate: number
  /** Setup of the first session; default none. */
  readonly setup?: RealtimeSetup
  readonly onEvent: (event: RealtimeEvent) => void
  readonly onBroken: () => void
}): Effect.Effect<RealtimeLink, ModelFailure, Scope.Scope> =>
  Effect.gen(function*() {
    const parent = yield* Effect.scope
    const start = yield* fiberStarter()
    const history = makeSessionHistory()
    const recent = makeRecentFrames()
    const loss = yield* Deferred.make<RealtimeLost>()
    const ready = Effect.unsafeMakeLatch(false)
    let failure: RealtimeLost | null = null
    let session: RealtimeSession | null = null
    let scope: Scope.CloseableScope | null = null
    let setup = firstSetup
    let setupText = JSON.stringify(setup)
    let generation = 0
    let breaks = 0
    let millisLeft = Infinity
    let isTaken = false

    const lose = (reason: ModelFailure): RealtimeLost => {
      failure ??= new RealtimeLost({ failure: reason })
      generation += 1
      session = null
      Deferred.unsafeDone(loss, Effect.succeed(failure))
      ready.unsafeOpen()
      return failure
    }

    const open: Effect.Effect<void, ModelFailure> = Effect.gen(function*() {
      const mine = ++generation
      const before = scope
      const next = yield* Scope.fork(parent, ExecutionStrategy.sequential)
      const count = history.messages.length
      const openedSession = yield* model.open({
        rate,
        setup,
        history: [...history.messages],
        onEvent: (event) => {
          if (mine === generation) take(event)
        }
      }).pipe(Scope.extend(next), Effect.onError(() => Scope.close(next, Exit.void)))
      if (mine !== generation) return yield* Scope.close(next, Exit.void)
      const now = yield* Clock.currentTimeMillis
      millisLeft = openedSession.expiresAt === null ? Infinity : openedSession.expiresAt - now
      scope = next
      session = openedSession
      const later = history.messages.slice(count)
      if (later.length > 0) openedSession.send({ _tag: "Add", messages: later })
      recent.take().forEach(openedSession.push)
      ready.unsafeOpen()
      if (before !== null) start(Scope.close(before, Exit.void))
    })

    const reopen = Effect.catchAll(open, (reason) =>
      isLasting(reason) ?
        Effect.sync(() => void lose(reason)) :
        Effect.catchAll(
          Effect.delay(open, retryAfter),
          (reason) => Effect.sync(() => void lose(reason))
        ))

    /** Leaves the session, and opens another one. */
    const replace = (): void => {
      session = null
      millisLeft = Infinity
      ready.unsafeClose()
      start(Effect.asVoid(reopen))
    }

    const take = (event: RealtimeEvent): void => {
      if (event._tag === "Responded" || event._tag === "CallerText") breaks = 0
      if (event._tag !== "Ended") return onEvent(event)
      generation += 1
      breaks += 1
      onBroken()
      if (isLasting(event.failure) || breaks > maxBreaks) return void lose(event.failure)
      start(Effect.logWarning("A session of the realtime model has ended; opening another one"))
      replace()
    }

    yield* open
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        generation += 1
        session = null
      })
    )

    const whenReady: Effect.Effect<void, RealtimeLost> = Effect.zipRight(
      ready.await,
      Effect.suspend(() => failure ?? Effect.void)
    )
    const send = (command: RealtimeCommand): void => session?.send(command)
    /** Takes a setup. Returns false for the present one. */
    const change = (wantedSetup: RealtimeSetup): boolean => {
      const wantedText = JSON.stringify(wantedSetup)
      const isOther = wantedText !== setupText
      setup = wantedSetup
      setupText = wantedText
      return isOther
    }

    return {
      history,
      push: (samples, { isOpen, isQuiet }) => {
        millisLeft -= frameMillis
        if (session !== null && isQuiet && millisLeft < renewBefore) replace()
        if (!isTaken) recent.add(samples, isOpen || session === null)
        session?.push(samples)
      },
      send,
      configure: (wantedSetup) => {
        if (change(wantedSetup)) send({ _tag: "Configure", setup })
      },
      prepare: (request) =>
        Effect.suspend(() => {
          const missing = history.takeMissing(conversationOf(request))
          const isOther = change(setupOf(request))
          if (missing === null) replace()
          else {
            if (isOther) send({ _tag: "Configure", setup })
            if (missing.length > 0) send({ _tag: "Add", messages: missing })
          }
          return whenReady
        }).pipe((preparation) => Effect.zipRight(whenReady, preparation)),
      ready: whenReady,
      lose,
      lost: Deferred.await(loss),
      isLost: () => failure !== null,
      takeRecent: () => {
        isTaken = true
        return recent.take()
      }
    }
  })
