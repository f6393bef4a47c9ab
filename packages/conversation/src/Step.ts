import type { Message } from "@trunkline/models"
import type { Heard, Spoken } from "@trunkline/telephony"
import { Array } from "effect"
import { cutAction } from "./actions/ActionRecord.js"
import { entryIn } from "./actions/ActionTools.js"
import { think, thinkAgain } from "./actions/ModelRequests.js"
import { planOf } from "./actions/Team.js"
import { afterPrompt, afterResponse, onHeardInAction, onSummarised, withHoldEnd } from "./ActionTurn.js"
import {
  agentTurn,
  closeForFault,
  closeForTime,
  emptySpeech,
  finish,
  greetingOf,
  hangUp,
  listen,
  onSilence,
  say,
  scriptTurn,
  timingsOf
} from "./AgentSteps.js"
import { phrases, saysGoodbye } from "./clauses/Phrases.js"
import { onThought } from "./ModelTurn.js"
import { joinTurn, ownReplyIn, saidIn, withOwnReply, withRequest, withUnfinished } from "./state/CallerWords.js"
import type { CallPlan, CallState, FlowEvent, Reply, Step } from "./state/CallState.js"
import { afterCaller } from "./tools/ToolLedger.js"
import { toolMessage } from "./tools/ToolMessage.js"
import { hasTransfer, runsAnyway, useTools, withFiller, withOutcomes, withUnanswered } from "./ToolTurn.js"

/** Advances a call by one event: returns the next state and command. A pure function; times are epoch milliseconds. */
export const step = (call: CallPlan, state: CallState, event: FlowEvent, at: number): Step => {
  const plan = planOf(call, state)
  switch (event._tag) {
    case "Answered":
      return onAnswered(plan, state, at)
    case "Spoke":
      return onSpoke(plan, state, event.spoken, at)
    case "Heard":
      return onHeard(plan, state, event.heard, at)
    case "Thought":
      return onThought(plan, state, event.completion, at)
    case "Replied":
      return onReplied(plan, state, event.reply, at)
    case "CutOff":
      return onCutOff(plan, state, event, at)
    case "WentOn":
      return onWentOn(plan, state, at)
    case "ModelFailed":
      return closeForFault(plan, state, at, { part: "model", reason: event.reason })
    case "ToolsAnswered":
      return onToolsAnswered(plan, state, event, at)
    case "TimeUp":
      return at >= plan.endAt
        ? hangUp({
          ...cutAction(withUnanswered(plan, withUnfinished(state), event.outcomes, at), at),
          closing: state.closing ?? "timeout"
        })
        : closeForTime(plan, cutAction(withUnfinished(state), at), at)
    case "Summarised":
      return onSummarised(plan, state, event.summary, at)
    case "LineEnded":
      return finish(plan, cutAction(withUnfinished(state), at), event.by, at)
    case "HungUp":
      return {
        state: { ...state, endedBy: state.closing === "timeout" ? "timeout" : "agent" },
        command: { _tag: "Finish" }
      }
  }
}

/** Asks the model again once tools have answered, or listens first to a caller who has interrupted. */
const onToolsAnswered = (
  plan: CallPlan,
  state: CallState,
  { filler, outcomes }: Extract<FlowEvent, { readonly _tag: "ToolsAnswered" }>,
  at: number
): Step => {
  const seconds = outcomes.reduce((sum, outcome) => sum + outcome.seconds, 0)
  const answeredState = withHoldEnd(withOutcomes(plan, withFiller(state, filler, at), outcomes, at), seconds, at)
  if (hasTransfer(outcomes, "transferred")) return finish(plan, { ...answeredState, closing: "done" }, "agent", at)
  if (hasTransfer(outcomes, "cancelled")) return listen(plan, answeredState, at)
  const isInterrupted = state.isInterrupted || filler?.spoken.interrupted === true
  return isInterrupted || answeredState.actions.waiting !== null
    ? afterResponse(plan, { ...answeredState, isInterrupted: false }, at, isInterrupted)
    : thinkAgain(plan, answeredState)
}

