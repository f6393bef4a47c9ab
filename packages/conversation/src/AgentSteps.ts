import { advance, fillTemplate, type Localized, type Script, wordingIn } from "@trunkline/agents"
import { withReason } from "@trunkline/kernel"
import type { Message, ToolRequest } from "@trunkline/models"
import type { EndedBy, Spoken } from "@trunkline/telephony"
import { Duration } from "effect"
import { callbackDelay, phrases } from "./clauses/Phrases.js"
import {
  type CallPlan,
  type CallState,
  type Closing,
  type CurrentSpeech,
  currentVariables,
  noteLacking,
  setVariables,
  type SpokenTurn,
  type Step
} from "./state/CallState.js"

/** Texts to say in order, and the tool calls of the same model response. */
export interface SpeechPlan {
  readonly say: ReadonlyArray<Localized>
  readonly toolRequests?: ReadonlyArray<ToolRequest>
  /** Results of the tools that have already been executed. */
  readonly results?: ReadonlyArray<Message>
  /** Tools to execute after the speech. */
  readonly pending?: ReadonlyArray<ToolRequest>
}

/** The agent's text for a situation, or the default. */
export const textFor = (plan: CallPlan, situation: "goodbye" | "silence"): Localized =>
  (situation === "goodbye" ? plan.version.goodbye_message : plan.version.silence_prompt) ?? phrases[situation]

/** Hangs up. */
export const hangUp = (state: CallState): Step => ({ state, command: { _tag: "HangUp" } })

/** Speaks, in the language of the call where a wording exists. Without any text, continues with what follows the speech. */
export const say = (plan: CallPlan, before: CallState, at: number, speech: SpeechPlan): Step => {
  const variables = currentVariables(plan, before)
  const templates = speech.say
    .map((text) => ({ ...wordingIn(text, [before.language, ...plan.version.languages]), english: englishOf(text) }))
  const state = templates.reduce((state, { text }) => noteLacking(plan, state, text), before)
  const wordings = templates
    .map(({ english, language_name, text }) => ({
      text: fillTemplate(text, variables),
      language_name,
      english: english && fillTemplate(english, variables)
    }))
    .filter(({ text }) => text !== "")
  const [first] = wordings
  if (first === undefined) return state.closing === null ? listen(plan, state, at) : hangUp(state)
  const utterance = {
    text: wordings.map(({ text }) => text).join(" "),
    language_name: first.language_name,
    interruptible: true
  }
  const { pending: pendingTools = [], results = [], toolRequests = [] } = speech
  const inEnglish = wordings.flatMap(({ english }) => english ?? [])
  const english = first.language_name !== "English" && inEnglish.length === wordings.length ? inEnglish.join(" ") : null
  return {
    state: { ...state, speech: { utterance, english, since: at, toolRequests, results, pendingTools } },
    command: { _tag: "Say", utterance }
  }
}

const englishOf = (text: Localized): string | null => typeof text === "string" ? null : text["English"] ?? null

/** Says the last text, after which the call ends whatever the caller says. */
export const close = (
  plan: CallPlan,
  state: CallState,
  at: number,
  { why, ...speech }: SpeechPlan & { readonly why: Closing }
): Step => say(plan, { ...state, closing: why }, at, speech)

const faults = {
  model: "The language model could not answer",
  voice: "The voice could not speak",
  transcriber: "The words of the caller could not be transcribed"
}

/** A part that has failed, and why. */
interface PartFault {
  readonly part: keyof typeof faults
  readonly reason: string
}

const faultText = ({ part, reason }: PartFault): string => withReason(faults[part], reason).replace(/\.?$/u, ".")

/** Apologizes once and ends the call as a fault: a part that the agent cannot do without has failed. */
export const closeForFault = (plan: CallPlan, state: CallState, at: number, fault: PartFault): Step =>
  close(plan, { ...state, fault: faultText(fault) }, at, { why: "fault", say: [phrases.broken] })

