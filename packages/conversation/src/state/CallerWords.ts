import type { Heard, OwnReply } from "@trunkline/telephony"
import { saysGoodbye } from "../clauses/Phrases.js"
import { afterCaller } from "../tools/ToolLedger.js"
import type { CallState, SpokenTurn } from "./CallState.js"

/** The state in which the part with which the caller went on is a turn of its own, since nothing follows it. */
export const withUnfinished = (state: CallState): CallState => {
  const { unfinishedTurn } = state
  return unfinishedTurn === null ? state : {
    ...state,
    unfinishedTurn: null,
    turns: [...state.turns, unfinishedTurn],
    messages: [...state.messages, { role: "user", content: unfinishedTurn.text }],
    saidGoodbye: saysGoodbye(unfinishedTurn.text)
  }
}

/** Words with which the voice went on by itself; null when it asks the agent instead, undefined where no voice does so. */
export const ownReplyIn = (input: Heard): OwnReply | null | undefined =>
  input._tag === "Said" ? input.ownReply : undefined

/** The state after words of a voice that talks by itself. */
export const withOwnReply = (state: CallState, { startedAt, text }: OwnReply, at: number): CallState => ({
  ...state,
  beforeTurn: null,
  messages: [...state.messages, { role: "assistant", content: text, toolRequests: [] }],
  turns: [...state.turns, { role: "agent", text, en_text: null, language_name: state.language, at: startedAt }],
  agentWaits: state.endedAt === null
    ? state.agentWaits
    : [...state.agentWaits, Math.max(0, startedAt - state.endedAt)],
  hasModelAnswered: true,
  silences: 0,
  heardAt: null,
  endedAt: null,
  saidAt: at
})

/** Note for the model about a voice that asks for its answer after words of its own. */
const requestNote = "The voice that talks with the caller asks you to act now on what the caller has said."

/** The state in which a voice that talks by itself asks the agent again, without new words of the caller. */
export const withRequest = (state: CallState): CallState => ({
  ...state,
  messages: [...state.messages, { role: "system", content: requestNote }],
  silences: 0,
  toolCalls: 0,
  ledger: afterCaller(state.ledger)
})

/** Text of words or keys. */
export const saidIn = (
  input: Extract<Heard, { readonly _tag: "Pressed" | "Said" }>
): Pick<SpokenTurn, "en_text" | "language_name" | "text" | "turnEnd"> => ({
  ...(input._tag === "Said"
    ? { text: input.text.trim(), en_text: input.en_text, language_name: input.language_name }
    : { text: input.digit, en_text: input.digit, language_name: null }),
  ...endIn(input)
})

const endIn = ({ turnEnd }: Pick<SpokenTurn, "turnEnd">): Pick<SpokenTurn, "turnEnd"> =>
  turnEnd === undefined ? {} : { turnEnd }

/** The state of a call that has ended, with words and keys of the caller that nobody has listened to. */
export const withLastWords = (state: CallState, input: ReadonlyArray<Heard>, at: number): CallState =>
  input.reduce((state, one) => {
    if (one._tag !== "Said" && one._tag !== "Pressed") return state
    const callerWords = saidIn(one)
    const turn = { role: "user" as const, ...callerWords, at }
    const nextState = callerWords.text === ""
      ? state
      : { ...state, turns: [...state.turns, turn], saidGoodbye: saysGoodbye(callerWords.text) }
    const reply = ownReplyIn(one)
    return reply === null || reply === undefined ? nextState : withOwnReply(nextState, reply, at)
  }, state)

/** Joins what was heard with the part of the turn before it. A silence ends a turn that has such a part. */
export const joinTurn = ({ unfinishedTurn }: CallState, input: Heard): Heard => {
  if (unfinishedTurn === null || input._tag === "Unheard") return input
  const { en_text, language_name, text } = unfinishedTurn
  switch (input._tag) {
    case "Silent":
      return { _tag: "Said", text, en_text, language_name, ...endIn(unfinishedTurn) }
    case "Pressed":
      return { _tag: "Said", text: `${text} ${input.digit}`, en_text: null, language_name, ...endIn(input) }
    case "Said":
      return { ...input, text: `${text} ${input.text.trim()}`, en_text: null }
  }
}
