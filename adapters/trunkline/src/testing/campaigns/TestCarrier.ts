import {
  type CallLine,
  makeCallLog,
  makeTextLine,
  playCaller,
  type StandingTime,
  type TestCallLog
} from "@trunkline/agent-testing"
import { type AttemptId, BusinessTime } from "@trunkline/kernel"
import { type Carrier, type DialPlan, NotAnswered, type PlacedCall } from "@trunkline/telephony"
import { type Cause, Duration, Effect, type Fiber, Stream } from "effect"
import { playScript, type ScriptFailed } from "../PromisedCaller.js"
import type { ContactAnswer, TestContact } from "./CampaignTypes.js"

/** Seconds of ringing before a contact answers, or is busy. */
const ringing = { answers: 4, busy: 2 }

/** A dial and its call. */
export interface PlayedDial {
  readonly contact: TestContact
  readonly attempt: number
  readonly dialledAt: number
  /** Null before the answer, and for dials without one. */
  call: {
    readonly line: CallLine
    readonly log: TestCallLog
    readonly answeredAt: number
    readonly playFiber: Fiber.RuntimeFiber<Cause.Cause<ScriptFailed> | null>
  } | null
}

/** A carrier whose contacts are played by scripts. */
export interface TestCarrier {
  readonly carrier: Carrier
  readonly dials: ReadonlyMap<AttemptId, PlayedDial>
}

/** Makes a carrier of calls of text to contacts. */
export const makeTestCarrier = (
  { answers, contacts, lastSilence, standingTime }: {
    readonly contacts: ReadonlyArray<TestContact>
    readonly answers: (contact: TestContact, attempt: number) => ContactAnswer
    readonly lastSilence: Duration.Duration
    readonly standingTime: StandingTime
  }
): TestCarrier => {
  const dials = new Map<AttemptId, PlayedDial>()
  const attempts = new Map<string, number>()

  const answerOf = (dial: PlayedDial, { ringTimeout }: DialPlan): PlacedCall["answer"] =>
    Effect.suspend(() => {
      const answer = answers(dial.contact, dial.attempt)
      if (answer === "busy" || answer === "no_answer") {
        return Effect.zipRight(
          BusinessTime.sleep(answer === "busy" ? Duration.seconds(ringing.busy) : ringTimeout),
          new NotAnswered({ status: answer, reason: null })
        )
      }
      return Effect.gen(function*() {
        yield* BusinessTime.sleep(Duration.seconds(ringing.answers))
        const answeredAt = yield* BusinessTime.now
        const log = makeCallLog(answeredAt)
        const line = makeTextLine(log)
        const script = playScript(answer)
        const playFiber = yield* playCaller({ line, log, lastSilence }, (caller) => script(caller, standingTime))
        dial.call = { line, log, answeredAt, playFiber }
        return line.leg
      })
    })

  const place: Carrier["place"] = (plan) =>
    Effect.map(BusinessTime.now, (dialledAt): PlacedCall => {
      const phone: string = plan.to
      const attempt = (attempts.get(phone) ?? 0) + 1
      attempts.set(phone, attempt)
      const dial: PlayedDial = {
        contact: contacts.find((contact) => contact.phone === phone) ?? { phone },
        attempt,
        dialledAt,
        call: null
      }
      dials.set(plan.attempt_id, dial)
      return {
        provider_call_id: plan.attempt_id,
        immediate: true,
        answer: answerOf(dial, plan),
        cancel: Effect.suspend(() => dial.call?.line.end("agent") ?? Effect.void)
      }
    })

  return {
    carrier: {
      provider: "simulator",
      protocol: "simulated",
      immediate: true,
      inProcess: true,
      dedupe: () => ({ _tag: "None" }),
      place,
      lookup: () => Effect.succeed({ _tag: "NotFound" }),
      offers: Stream.never
    },
    dials
  }
}
