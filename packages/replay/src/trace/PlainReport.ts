import { type CallPlan, type CallState, initialState, makeReport, type Step, step } from "@trunkline/conversation/steps"
import type { CallReport } from "@trunkline/telephony"
import { Effect } from "effect"
import type { TapedEvent } from "./RecordTrace.js"

/** Leaves transcripts in their language: a replay compares the words. */
const noTranslation = { toEnglish: ({ text }: { readonly text: string }) => Effect.succeed(text) }

/** The report of a conversation, without a translation. */
export const plainReport = (plan: CallPlan, state: CallState): Effect.Effect<CallReport> =>
  makeReport(plan, state, noTranslation)

/** The step of a conversation after events. */
export const stepAfter = (plan: CallPlan, events: ReadonlyArray<TapedEvent>): Step =>
  events.reduce<Step>(
    ({ state }, { at, event }) => step(plan, state, event, at),
    step(plan, initialState(plan), { _tag: "Answered" }, plan.startedAt)
  )
