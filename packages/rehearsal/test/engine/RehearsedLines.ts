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
import type { NotReached, OutcomeSampler, PickedUp } from "../../src/callees/OutcomeSampler.js"
import type { RehearsedCall, Tally } from "../../src/report/Tally.js"
import { CallsInProgress, contactOf } from "./CallsInProgress.js"

/** Provider name of all connections in a rehearsal. */
export const rehearsalProvider = "rehearsal"

const dialFailure = (reason: string) => Effect.fail(new DialFailed({ certainty: "provider", reason }))

const rejected = dialFailure("rehearsal: the provider rejected the call")
const unknownAttempt = dialFailure("rehearsal: unknown attempt")

/** A silent leg; the handler below only waits. */
const silentLeg: Leg = {
  immediate: true,
  say: ({ text }) => Effect.succeed({ heard: text, interrupted: false }),
  listen: (silence) => Effect.as(BusinessTime.sleep(silence), { _tag: "Silent" as const }),
  hangUp: Effect.void
}

/** Created once, because errors are expensive to create and these are always the same. */
const unanswered = {
  busy: Effect.fail(new NotAnswered({ status: "busy", reason: null })),
  no_answer: Effect.fail(new NotAnswered({ status: "no_answer", reason: null })),
  failed: Effect.fail(new NotAnswered({ status: "failed", reason: null }))
}

const pickedUp = Effect.succeed(silentLeg)

const ring = ({ dialled_at, number }: RehearsedCall, simulated: PickedUp | NotReached): PlacedCall => ({
  provider_call_id: String(number),
  immediate: true,
  answer: Effect.zipRight(
    BusinessTime.sleepUntil(dialled_at + simulated.ringMillis),
    simulated._tag === "PickedUp" ? pickedUp : unanswered[simulated.status]
  ),
  cancel: Effect.void
})

/** Simulated phone lines whose outcomes are drawn when they are dialled. */
export const rehearsedLines = (sampleOutcome: OutcomeSampler, tally: Tally) =>
  Layer.effect(
    Carriers,
    Effect.gen(function*() {
      const { attempts, calls } = yield* CallsInProgress
      let dials = 0

      const carrier: Carrier = {
        provider: rehearsalProvider,
        protocol: "rehearsed",
        immediate: true,
        place: ({ attempt_id }) =>
          Effect.flatMap(BusinessTime.now, (dialled_at) => {
            const attempt = attempts.get(attempt_id)
            if (attempt === undefined) return unknownAttempt
            const person = contactOf(attempt)
            const outcome = sampleOutcome(person, attempt.retry_attempt, dialled_at)
            dials += 1
            const call = { number: dials, person, attempt: attempt.retry_attempt + 1, dialled_at, outcome }
            calls.set(attempt_id, call)
            tally.dialled(call)
            return outcome._tag === "ProviderError" ? rejected : Effect.succeed(ring(call, outcome))
          }),
        dedupe: () => ({ _tag: "None" }),
        lookup: () => Effect.succeed({ _tag: "NotFound" }),
        offers: Stream.empty
      }
      return Carriers.of({ list: [carrier], find: () => Option.some(carrier) })
    })
  )

/** Holds an answered call for its drawn length, silently. */
export const silentHandler = (tally: Tally) =>
  Layer.effect(
    CallHandler,
    Effect.map(CallsInProgress, ({ calls }) =>
      CallHandler.of({
        handle: (_leg, { attempt_id }) =>
          Effect.suspend(() => {
            const call = calls.get(attempt_id)
            if (call === undefined || call.outcome._tag !== "PickedUp") {
              return Effect.succeed(callReport(false, false, null))
            }
            const { business_retry, by, reschedule_after, ringMillis, short, talkMillis } = call.outcome
            const ends = call.dialled_at + ringMillis + talkMillis
            tally.answered(call)
            return Effect.as(
              BusinessTime.sleepUntil(ends),
              callReport(
                by === "person" && !short,
                business_retry,
                reschedule_after === null ? null : ends + reschedule_after
              )
            )
          })
      }))
  )

const callReport = (agent_done: boolean, business_retry: boolean, reschedule_at: number | null): CallReport => ({
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
