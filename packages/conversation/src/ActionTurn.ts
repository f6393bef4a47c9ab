import type { Heard } from "@trunkline/telephony"
import { Duration } from "effect"
import { cutAction, endAction } from "./actions/ActionRecord.js"
import { arrive } from "./actions/Arrival.js"
import { enterDigits, mayTryAgain, waitOf } from "./actions/DigitKeys.js"
import { usualPause } from "./actions/HoldTimes.js"
import { thinkAgain } from "./actions/ModelRequests.js"
import { summaryRequest } from "./actions/Summary.js"
import { routesOf } from "./actions/Team.js"
import { closeForTime, listen, say, scriptTurn } from "./AgentSteps.js"
import { phrases } from "./clauses/Phrases.js"
import {
  type ActionState,
  type DigitProgress,
  hiddenDigit,
  type HoldProgress,
  type Summarising,
  type WaitingAction
} from "./state/ActionState.js"
import type { CallPlan, CallState, Step } from "./state/CallState.js"
import { afterCaller } from "./tools/ToolLedger.js"
import { toolMessage } from "./tools/ToolMessage.js"

/** Longest single wait in milliseconds, so that no line takes a hold for a call that nobody carries on. */
const maxWaitMillis = 10_000

const withAction = (state: CallState, running: ActionState["running"]): CallState => ({
  ...state,
  beforeTurn: null,
  actions: { ...state.actions, waiting: null, running }
})

/** Waits for the caller in an action, unless the time of the call is up. */
const waitFor = (plan: CallPlan, state: CallState, at: number, millis: number): Step =>
  at >= plan.closeAt
    ? closeForTime(plan, cutAction(state, at), at)
    : { state, command: { _tag: "Listen", silence: Duration.millis(Math.min(millis, maxWaitMillis)) } }

/** Begins an action that waited for the words of its response to end. */
export const beginAction = (plan: CallPlan, state: CallState, action: WaitingAction, at: number): Step => {
  const { request } = action
  switch (action._tag) {
    case "HandOver": {
      const handOver: Summarising = { ...action, _tag: "Summary", since: at }
      return routesOf(plan, state)[action.route]?.handOver.history === "summary"
        ? {
          state: withAction(state, handOver),
          command: { _tag: "Summarise", request: summaryRequest(plan, state) }
        }
        : handOverCall(plan, state, { handOver, summary: null, at })
    }
    case "Digits": {
      const progress = { request, entry: action.entry, digits: "", retries: 0, since: at, tryAt: at, keyAt: null }
      return askForDigits(plan, withAction(state, { _tag: "Digits", ...progress }), progress, at)
    }
    case "Hold": {
      const message = plan.version.hold?.message
      const messageAt = message === undefined ? Infinity : at
      const until = at + action.seconds * 1_000
      const hold: HoldProgress = { _tag: "Hold", request, since: at, until, messageAt, isTold: false }
      return holdOn(plan, state, hold, at)
    }
  }
}

/** Lets the next agent go on: with its first words, with its script, or with what its model says. */
const handOverCall = (
  plan: CallPlan,
  state: CallState,
  { at, handOver, summary }: {
    readonly handOver: Summarising
    readonly summary: string | null
    readonly at: number
  }
): Step => {
  const arrival = arrive(plan, state, { handOver, summary, at })
  if (arrival === null) return thinkAgain(plan, withAction(state, null))
  const { firstWords, plan: next, state: arrived } = arrival
  const { first_message: _, script, ...version } = next.version
  if (script !== undefined) {
    const nextVersion = firstWords === undefined ? version : { ...version, first_message: firstWords }
    return scriptTurn({ ...next, version: nextVersion }, arrived, { at, words: null, script })
  }
  return firstWords === undefined ? thinkAgain(next, arrived) : say(next, arrived, at, { say: [firstWords] })
}

/** Hands the call over once there is a summary, or none. */
export const onSummarised = (plan: CallPlan, state: CallState, summary: string | null, at: number): Step => {
  const { running } = state.actions
  return running?._tag === "Summary"
    ? handOverCall(plan, state, { handOver: running, summary, at })
    : listen(plan, state, at)
}

const askForDigits = (
  plan: CallPlan,
  state: CallState,
  { entry, retries }: Pick<DigitProgress, "entry" | "retries">,
  at: number
): Step => {
  const words = entry.say ?? phrases.enterDigits
  return say(plan, state, at, { say: retries === 0 ? [words] : [phrases.digitsMissing, words] })
}

