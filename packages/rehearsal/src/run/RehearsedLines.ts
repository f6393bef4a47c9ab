import { BusinessTime } from "@trunkline/kernel"
import {
  CallHandler,
  type CallReport,
  type Carrier,
  Carriers,
  DialFailed,
  type Leg,
  NotAnswered,
  type PlacedCall
} from "@trunkline/telephony"
import { Effect, Layer, Option, Stream } from "effect"
import type { Fates, NotReached, PickedUp } from "../callees/Fate.js"
import type { Tally } from "../report/Tally.js"
import { CallBook, personOf, type RehearsedCall } from "./CallBook.js"

/** The provider of every connection in a rehearsal. */
export const REHEARSAL_PROVIDER = "rehearsal"

const refusal = (reason: string) => Effect.fail(new DialFailed({ certainty: "provider", reason }))

const refused = refusal("rehearsal: the provider refused the call")
const strange = refusal("rehearsal: an attempt that nobody knows")

/** A leg on which nothing is said: the handler below only waits. */
const silentLeg: Leg = {
  prompt: true,
  say: ({ text }) => Effect.succeed({ heard: text, interrupted: false }),
  listen: (silence) => Effect.as(BusinessTime.sleep(silence), { _tag: "Silent" as const }),
  hangUp: Effect.void
}

/** Made once: an error is costly to make, and these are all alike. */
const unanswered = {
  busy: Effect.fail(new NotAnswered({ status: "busy", reason: null })),
  no_answer: Effect.fail(new NotAnswered({ status: "no_answer", reason: null })),
  failed: Effect.fail(new NotAnswered({ status: "failed", reason: null }))
}

const pickedUp = Effect.succeed(silentLeg)

const ring = ({ dialled_at, number }: RehearsedCall, fate: PickedUp | NotReached): PlacedCall => ({
  provider_call_id: String(number),
  prompt: true,
  answer: Effect.zipRight(
    BusinessTime.sleepUntil(dialled_at + fate.ringing),
    fate._tag === "PickedUp" ? pickedUp : unanswered[fate.status]
  ),
  cancel: Effect.void
})

/** Phone lines to people whose answers are dealt out beforehand. */
export const rehearsedLines = (fates: Fates, tally: Tally) =>
  Layer.effect(
    Carriers,
    Effect.gen(function*() {
      const { attempts, calls } = yield* CallBook
      let dials = 0

      const carrier: Carrier = {
        provider: REHEARSAL_PROVIDER,
        protocol: "rehearsed",
        prompt: true,
        place: ({ attempt_id }) =>
          Effect.flatMap(BusinessTime.now, (dialled_at) => {
            const attempt = attempts.get(attempt_id)
            if (attempt === undefined) return strange
            const person = personOf(attempt)
            const fate = fates(person, attempt.retry_attempt, dialled_at)
            dials += 1
            const call = { number: dials, person, attempt: attempt.retry_attempt + 1, dialled_at, fate }
            calls.set(attempt_id, call)
            tally.dialled(call)
            return fate._tag === "ProviderError" ? refused : Effect.succeed(ring(call, fate))
          }),
        dedupe: () => ({ _tag: "None" }),
        look: () => Effect.succeed({ _tag: "NotFound" }),
        offers: Stream.empty
      }
      return Carriers.of({ all: [carrier], find: () => Option.some(carrier) })
    })
  )

/** Holds an answered call for as long as it is to last, without a word. */
export const silentHandler = (tally: Tally) =>
  Layer.effect(
    CallHandler,
    Effect.map(CallBook, ({ calls }) =>
      CallHandler.of({
        handle: (_leg, { attempt_id }) =>
          Effect.suspend(() => {
            const call = calls.get(attempt_id)
            if (call === undefined || call.fate._tag !== "PickedUp") return Effect.succeed(reportOf(false, false, null))
            const { business_retry, by, reschedule_after, ringing, short, talking } = call.fate
            const ends = call.dialled_at + ringing + talking
            tally.answered(call)
            return Effect.as(
              BusinessTime.sleepUntil(ends),
              reportOf(
                by === "person" && !short,
                business_retry,
                reschedule_after === null ? null : ends + reschedule_after
              )
            )
          })
      }))
  )

const reportOf = (agent_done: boolean, business_retry: boolean, reschedule_at: number | null): CallReport => ({
  agent_done,
  ended_by: agent_done ? "agent" : "user",
  language_name: null,
  transcript: [],
  final_agent_variables: {},
  output_agent_variables: {},
  average_agent_response_seconds: null,
  average_user_response_seconds: null,
  business_retry,
  reschedule_at,
  fault: null
})
