// States of a call: held -> joined -> over. It is held by the agent, who may try transfers one after the other.
//
// 1. The provider is asked first, where it can be: it connects both sides, and ours leaves.
// 2. Otherwise the target is called from here. Once it has taken the call, both lines are joined, and the conversation of the
//    agent ends; hanging up its leg then ends nothing.
// 3. The joined call is over when one side hangs up, when its time is up, or when somebody ends it.

import { BusinessTime, describeCause } from "@trunkline/kernel"
import { Cause, Effect, ExecutionStrategy, Fiber, Scope } from "effect"
import { reportedAnswers } from "../../call/AnswerHandling.js"
import type { Attempt } from "../../call/Attempt.js"
import { type AudioLine, isAudioLine } from "../../call/AudioLine.js"
import type { CallBrief } from "../../call/CallHandler.js"
import { joinLines } from "../../call/JoinLines.js"
import { sendKeys } from "../../call/Keys.js"
import type { Leg } from "../../call/Leg.js"
import type { TransferRequest, TransferResult } from "../../call/Transfer.js"
import { Voicing } from "../Voicing.js"
import { briefPerson } from "./PersonBriefing.js"
import { makeSecondLegs, type TransferFailed, transferFailed, unsupported } from "./SecondLeg.js"

/** A call that can be transferred. */
export interface TransferableCall {
  /** Its leg, with the means to transfer it. */
  readonly legOf: (leg: Leg) => Leg
  /** True once it is joined with another call. */
  readonly isJoined: () => boolean
  /** Follows both calls until one has ended. */
  readonly untilOver: Effect.Effect<void>
}

const byProvider = { outcome: "transferred", reason: null, by: "provider", answered_at: null } as const

const cancellation: TransferResult = { outcome: "cancelled", reason: null, by: null, answered_at: null }

const failureOf = ({ outcome, reason }: TransferFailed): TransferResult => ({
  outcome,
  reason,
  by: null,
  answered_at: null
})

/** Connects two calls with each other until one has ended; null where they cannot be. */
const joinOf = (one: Leg | AudioLine, other: Leg | AudioLine): Effect.Effect<void> | null => {
  if (isAudioLine(one)) return isAudioLine(other) ? joinLines(one, other) : null
  if (isAudioLine(other) || one.join === undefined) return null
  return Effect.ensuring(one.join(other), Effect.zipRight(one.hangUp, other.hangUp))
}

/** True for a call that can be joined with another one. */
const isJoinable = (line: Leg | AudioLine): boolean => isAudioLine(line) || line.join !== undefined

const internal = transferFailed("failed", "internal: the transfer failed unexpectedly")

/** Makes what lets the calls of an agent be transferred. */
export const makeTransfers = Effect.gen(function*() {
  const secondLeg = yield* makeSecondLegs
  const voicing = yield* Voicing

  /** Tells the person what it is about. Who has answered is found out by the sound, unless a key tells it better. */
  const brief = (
    person: Leg | AudioLine,
    { answer_handling: _, ...plain }: CallBrief,
    request: TransferRequest
  ) => {
    const about = request.acceptKey === null ? { ...plain, answer_handling: reportedAnswers } : plain
    return isAudioLine(person)
      ? Effect.scoped(Effect.flatMap(voicing.legOf(person, about), (leg) => briefPerson(person, leg, request))).pipe(
        Effect.catchTag("CallFault", ({ reason }) => transferFailed("failed", reason))
      )
      : briefPerson(person, person, request)
  }

  /** Lets a call be transferred. A call to which it was joined is hung up with the scope. */
  return (
    line: Leg | AudioLine,
    call: { readonly attempt: Attempt; readonly brief: CallBrief }
  ): Effect.Effect<TransferableCall, never, Scope.Scope> =>
    Effect.map(Effect.scope, (outer) => {
      let joinFiber: Fiber.RuntimeFiber<void> | null = null

      const refer = ({ ringTimeout, to }: TransferRequest, replacing?: string) =>
        line.refer === undefined
          ? Effect.succeed(null)
          : Effect.flatMap(
            line.refer({ to, ringTimeout, ...(replacing !== undefined && { replacing }) }),
            (result): Effect.Effect<TransferResult | null, TransferFailed> =>
              result._tag === "Taken"
                ? Effect.succeed(byProvider)
                : result._tag === "Unsupported"
                ? Effect.succeed(null)
                : transferFailed(result.outcome, result.reason)
          )

      /** Calls the target, and joins both calls once it has taken this one. */
      const throughHere = (request: TransferRequest): Effect.Effect<TransferResult, TransferFailed, Scope.Scope> =>
        Effect.gen(function*() {
          if (!isJoinable(line)) return yield* unsupported
          const person = yield* secondLeg(call.attempt, request)
          const answered_at = yield* BusinessTime.now
          if (request.extension !== null) {
            if (person.press === undefined) return yield* transferFailed("failed", "this line cannot send keys")
            yield* sendKeys(person.press, request.extension)
          }
          if (request.kind === "warm") yield* brief(person, call.brief, request)
          const replacing = isAudioLine(person) ? person.replaces?.() : undefined
          const referral = request.kind === "warm" && replacing !== undefined
            ? yield* Effect.catchAll(refer(request, replacing), () => Effect.succeed(null))
            : null
          if (referral !== null) return { ...referral, answered_at }
          const follow = joinOf(line, person)
          if (follow === null) return yield* unsupported
          // The record of the agent's conversation is not waited for.
          joinFiber = yield* Effect.forkIn(Effect.interruptible(follow), outer)
          return { outcome: "transferred", reason: null, by: "bridge", answered_at } as const
        })

      const transfer = (leg: Leg) => (request: TransferRequest): Effect.Effect<TransferResult> =>
        Effect.gen(function*() {
          if (joinFiber !== null) return yield* unsupported
          const isPlain = request.kind === "blind" && request.extension === null && request.connection_id === null
          const referral = isPlain ? yield* refer(request) : null
          if (referral !== null) return referral
          const scope = yield* Scope.fork(outer, ExecutionStrategy.sequential)
          const hungUp = leg.ended === undefined ? Effect.never : Effect.as(leg.ended, cancellation)
          return yield* Effect.raceFirst(Scope.extend(throughHere(request), scope), hungUp).pipe(
            Effect.onExit((exit) => joinFiber === null ? Scope.close(scope, exit) : Effect.void)
          )
        }).pipe(
          Effect.catchAll((failure) => Effect.succeed(failureOf(failure))),
          Effect.catchAllDefect((defect) =>
            Effect.as(
              Effect.logError("A transfer failed unexpectedly", describeCause(Cause.die(defect))),
              failureOf(internal)
            )
          )
        )

      return {
        legOf: (leg) => ({
          ...leg,
          ...((line.refer !== undefined || isJoinable(line)) && { transfer: transfer(leg) }),
          hangUp: Effect.suspend(() => joinFiber === null ? leg.hangUp : Effect.void)
        }),
        isJoined: () => joinFiber !== null,
        untilOver: Effect.suspend(() => joinFiber === null ? Effect.void : Fiber.join(joinFiber))
      }
    })
})
