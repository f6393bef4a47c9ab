// States of a call: a token -> recorded -> answered -> over, or refused.
//
// 1. A token holds all that the call needs, sealed, so that any process with the same secret can answer it.
// 2. It is used by inserting the attempt whose id it holds: a second insert fails, in whatever process.
// 3. The call is answered once the client says that it can hear and speak. It runs among the live calls, and its socket stays
//    open until it is over. A socket that closes ends the call.

import type { Invalid, NotFound, RuleViolation, Unavailable } from "@trunkline/errors"
import { BusinessTime, ConnectionId, describeCause, findOne, type Scope, scopeKey, unchecked } from "@trunkline/kernel"
import {
  Attempt,
  Attempts,
  attemptStarted,
  AttemptStore,
  type BrowserLine,
  BrowserLines,
  type BrowserRefusal,
  type CallProgress,
  Calls,
  CallSlots,
  CallWatch,
  Connection,
  type FrameSocket,
  LiveCalls,
  LiveFeed,
  type NotAnswered,
  notConnected,
  type OpenFrames
} from "@trunkline/telephony"
import { Cause, Clock, Context, Deferred, Effect, Layer, Option } from "effect"
import { type BrowserCallToken, browserNumbers, type CreateBrowserCall } from "./BrowserCall.js"
import type { BrowserCallSettings } from "./BrowserCallSettings.js"
import { type BrowserCallRequest, makeBrowserTokens } from "./BrowserTokens.js"
import type { Ticket } from "./Ticket.js"

/** Line, provider and protocol in the records of these calls. */
const channel = { line: ConnectionId.make("browser"), provider: "browser", protocol: "websocket" }

/** Calls with agents from browsers and other WebSocket clients, without a phone. */
export class BrowserCalls extends Context.Tag("@trunkline/engine/BrowserCalls")<BrowserCalls, {
  /**
   * Makes a token for one call, good for a minute. Fails with `Unavailable` where these calls are off, or where there is no
   * voice or no transcriber.
   */
  readonly create: (
    scope: Scope,
    body: CreateBrowserCall
  ) => Effect.Effect<BrowserCallToken, Invalid | NotFound | RuleViolation | Unavailable>
  /** Answers the call of a token, and completes when its socket has closed. Every socket is accepted, to tell why not. */
  readonly open: (request: BrowserCallRequest, frames: OpenFrames) => Effect.Effect<void>
}>() {
  static readonly layer = (settings: BrowserCallSettings = {}) => Layer.effect(BrowserCalls, make(settings))
}

const newAttempt = (ticket: Ticket, attempted_at: number): Attempt => {
  const { expires_at: _, kind: __, max_seconds: ___, ...call } = ticket
  return new Attempt({
    ...call,
    kind: "inbound",
    campaign_id: null,
    cohort_id: null,
    deployment_id: null,
    connection_id: channel.line,
    channel_provider: channel.provider,
    channel_protocol: channel.protocol,
    agent_phone_number: browserNumbers.agent,
    retry_attempt: 0,
    attempted_at,
    state: "accepted",
    provider_call_id: ticket.attempt_id,
    result: null
  }, unchecked)
}