const onAnswered = (plan: CallPlan, state: CallState, at: number): Step => {
  const { brief, version: { script } } = plan
  if (script !== undefined) return scriptTurn(plan, state, { at, words: null, script })
  const defaultGreeting = brief.direction === "inbound" ? phrases.inboundGreeting : phrases.outboundGreeting
  return say(plan, state, at, { say: [greetingOf(plan) ?? defaultGreeting] })
}

/** Handles a response that was spoken while it was written as one that was thought first and spoken then. */
const onReplied = (
  plan: CallPlan,
  state: CallState,
  { completion, failure, isFiller, spoken, text, ...times }: Reply,
  at: number
): Step => {
  if (spoken === null) return onThought(plan, state, { ...completion, text }, at)
  const since = spoken.startedAt ?? times.firstClauseAt ?? at
  const { toolRequests } = completion
  if (spoken.interrupted && spoken.endedBy === undefined) {
    // Only tools run that are marked so.
    const base = emptySpeech(state.language, since)
    const entry = entryIn(plan, state, toolRequests)
    const speech = {
      ...base,
      utterance: { ...base.utterance, text },
      toolRequests,
      pendingTools: toolRequests.filter((request) => request !== entry?.request),
      writingTimes: times
    }
    const actions = { ...state.actions, waiting: entry }
    return onSpoke(plan, { ...state, hasModelAnswered: true, actions, speech }, spoken, at)
  }
  if (isFiller && failure === null && spoken.endedBy === undefined && spoken.failed !== true) {
    const filler = emptySpeech(state.language, since)
    const speech = { ...filler, utterance: { ...filler.utterance, text } }
    const { state: filledState } = onSpoke(plan, { ...state, speech }, spoken, at)
    return onThought(plan, filledState, { ...completion, text: "" }, at)
  }
  const afterThought = onThought(plan, state, completion, since).state
  const base = afterThought.speech ?? emptySpeech(state.language, since)
  const utterance = { ...base.utterance, text }
  const next = onSpoke(
    plan,
    { ...afterThought, speech: { ...base, utterance, english: null, writingTimes: times } },
    spoken,
    at
  )
  return failure !== null && next.state.closing === null
    ? closeForFault(plan, next.state, at, { part: "model", reason: failure })
    : next
}

/** Note for the model about an answer that was cut off. */
const cutOffNote: Message = {
  role: "system",
  content: "The line was away for a moment, and your answer ended after the words above. The caller has heard them: "
    + "go on from there, and repeat nothing."
}

/** Asks the model for the rest of an answer, unless the caller has spoken meanwhile. */
const onCutOff = (
  plan: CallPlan,
  state: CallState,
  { spoken, text }: Extract<FlowEvent, { readonly _tag: "CutOff" }>,
  at: number
): Step => {
  const isOver = spoken.interrupted || spoken.endedBy !== undefined || spoken.failed === true
  if (!isOver && spoken.heard.trim() === "") return think(plan, state)
  const base = emptySpeech(state.language, at)
  const speech = { ...base, utterance: { ...base.utterance, text } }
  const next = onSpoke(plan, { ...state, hasModelAnswered: true, speech }, spoken, at)
  return isOver || next.command._tag !== "Listen"
    ? next
    : thinkAgain(plan, { ...next.state, messages: [...next.state.messages, cutOffNote] })
}

