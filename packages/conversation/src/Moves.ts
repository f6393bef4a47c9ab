import { fillTemplate, type Localized, wordingIn } from "@trunkline/agents"
import type { Message, ToolRequest } from "@trunkline/models"
import { type CallPlan, type CallState, type Closing, type Step, variablesNow } from "./CallState.js"
import { phrases } from "./Phrases.js"

/** Something to say, one after the other, and what the model asked for in the same breath. */
export interface Line {
  readonly say: ReadonlyArray<Localized>
  readonly toolRequests?: ReadonlyArray<ToolRequest>
  /** Results of the tools that are done already. */
  readonly results?: ReadonlyArray<Message>
  /** Tools to carry out once it is said. */
  readonly pending?: ReadonlyArray<ToolRequest>
}

/** The agent's own words for a situation, or the usual ones. */
export const wordsFor = (plan: CallPlan, situation: "goodbye" | "silence"): Localized =>
  (situation === "goodbye" ? plan.version.goodbye_message : plan.version.silence_prompt) ?? phrases[situation]

/** Ends the call from the agent's side. */
export const hangUp = (state: CallState): Step => ({ state, command: { _tag: "HangUp" } })

/** Speaks, in the language of the call if there is a wording in it; with nothing to say, goes on to what follows. */
export const say = (plan: CallPlan, state: CallState, at: number, line: Line): Step => {
  const variables = variablesNow(plan, state)
  const wordings = line.say
    .map((words) => ({ ...wordingIn(words, [state.language, ...plan.version.languages]), english: englishOf(words) }))
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
  const { pending = [], results = [], toolRequests = [] } = line
  const inEnglish = wordings.flatMap(({ english }) => english ?? [])
  const english = first.language_name !== "English" && inEnglish.length === wordings.length ? inEnglish.join(" ") : null
  return {
    state: { ...state, speech: { utterance, english, since: at, toolRequests, results, pending } },
    command: { _tag: "Say", utterance }
  }
}

const englishOf = (words: Localized): string | null => typeof words === "string" ? null : words["English"] ?? null

/** Says last words, after which the call is over whatever is answered. */
export const close = (
  plan: CallPlan,
  state: CallState,
  at: number,
  { why, ...line }: Line & { readonly why: Closing }
): Step => say(plan, { ...state, closing: why }, at, line)

/** Takes leave because the time is up. */
export const closeForTime = (plan: CallPlan, state: CallState, at: number): Step =>
  close(plan, state, at, { why: "timeout", say: [phrases.timeUp] })

/** Waits for the caller, unless the time is up. */
export const listen = (plan: CallPlan, state: CallState, at: number): Step =>
  at >= plan.closeAt
    ? closeForTime(plan, state, at)
    : { state, command: { _tag: "Listen", silence: plan.options.silence } }