const make = (settings: BrowserCallSettings) =>
  Effect.gen(function*() {
    const { max_concurrent = 50 } = settings
    const { check, create } = yield* makeBrowserTokens(settings)
    const attempts = yield* Attempts
    const calls = yield* Calls
    const feed = yield* LiveFeed
    const lines = yield* BrowserLines
    const live = yield* LiveCalls
    const slots = yield* CallSlots
    const store = yield* AttemptStore

    /** Tokens that this process has seen, until they expire. */
    const useTimes = new Map<string, number>()

    /** Inserts the attempt of a ticket; false when it was inserted before. */
    const claim = (attempt: Attempt, { attempt_id, expires_at }: Ticket) =>
      Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        for (const [id, until] of useTimes) if (until <= now) useTimes.delete(id)
        if (useTimes.has(attempt_id)) return false
        useTimes.set(attempt_id, expires_at)
        const isStored = Effect.map(findOne(store.findMany, attempt_id), Option.isSome)
        if (yield* isStored) return false
        return yield* Effect.catchAllCause(
          Effect.as(store.insertMany([attempt]), true),
          (cause) =>
            Effect.flatMap(isStored, (wasStored) => wasStored ? Effect.succeed(false) : Effect.failCause(cause))
        )
      })

    const refuse = (socket: FrameSocket, why: BrowserRefusal) => lines.refuse(socket, why)

    /** Business time that passes as the Clock does, since a person speaks in real time however fast calls are simulated. */
    const realTime = Effect.zipWith(
      BusinessTime.now,
      Clock.currentTimeMillis,
      (business, clock) => BusinessTime.fromClock(business - clock)
    )

    const answer = (socket: FrameSocket, attempt: Attempt, limitMillis: number) =>
      Effect.gen(function*() {
        yield* feed.publish(attempt, () => attemptStarted(attempt, attempt.attempted_at))
        let open: BrowserLine | null = null
        const watch = (progress: CallProgress) => open?.tell(progress)
        const outcome = yield* lines.open(socket, { attempt_id: attempt.attempt_id, limitMillis }).pipe(
          Effect.flatMap((browser) => {
            open = browser
            return calls.converse(browser.line, attempt)
          }),
          Effect.catchTag(
            "NotAnswered",
            ({ reason, status }: NotAnswered) => Effect.succeed(notConnected(status, reason))
          ),
          Effect.catchAllDefect((defect) =>
            Effect.logError("A call from a browser failed unexpectedly", describeCause(Cause.die(defect))).pipe(
              Effect.zipRight(refuse(socket, "unavailable")),
              Effect.as(notConnected("internal", "internal: the call failed unexpectedly"))
            )
          ),
          Effect.provideService(CallWatch, watch)
        )
        yield* attempts.end({ attempt_id: attempt.attempt_id, outcome })
      })

    const carry = (socket: FrameSocket, ticket: Ticket) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          const time = yield* realTime
          // No line of the host has a slash in its id.
          const line = new Connection({
            connection_id: ConnectionId.make(`${channel.line} of ${scopeKey(ticket)}`, unchecked),
            provider: channel.provider,
            phone_numbers: [],
            max_channels: max_concurrent,
            options: {}
          }, unchecked)
          const slot = yield* slots.tryTake(ticket, line, { _tag: "Inbound" })
          if (!slot.isTaken) {
            return yield* refuse(socket, "busy")
          }
          const call = Effect.gen(function*() {
            const attempt = newAttempt(ticket, yield* time.now)
            if (!(yield* claim(attempt, ticket))) {
              return yield* refuse(socket, "token_used")
            }
            yield* restore(answer(socket, attempt, ticket.max_seconds * 1000))
          })
          yield* Effect.ensuring(Effect.provideService(call, BusinessTime, time), slot.release)
        })
      )

    /** Carries a call; a defect closes the socket, and never goes unsaid. */
    const carryOut = (socket: FrameSocket, ticket: Ticket) =>
      Effect.catchAllDefect(carry(socket, ticket), (defect) =>
        Effect.zipRight(
          Effect.logError("A call from a browser could not be answered", describeCause(Cause.die(defect))),
          refuse(socket, "unavailable")
        ))

    const open = (request: BrowserCallRequest, frames: OpenFrames) =>
      Effect.scoped(Effect.gen(function*() {
        const ticket = yield* check(request)
        const socket = yield* frames
        if (typeof ticket === "string") {
          return yield* refuse(socket, ticket)
        }
        const over = yield* Deferred.make<void>()
        const call = Effect.ensuring(carryOut(socket, ticket), Deferred.succeed(over, undefined))
        if (yield* live.start(call)) {
          yield* Deferred.await(over)
        } else yield* refuse(socket, "unavailable")
      }))

    return BrowserCalls.of({ create, open })
  })
