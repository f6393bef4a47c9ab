import type { Heard } from "@trunkline/telephony"
import type { CallState, SpokenTurn } from "./CallState.js"
import { saysGoodbye } from "./Phrases.js"

/** The state in which the part with which the caller went on is a turn of its own, since nothing follows it. */
export const withUnfinished = (state: CallState): CallState => {
  const { unfinished } = state
  return unfinished === null ? state : {
    ...state,
    unfinished: null,
    turns: [...state.turns, unfinished],
    messages: [...state.messages, { role: "user", content: unfinished.text }],
    saidGoodbye: saysGoodbye(unfinished.text)
  }
}

/** Text of words or keys. */
export const saidIn = (
  input: Extract<Heard, { readonly _tag: "Pressed" | "Said" }>
): Pick<SpokenTurn, "en_text" | "language_name" | "text"> =>
  input._tag === "Said"
    ? { text: input.text.trim(), en_text: input.en_text, language_name: input.language_name }
    : { text: input.digit, en_text: input.digit, language_name: null }

/** The state of a call that has ended, with words and keys of the caller that nobody has listened to. */
export const withLastWords = (state: CallState, input: ReadonlyArray<Heard>, at: number): CallState =>
  input.reduce((state, one) => {
    if (one._tag !== "Said" && one._tag !== "Pressed") return state
    const callerWords = saidIn(one)
    const turn = { role: "user" as const, ...callerWords, at }
    return { ...state, turns: [...state.turns, turn], saidGoodbye: saysGoodbye(callerWords.text) }
  }, state)

/** Joins what was heard with the part of the turn before it. A silence ends a turn that has such a part. */
export const joinTurn = ({ unfinished }: CallState, input: Heard): Heard => {
  if (unfinished === null || input._tag === "Unheard") return input
  const { en_text, language_name, text } = unfinished
  switch (input._tag) {
    case "Silent":
      return { _tag: "Said", text, en_text, language_name }
    case "Pressed":
      return { _tag: "Said", text: `${text} ${input.digit}`, en_text: null, language_name }
    case "Said":
      return { ...input, text: `${text} ${input.text.trim()}`, en_text: null }
  }
}
