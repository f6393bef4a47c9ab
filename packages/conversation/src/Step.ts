import type { Message } from "@trunkline/models"
import type { EndedBy, Heard, Spoken } from "@trunkline/telephony"
import {
  close,
  closeForFault,
  closeForTime,
  greetingOf,
  hangUp,
  listen,
  say,
  scriptTurn,
  textFor
} from "./AgentSteps.js"
import { joinTurn, saidIn, withUnfinished } from "./CallerWords.js"
import type { CallEvent, CallPlan, CallState, Reply, Speech, SpokenTurn, Step } from "./CallState.js"
import { onThought, think, thinkAgain, toolMessage, useTools, withOutcomes } from "./ModelTurn.js"
import { phrases, saysGoodbye } from "./Phrases.js"

/** Advances a call by one event: returns the next state and command. A pure function; times are epoch milliseconds. */
export const step = (plan: CallPlan, state: CallState, event: CallEvent, at: number): Step => {
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
    case "WentOn":
      return onWentOn(plan, state, at)
    case "ModelFailed":
      return closeForFault(plan, state, at, { part: "model", reason: event.reason })
    case "ToolsAnswered":
      return thinkAgain(plan, withOutcomes(plan, state, event.outcomes, at))
    case "TimeUp":
      return at >= plan.endAt
        ? hangUp({ ...withUnfinished(state), closing: state.closing ?? "timeout" })
        : closeForTime(plan, withUnfinished(state), at)
    case "LineEnded":
      return finish(plan, withUnfinished(state), event.by, at)
    case "HungUp":
      return {
        state: { ...state, endedBy: state.closing === "timeout" ? "timeout" : "agent" },
        command: { _tag: "Finish" }
      }
  }
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
    // None of its tools is executed.
    const base = emptySpeech(state.language, since)
    const speech = {
      ...base,
      utterance: { ...base.utterance, text },
      toolRequests,
      pending: toolRequests,
      written: times
    }
    return onSpoke(plan, { ...state, answered: true, speech }, spoken, at)
  }
  if (isFiller && failure === null && spoken.endedBy === undefined && spoken.failed !== true) {
    const filler = emptySpeech(state.language, since)
    const speech = { ...filler, utterance: { ...filler.utterance, text } }
    const { state: filled } = onSpoke(plan, { ...state, speech }, spoken, at)
    return onThought(plan, filled, { ...completion, text: "" }, at)
  }
  const thought = onThought(plan, state, completion, since).state
  const base = thought.speech ?? emptySpeech(state.language, since)
  const utterance = { ...base.utterance, text }
  const next = onSpoke(plan, { ...thought, speech: { ...base, utterance, english: null, written: times } }, spoken, at)
  return failure !== null && next.state.closing === null
    ? closeForFault(plan, next.state, at, { part: "model", reason: failure })
    : next
}

const emptySpeech = (language_name: string, since: number): Speech => ({
  utterance: { text: "", language_name, interruptible: true },
  english: null,
  since,
  toolRequests: [],
  results: [],
  pending: []
})

/** Finishes a call that one side has ended; the agent ends it at the latest when its time is up. */
const finish = (plan: CallPlan, state: CallState, endedBy: EndedBy, at: number): Step => ({
  state: { ...state, endedBy: endedBy === "agent" && at >= plan.endAt ? "timeout" : endedBy },
  command: { _tag: "Finish" }
})