const holdOn = (plan: CallPlan, state: CallState, hold: HoldProgress, at: number): Step => {
  const { hold: { every_seconds = usualPause, message = "" } = {} } = plan.version
  if (at >= hold.until) {
    const seconds = Math.round((at - hold.since) / 1_000)
    const text = `The caller was on hold for ${seconds} seconds.`
    return thinkAgain(plan, endAction(state, { ...hold, at, outcome: "done", text }))
  }
  const messageAt = at >= hold.messageAt ? at + every_seconds * 1_000 : hold.messageAt
  const going = withAction(state, { ...hold, messageAt })
  return at >= hold.messageAt
    ? say(plan, going, at, { say: [message] })
    : waitFor(plan, going, at, Math.min(hold.until, messageAt) - at)
}

/** Goes on with an action after words of the agent that belong to it. */
export const afterPrompt = (plan: CallPlan, state: CallState, at: number): Step => {
  const { running } = state.actions
  switch (running?._tag) {
    case "Digits": {
      const progress = { ...running, tryAt: at }
      return waitFor(plan, withAction(state, progress), at, waitOf(progress, at))
    }
    case "Hold":
      return holdOn(plan, state, { ...running, isTold: true }, at)
    default:
      return listen(plan, state, at)
  }
}

/** Takes what was heard during an action: keys for an entry of digits, and nothing on hold. */
export const onHeardInAction = (plan: CallPlan, state: CallState, heard: Heard, at: number): Step => {
  const { running } = state.actions
  if (running?._tag === "Hold") return holdOn(plan, state, running, at)
  if (running?._tag !== "Digits") return listen(plan, state, at)
  const move = enterDigits(running, heard, at)
  switch (move._tag) {
    case "Wait":
      return waitFor(plan, withAction(state, move.progress), at, move.millis)
    case "Done":
      return onDigits(plan, state, running, { digits: move.digits, at })
    case "Incomplete": {
      if (mayTryAgain(running)) {
        const again = { ...running, digits: "", retries: running.retries + 1, keyAt: null }
        return askForDigits(plan, withAction(state, again), again, at)
      }
      const text = "The caller has not entered the digits."
      return thinkAgain(plan, endAction(state, { ...running, at, outcome: "timed_out", text }))
    }
  }
}

const onDigits = (
  plan: CallPlan,
  before: CallState,
  { entry, ...progress }: DigitProgress,
  { at, digits }: { readonly digits: string; readonly at: number }
): Step => {
  const isRevealed = entry.reveal === "model"
  const isLost = digits.includes(hiddenDigit)
  const text = `The caller has entered ${digits.length} digits.`
  const content = isLost
    ? `${text} They were lost, since the line was away for a moment: ask for them again.`
    : isRevealed
    ? `The caller has entered ${digits}. Do not say them aloud.`
    : `${text} Your tools have them, and you do not.`
  const endedState = endAction(before, { ...progress, at, outcome: "done", text, content })
  const entries = isLost
    ? endedState.actions.entries
    : { ...endedState.actions.entries, [entry.name]: { digits, isRevealed } }
  return thinkAgain(plan, {
    ...endedState,
    actions: { ...endedState.actions, entries, hadCall: [] },
    silences: 0,
    toolCalls: 0,
    ledger: afterCaller(endedState.ledger),
    heardAt: at,
    endedAt: null,
    saidAt: null
  })
}

/** Goes on after the words of a response, or after its tools: an action that waits begins, unless the caller spoke first. */
export const afterResponse = (plan: CallPlan, state: CallState, at: number, isInterrupted: boolean): Step => {
  const { waiting } = state.actions
  if (waiting === null) return listen(plan, state, at)
  // Keys that interrupt the words before an entry are its first ones.
  if (!isInterrupted || waiting._tag === "Digits") return beginAction(plan, state, waiting, at)
  const message = toolMessage(waiting.request, "Not done: the caller spoke first.")
  return listen(plan, { ...withAction(state, null), messages: [...state.messages, message] }, at)
}

/** The state once tools have answered for which the caller was on hold. */
export const withHoldEnd = (state: CallState, seconds: number, at: number): CallState => {
  const { waiting } = state.actions
  if (waiting?._tag !== "Hold") return state
  const text = `The caller was on hold for ${Math.round(seconds)} seconds.`
  return endAction(state, { request: waiting.request, since: at - seconds * 1_000, at, outcome: "done", text })
}
