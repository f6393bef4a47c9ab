import { BusinessTime } from "@trunkline/kernel"
import { Effect, Option } from "effect"
import type { CallFault, CallReport } from "../call/CallHandler.js"
import type { Leg } from "../call/Leg.js"
import type { LineRecording } from "./CallRecorder.js"

/** Says a notice to the end before a conversation begins, and puts it before the other turns of its transcript. */
export const withNotice =
  (leg: Leg, notice: LineRecording["notice"]) =>
  (conversation: Effect.Effect<CallReport, CallFault>): Effect.Effect<CallReport, CallFault> =>
    notice === null ? conversation : Effect.gen(function*() {
      const now = yield* BusinessTime.now
      const speech = yield* Effect.option(leg.say({ ...notice, interruptible: false }))
      const report = yield* conversation
      const { heard, startedAt } = Option.getOrElse(speech, () => ({ heard: "", startedAt: now }))
      if (heard === "") return report
      const { language_name } = notice
      const turn = {
        role: "agent",
        en_text: heard,
        indic_text: language_name === "English" ? null : heard,
        language_name,
        at: startedAt ?? now
      } as const
      return { ...report, transcript: [turn, ...report.transcript] }
    })
