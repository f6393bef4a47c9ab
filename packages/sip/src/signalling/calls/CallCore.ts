import { describeCause } from "@trunkline/kernel"
import { Deferred, Effect, FiberId } from "effect"
import { type AgentContext, callKey, capabilities } from "../agent/AgentContext.js"
import type { Authorizer } from "../agent/Authorizer.js"
import { exchange, failedBecause } from "../agent/Exchange.js"
import type { Hops } from "../agent/Hops.js"
import type { CallEnd, CallHandlers, SipRequestFailed } from "../agent/SipCall.js"
import { type Dialog, type RequestParts, requestWithin, type Routed } from "../dialogs/Dialog.js"
import type { SipRequest, SipResponse } from "../message/Message.js"
import { writeReason } from "../message/Reason.js"
import { type ResponseParts, responseTo } from "../transactions/Responses.js"
import type { ServerTransaction } from "../transactions/ServerTransactions.js"
import { type AnswerCopies, countCopies } from "./AnswerCopies.js"
import { type AnswerRepeater, repeatAnswer } from "./AnswerRepeater.js"

/** A call that was answered, as it begins. */
export interface CallSeed {
  readonly dialog: Dialog
  /** This side sent the INVITE. */
  readonly isCaller: boolean
  /** Value of our Contact. */
  readonly contact: string
  readonly authorizer: Authorizer
  readonly hops: Hops
  readonly handlers: CallHandlers
  readonly localSdp: string
  readonly remoteSdp: string
  /** The other side takes UPDATE. */
  readonly takesUpdate: boolean
}

/** State of a call that changes. */
export interface DialogState {
  dialog: Dialog
  localSdp: string
  remoteSdp: string
  /** Side whose offer, or INVITE, has no answer yet. */
  offerSide: "none" | "ours" | "theirs"
  /** `closing`: it has ended, and our BYE is on its way. */
  phase: "up" | "closing" | "over"
  /** Our 2xx that waits for its ACK. */
  answer: AnswerRepeater | null
}

/** An answered call with what its parts share. */
export interface CallCore {
  readonly agent: AgentContext
  readonly seed: CallSeed
  readonly state: DialogState
  /** Makes the next request within the dialog, without its Via. */
  readonly next: (method: string, parts?: RequestParts) => Routed
  /** Sends a request other than INVITE and returns its final response. One that is not known any more ends the call. */
  readonly request: (method: string, parts?: RequestParts) => Effect.Effect<SipResponse, SipRequestFailed>
  readonly respond: (transaction: ServerTransaction, status: number, parts?: ResponseParts) => void
  /** Sends a 2xx of an INVITE until its ACK comes; without it, the call ends. */
  readonly answer: (transaction: ServerTransaction, response: SipResponse, onAck: (ack: SipRequest) => void) => void
  /** Ends the call, unless it has ended, with a BYE unless the other side sent one. */
  readonly finish: (end: CallEnd, options: { readonly bye: boolean; readonly cause?: number }) => void
  /** Ends the call if a failure means that the other side knows it no more (RFC 3261, section 12.2.1.2). */
  readonly endIfGone: (failure: { readonly kind: string; readonly status: number | null }) => void
  /** Runs handlers of the call one at a time, in order. */
  readonly inTurn: (effect: Effect.Effect<void>) => void
  /** Copies of the other side's answer to a call that this side placed. */
  readonly copies: AnswerCopies
  /** True once the answer to the call was acknowledged, as far as is known. */
  readonly isConfirmed: () => boolean
  /** Calls back when the call ends. */
  readonly onEnd: (callback: () => void) => void
  readonly ended: Effect.Effect<CallEnd>
  /** Completes when the end is confirmed. */
  readonly closed: Effect.Effect<void>
}

