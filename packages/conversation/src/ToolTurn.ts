import { fillTemplate, wordingIn } from "@trunkline/agents"
import type { Message, ToolRequest } from "@trunkline/models"
import type { TransferOutcome } from "@trunkline/telephony"
import { usualPause } from "./actions/HoldTimes.js"
import { phrases } from "./clauses/Phrases.js"
import { maskForModel } from "./state/ActionState.js"
import {
  type CallPlan,
  type CallState,
  currentVariables,
  setVariables,
  type SpokenTurn,
  type Step
} from "./state/CallState.js"
import { transfers } from "./tools/LineTools.js"
import { beginUses, endUse, misfitText } from "./tools/ToolLedger.js"
import { toolMessage } from "./tools/ToolMessage.js"
import type { Filler, SpokenFiller, ToolOutcome } from "./tools/ToolOutcome.js"

/** Milliseconds until the agent says that a tool takes long: with words of the tool's own, and otherwise. */
const fillerAfter = { own: 1_000, default: 6_000 }

/** Words of the agent when these tools take long. Words of the model before them count as its own. */
const fillerOf = (plan: CallPlan, state: CallState, requests: ReadonlyArray<ToolRequest>): Filler => {
  const { languages, tools } = plan.version
  if (state.actions.waiting?._tag === "Hold") return holdFiller(plan, state)
  const toolFiller = tools.find(({ filler, name }) =>
    filler !== undefined && requests.some((request) => request.name === name)
  )?.filler
  const { language_name, text } = wordingIn(toolFiller ?? phrases.moment, [state.language, ...languages])
  const variables = currentVariables(plan, state)
  const english = toolFiller === undefined || typeof toolFiller === "string" ? null : toolFiller["English"] ?? null
  const hasSpoken = state.turns.at(-1)?.role === "agent"
  return {
    text: fillTemplate(text, variables),
    language_name,
    english: language_name === "English" || english === null ? null : fillTemplate(english, variables),
    after: toolFiller === undefined || hasSpoken ? fillerAfter.default : fillerAfter.own
  }
}

/** Words to a caller who is on hold until tools have answered. */
const holdFiller = (plan: CallPlan, state: CallState): Filler => {
  const { hold: { every_seconds = usualPause, message = "" } = {}, languages } = plan.version
  const { language_name, text } = wordingIn(message, [state.language, ...languages])
  const filledText = fillTemplate(text, currentVariables(plan, state))
  return { text: filledText, language_name, english: null, after: 0, every: every_seconds * 1_000 }
}
/** Words of a tool that speaks itself: none. */
const noFiller: Filler = { text: "", language_name: "English", english: null, after: fillerAfter.default }

/** Executes tools of the host application, as far as the rules of the conversation let them run. */
export const useTools = (
  plan: CallPlan,
  state: CallState,
  requests: ReadonlyArray<ToolRequest>,
  isInterrupted = false
): Step => {
  const { ledger, uses } = beginUses(plan, state.ledger, requests)
  return {
    state: { ...state, beforeTurn: null, ledger, isInterrupted },
    command: {
      _tag: "UseTools",
      uses,
      filler: transfers(plan.version, requests) ? noFiller : fillerOf(plan, state, requests)
    }
  }
}

/** True where a tool has tried a transfer with this outcome. */
export const hasTransfer = (outcomes: ReadonlyArray<ToolOutcome>, outcome: TransferOutcome): boolean =>
  outcomes.some(({ transfer }) => transfer?.outcome === outcome)

/** Adds the results of tools of the host application. */
export const withOutcomes = (
  plan: CallPlan,
  state: CallState,
  outcomes: ReadonlyArray<ToolOutcome>,
  at: number
): CallState =>
  outcomes.reduce((state, { content: givenText, outcome, request, said, seconds, set, transfer }) => {
    const textForModel = outcome === "wrong_arguments" ? misfitText(state.ledger, request.name, givenText) : givenText
    const content = maskForModel(state.actions)(textForModel)
    const { arguments: args, name } = request
    const turn: SpokenTurn = {
      role: "tool",
      text: content,
      en_text: content,
      language_name: null,
      at,
      tool: { name, arguments: args, outcome, seconds, ...(transfer && { transfer }) }
    }
    const words: ReadonlyArray<SpokenTurn> = said === undefined
      ? []
      : [{ role: "agent", text: said.text, en_text: null, language_name: said.language_name, at: said.at }]
    return {
      ...setVariables(plan, state, set),
      ledger: endUse(state.ledger, { request, content, outcome }),
      messages: [...state.messages, toolMessage(request, content)],
      turns: [...state.turns, ...words, turn]
    }
  }, state)

/** Adds the results of tools when the call ends while they run. Those without an answer were not waited for. */
export const withUnanswered = (
  plan: CallPlan,
  before: CallState,
  outcomes: ReadonlyArray<ToolOutcome>,
  at: number
): CallState => {
  const state = withOutcomes(plan, before, outcomes, at)
  const rest = state.ledger.running.map((request): ToolOutcome => ({
    request,
    content: "The call ended before it answered.",
    set: {},
    outcome: "timed_out",
    seconds: 0
  }))
  return withOutcomes(plan, state, rest, at)
}

/** The words of a model's response with tools, and the filler that was said while these ran. */
const joinWords = (message: Message, heardText: string): Message =>
  message.role === "assistant"
    ? { ...message, content: message.content === null ? heardText : `${message.content} ${heardText}` }
    : message

/** Adds what was heard of a filler: a turn of the agent, and words of the response that asked for the tools. */
export const withFiller = (state: CallState, filler: SpokenFiller | null, at: number): CallState => {
  const heardText = filler?.spoken.heard.trim() ?? ""
  if (filler === null || heardText === "") return state
  const requestIndex = state.messages.findLastIndex((message) => message.role === "assistant")
  return {
    ...state,
    messages: state.messages.map((message, index) => index === requestIndex ? joinWords(message, heardText) : message),
    turns: [...state.turns, {
      role: "agent",
      text: heardText,
      en_text: filler.english,
      language_name: filler.language_name,
      at: filler.since
    }],
    agentWaits: state.heardAt === null ? state.agentWaits : [...state.agentWaits, filler.since - state.heardAt],
    heardAt: null,
    endedAt: null,
    saidAt: filler.spoken.interrupted ? null : at
  }
}

/** True for a tool that runs although the caller has interrupted the words before it. */
export const runsAnyway = ({ version: { tools } }: CallPlan, name: string): boolean =>
  tools.some((tool) => tool.name === name && tool.on_interruption === "run")