/** Says goodbye because the time is up. */
export const closeForTime = (plan: CallPlan, state: CallState, at: number): Step =>
  close(plan, state, at, { why: "timeout", say: [phrases.timeUp] })

/** Listens to the caller, unless the time is up. */
export const listen = (plan: CallPlan, state: CallState, at: number): Step =>
  at >= plan.closeAt
    ? closeForTime(plan, state, at)
    : { state, command: { _tag: "Listen", silence: plan.options.silence } }

/** The greeting of the call or of the version, if there is one. */
export const greetingOf = (plan: CallPlan): Localized | undefined =>
  plan.brief.app_overrides.initial_bot_message ?? plan.version.first_message

/** The next turn of an agent with a script; `heard` is null when the call begins. */
export const scriptTurn = (
  plan: CallPlan,
  state: CallState,
  { at, words, script }: { readonly at: number; readonly words: string | null; readonly script: Script }
): Step => {
  const move = advance(script, state.script, words)
  const after = setVariables(plan, { ...state, script: move.state }, move.set)
  const lines = words === null ? withGreeting(plan, move.say) : move.say
  switch (move.next) {
    case "listen":
      return say(plan, after, at, { say: lines })
    case "goodbye":
      return close(plan, after, at, { why: "done", say: [...lines, textFor(plan, "goodbye")] })
    case "business_retry":
      return close(plan, { ...after, businessRetry: true }, at, {
        why: "done",
        say: [...lines, textFor(plan, "goodbye")]
      })
    case "reschedule":
      return close(plan, { ...after, rescheduleAt: at + Duration.toMillis(callbackDelay(words ?? "")) }, at, {
        why: "done",
        say: [...lines, phrases.callBack]
      })
  }
}

/** A greeting of the version precedes the first step; a greeting of the call replaces the first text. */
const withGreeting = (plan: CallPlan, steps: ReadonlyArray<Localized>): ReadonlyArray<Localized> => {
  const greeting = greetingOf(plan)
  if (greeting === undefined) return steps
  return [greeting, ...(plan.version.first_message === undefined ? steps.slice(1) : steps)]
}

/** A speech of nothing yet. */
export const emptySpeech = (language_name: string, since: number): CurrentSpeech => ({
  utterance: { text: "", language_name, interruptible: true },
  english: null,
  since,
  toolRequests: [],
  results: [],
  pendingTools: []
})

/** The moments of an answer; nothing on legs without sound. */
export const timingsOf = (
  { endedAt, heardAt }: CallState,
  { writingTimes }: CurrentSpeech,
  { startedAt }: Spoken
): Pick<SpokenTurn, "timings"> =>
  startedAt === undefined ? {} : {
    timings: {
      ended_at: endedAt,
      words_at: heardAt,
      first_token_at: writingTimes?.firstTokenAt ?? null,
      first_clause_at: writingTimes?.firstClauseAt ?? null,
      first_sound_at: startedAt
    }
  }

/** Finishes a call that one side has ended; the agent ends it at the latest when its time is up. */
export const finish = (plan: CallPlan, state: CallState, endedBy: EndedBy, at: number): Step => ({
  state: { ...state, endedBy: endedBy === "agent" && at >= plan.endAt ? "timeout" : endedBy },
  command: { _tag: "Finish" }
})

/** The turn of a speech of which this text was heard. */
export const agentTurn = (
  spokenText: string,
  { english, since, utterance }: CurrentSpeech,
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

/** Asks a silent caller whether they are there, and says goodbye after a number of times. */
export const onSilence = (plan: CallPlan, state: CallState, at: number): Step => {
  const silences = state.silences + 1
  return silences > plan.options.reprompts
    ? close(plan, state, at, { why: "silence", say: [textFor(plan, "goodbye")] })
    : say(plan, { ...state, silences }, at, { say: [textFor(plan, "silence")] })
}