/** Makes the shared part of a call. */
export const makeCallCore = (agent: AgentContext, seed: CallSeed): CallCore => {
  const callEnd = Deferred.unsafeMake<CallEnd>(FiberId.none)
  const closure = Deferred.unsafeMake<void>(FiberId.none)
  const turns = Effect.unsafeMakeSemaphore(1)
  const callbacks: Array<() => void> = []
  const key = callKey(seed.dialog.callId, seed.dialog.localTag)
  const state: DialogState = {
    dialog: seed.dialog,
    localSdp: seed.localSdp,
    remoteSdp: seed.remoteSdp,
    offerSide: "none",
    phase: "up",
    answer: null
  }
  /** Completed while no answer of ours waits for its ACK, since only then a BYE may be sent (RFC 3261, section 15). */
  let acknowledgement: Effect.Effect<void> = Effect.void
  let isConfirmed = seed.isCaller
  const copies = countCopies(agent)

  const next = (method: string, { body, headers = [] }: RequestParts = {}): Routed => {
    const number = state.dialog.localNumber + 1
    state.dialog = { ...state.dialog, localNumber: number }
    return requestWithin(state.dialog, method, number, {
      headers: [["contact", seed.contact], ...capabilities(agent.product), ...headers],
      ...(body === undefined ? {} : { body })
    })
  }

  const over = () => {
    state.phase = "over"
    state.answer?.stop()
    agent.calls.delete(key)
    Deferred.unsafeDone(closure, Effect.void)
  }

  const bye = (cause: number | undefined) => {
    const headers = cause === undefined
      ? []
      : [["reason", writeReason({ protocol: "Q.850", cause, text: "" })] as const]
    const build = () => next("BYE", { headers })
    return Effect.suspend(() => acknowledgement).pipe(
      Effect.zipRight(exchange(agent, { build, hops: seed.hops, authorizer: seed.authorizer })),
      Effect.ignore,
      Effect.ensuring(Effect.sync(over))
    )
  }

  const finish: CallCore["finish"] = (end, options) => {
    if (state.phase !== "up") return
    state.phase = "closing"
    callbacks.forEach((callback) => callback())
    Deferred.unsafeDone(callEnd, Effect.succeed(end))
    if (options.bye) agent.start(bye(options.cause))
    else over()
  }

  const endIfGone: CallCore["endIfGone"] = ({ status, kind }) => {
    const isGone = kind === "timeout" || status === 481 || status === 408
    if (isGone) finish({ by: "fault", kind: "gone", cause: null }, { bye: true })
  }

  return {
    agent,
    seed,
    state,
    next,
    request: (method, parts) =>
      Effect.suspend(() =>
        state.phase === "up"
          ? exchange(agent, { build: () => next(method, parts), hops: seed.hops, authorizer: seed.authorizer })
          : Effect.fail(failedBecause("ended"))
      ).pipe(
        Effect.tap((response) => Effect.sync(() => endIfGone({ kind: "refused", status: response.status }))),
        Effect.tapError((failure) => Effect.sync(() => endIfGone(failure)))
      ),
    respond: (transaction, status, parts) =>
      transaction.respond(responseTo(transaction.request, status, { tag: seed.dialog.localTag, ...parts })),
    answer: (transaction, response, onAck) => {
      const settlement = Deferred.unsafeMake<void>(FiberId.none)
      acknowledgement = Deferred.await(settlement)
      const settle = () => {
        state.answer = null
        Deferred.unsafeDone(settlement, Effect.void)
      }
      state.answer = repeatAnswer(agent, {
        transaction,
        response,
        onAck: (ack) => {
          settle()
          isConfirmed = true
          onAck(ack)
        },
        onLost: () => {
          settle()
          finish({ by: "fault", kind: isConfirmed ? "gone" : "no-ack", cause: null }, { bye: true })
        }
      })
    },
    finish,
    endIfGone,
    inTurn: (effect) =>
      agent.start(
        turns.withPermits(1)(effect).pipe(
          Effect.catchAllCause((cause) => Effect.logError("The handler of a call failed", describeCause(cause)))
        )
      ),
    copies,
    isConfirmed: () => isConfirmed && !copies.isDoubtful(),
    onEnd: (callback) => void callbacks.push(callback),
    ended: Deferred.await(callEnd),
    closed: Deferred.await(closure)
  }
}