/** Only the heard part of a speech counts as said, for the transcript and for the model. */
const onSpoke = (plan: CallPlan, state: CallState, spoken: Spoken, at: number): Step => {
  const { speech } = state
  if (speech === null) return listen(plan, state, at)
  const text = spoken.heard.trim()
  const spokenText = text === "" ? null : text
  const message: Message = { role: "assistant", content: spokenText, toolRequests: speech.toolRequests }
  const isEmpty = spokenText === null && speech.toolRequests.length === 0
  const next: CallState = {
    ...state,
    speech: null,
    beforeTurn: null,
    messages: isEmpty ? state.messages : [...state.messages, message, ...speech.results],
    ...(spokenText === null ? {} : {
      turns: [...state.turns, agentTurn(spokenText, speech, timingsOf(state, speech, spoken))],
      agentWaits: state.heardAt === null ? state.agentWaits : [...state.agentWaits, speech.since - state.heardAt],
      heardAt: null,
      endedAt: null,
      saidAt: spoken.interrupted ? null : at
    })
  }
  if (spoken.endedBy !== undefined) return finish(plan, next, spoken.endedBy, at)
  if (state.closing !== null) return hangUp(next)
  if (spoken.failed === true) return closeForFault(plan, next, at, { part: "voice", reason: spoken.reason ?? "" })
  if (speech.pending.length === 0) return listen(plan, next, at)
  if (!spoken.interrupted) return useTools(next, speech.pending)
  const dropped = speech.pending.map((request) => toolMessage(request, "Not done: the caller spoke first."))
  return listen(plan, { ...next, messages: [...next.messages, ...dropped] }, at)
}

/** The moments of an answer; nothing on legs without sound. */
const timingsOf = (
  { endedAt, heardAt }: CallState,
  { written }: Speech,
  { startedAt }: Spoken
): Pick<SpokenTurn, "timings"> =>
  startedAt === undefined ? {} : {
    timings: {
      ended_at: endedAt,
      words_at: heardAt,
      first_token_at: written?.firstTokenAt ?? null,
      first_clause_at: written?.firstClauseAt ?? null,
      first_sound_at: startedAt
    }
  }

const agentTurn = (
  spokenText: string,
  { english, since, utterance }: Speech,
  timings: Pick<SpokenTurn, "timings">
): SpokenTurn => ({
  role: "agent",
  text: spokenText,
  en_text: english && truncateWords(english, spokenText.length / utterance.text.length),
  language_name: utterance.language_name,
  at: since,
  ...timings
})

/** The first words of a text, up to a share of it: the translation of a speech that was cut off. */
const truncateWords = (text: string, share: number): string => {
  const words = text.split(" ")
  return share >= 1 ? text : words.slice(0, Math.round(words.length * share)).join(" ")
}

/** Gives the answer up and listens again; what was said is joined with what follows. */
const onWentOn = (plan: CallPlan, state: CallState, at: number): Step => {
  const { beforeTurn } = state
  if (beforeTurn === null) return listen(plan, state, at)
  const hasBegun = state.turns.length > beforeTurn.turns.length
  const unfinished = hasBegun ? state.turns.findLast(({ role }) => role === "user") ?? null : null
  return listen(plan, { ...beforeTurn, unfinished }, at)
}

const onHeard = (plan: CallPlan, before: CallState, part: Heard, at: number): Step => {
  const input = joinTurn(before, part)
  const state = before.unfinished === null ? before : { ...before, unfinished: null }
  if (input._tag === "Silent") {
    return state.messages.at(-1)?.role === "tool" ? thinkAgain(plan, state) : onSilence(plan, state, at)
  }
  if (input._tag === "Unheard") {
    return closeForFault(plan, withUnfinished(before), at, { part: "transcriber", reason: input.reason ?? "" })
  }
  const words = saidIn(input)
  if (words.text === "") return onSilence(plan, state, at)
  const { script, languages } = plan.version
  const next: CallState = {
    ...state,
    beforeTurn: { ...state, beforeTurn: null },
    language: languages.find((language) => language === words.language_name) ?? state.language,
    turns: [...state.turns, { role: "user", ...words, at }],
    messages: [...state.messages, { role: "user", content: words.text }],
    silences: 0,
    toolCalls: 0,
    saidGoodbye: saysGoodbye(words.text),
    heardAt: at,
    endedAt: input._tag === "Said" ? input.endedAt ?? null : null,
    saidAt: null,
    userWaits: state.saidAt === null ? state.userWaits : [...state.userWaits, at - state.saidAt]
  }
  return script === undefined ? think(plan, next) : scriptTurn(plan, next, { at, words: words.text, script })
}

const onSilence = (plan: CallPlan, state: CallState, at: number): Step => {
  const silences = state.silences + 1
  return silences > plan.options.reprompts
    ? close(plan, state, at, { why: "silence", say: [textFor(plan, "goodbye")] })
    : say(plan, { ...state, silences }, at, { say: [textFor(plan, "silence")] })
}
