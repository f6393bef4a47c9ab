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
  heard: Extract<Heard, { readonly _tag: "Pressed" | "Said" }>
): Pick<SpokenTurn, "en_text" | "language_name" | "text"> =>
  heard._tag === "Said"
    ? { text: heard.text.trim(), en_text: heard.en_text, language_name: heard.language_name }
    : { text: heard.digit, en_text: heard.digit, language_name: null }

/** The state of a call that has ended, with words and keys of the caller that nobody has listened to. */
export const withLastWords = (state: CallState, heard: ReadonlyArray<Heard>, at: number): CallState =>
  heard.reduce((state, one) => {
    if (one._tag !== "Said" && one._tag !== "Pressed") return state
    const said = saidIn(one)
    const turn = { role: "user" as const, ...said, at }
    return { ...state, turns: [...state.turns, turn], saidGoodbye: saysGoodbye(said.text) }
  }, state)

/** Joins what was heard with the part of the turn before it. A silence ends a turn that has such a part. */
export const joinTurn = ({ unfinished }: CallState, heard: Heard): Heard => {
  if (unfinished === null || heard._tag === "Unheard") return heard
  const { en_text, language_name, text } = unfinished
  switch (heard._tag) {
    case "Silent":
      return { _tag: "Said", text, en_text, language_name }
    case "Pressed":
      return { _tag: "Said", text: `${text} ${heard.digit}`, en_text: null, language_name }
    case "Said":
      return { ...heard, text: `${text} ${heard.text.trim()}`, en_text: null }
  }
}