/** Only the heard part of a speech counts as said, for the transcript and for the model. */
const onSpoke = (plan: CallPlan, state: CallState, spoken: Spoken, at: number): Step => {
  const { speech } = state
  if (speech === null) return listen(plan, state, at)
  const text = spoken.heard.trim()
  const spokenText = text === "" ? null : text
  const { running } = state.actions
  const isTold = running?._tag === "Hold" && running.isTold
  const message: Message = { role: "assistant", content: spokenText, toolRequests: speech.toolRequests }
  const isEmpty = spokenText === null && speech.toolRequests.length === 0
  const next: CallState = {
    ...state,
    speech: null,
    beforeTurn: null,
    messages: isEmpty || running !== null ? state.messages : [...state.messages, message, ...speech.results],
    ...(spokenText === null || isTold ? {} : {
      turns: [...state.turns, agentTurn(spokenText, speech, timingsOf(state, speech, spoken))],
      agentWaits: state.heardAt === null ? state.agentWaits : [...state.agentWaits, speech.since - state.heardAt],
      heardAt: null,
      endedAt: null,
      saidAt: spoken.interrupted ? null : at
    })
  }
  if (spoken.endedBy !== undefined) return finish(plan, cutAction(next, at), spoken.endedBy, at)
  if (state.closing !== null) return hangUp(next)
  if (spoken.failed === true) {
    return closeForFault(plan, cutAction(next, at), at, { part: "voice", reason: spoken.reason ?? "" })
  }
  if (running !== null) return afterPrompt(plan, next, at)
  if (speech.pendingTools.length === 0) return afterResponse(plan, next, at, spoken.interrupted)
  if (!spoken.interrupted) return useTools(plan, next, speech.pendingTools)
  const [droppedRequests, keptRequests] = Array.partition(speech.pendingTools, ({ name }) => runsAnyway(plan, name))
  const results = droppedRequests.map((request) => toolMessage(request, "Not done: the caller spoke first."))
  const nextState = { ...next, messages: [...next.messages, ...results] }
  return keptRequests.length === 0
    ? afterResponse(plan, nextState, at, true)
    : useTools(plan, nextState, keptRequests, true)
}

/** Gives the answer up and listens again; what was said is joined with what follows. */
const onWentOn = (plan: CallPlan, state: CallState, at: number): Step => {
  const { beforeTurn } = state
  if (beforeTurn === null) return listen(plan, state, at)
  const hasBegun = state.turns.length > beforeTurn.turns.length
  const lastTurn = hasBegun ? state.turns.findLast(({ role }) => role === "user") ?? null : null
  return listen(plan, { ...beforeTurn, unfinishedTurn: lastTurn }, at)
}

const onHeard = (plan: CallPlan, before: CallState, part: Heard, at: number): Step => {
  const ownReply = ownReplyIn(part)
  const heardState = ownReply ? withOwnReply(before, ownReply, at) : before
  if (before.actions.running !== null && part._tag !== "Unheard") return onHeardInAction(plan, heardState, part, at)
  const input = joinTurn(before, part)
  const state = before.unfinishedTurn === null ? before : { ...before, unfinishedTurn: null }
  if (input._tag === "Silent") {
    return state.messages.at(-1)?.role === "tool" ? thinkAgain(plan, state) : onSilence(plan, state, at)
  }
  if (input._tag === "Unheard") {
    return closeForFault(plan, withUnfinished(before), at, { part: "transcriber", reason: input.reason ?? "" })
  }
  const words = saidIn(input)
  if (words.text === "") {
    if (ownReply === undefined) return onSilence(plan, state, at)
    return ownReply === null ? think(plan, withRequest(state)) : listen(plan, withOwnReply(state, ownReply, at), at)
  }
  const { script, languages } = plan.version
  const next: CallState = {
    ...state,
    beforeTurn: { ...state, beforeTurn: null },
    language: languages.find((language) => language === words.language_name) ?? state.language,
    turns: [...state.turns, { role: "user", ...words, at }],
    messages: [...state.messages, { role: "user", content: words.text }],
    silences: 0,
    toolCalls: 0,
    ledger: afterCaller(state.ledger),
    actions: { ...state.actions, hadCall: [] },
    saidGoodbye: saysGoodbye(words.text),
    heardAt: at,
    endedAt: input._tag === "Said" ? input.endedAt ?? null : null,
    saidAt: null,
    userWaits: state.saidAt === null ? state.userWaits : [...state.userWaits, at - state.saidAt]
  }
  if (ownReply) return listen(plan, withOwnReply(next, ownReply, at), at)
  return script === undefined ? think(plan, next) : scriptTurn(plan, next, { at, words: words.text, script })
}
