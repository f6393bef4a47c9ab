import type { AttemptDetail } from "../api/types.js"
import { answersOf, type AnswerSteps, type Message } from "./axis.js"

type ModelInput = AttemptDetail["model_inputs"][number]
export type TurnEnd = NonNullable<Message["turn_end"]>

/** A request to the model with what it leaves out since the one before has it. */
export interface WholeInput {
  readonly sent: ModelInput
  readonly system: string
  readonly tools: ReadonlyArray<string>
  readonly options: NonNullable<ModelInput["options"]>
  readonly messages: ModelInput["messages"]
}

/** The requests of a call, each whole. */
export const wholeInputs = (inputs: ReadonlyArray<ModelInput>): ReadonlyArray<WholeInput> => {
  let before: Omit<WholeInput, "sent"> = { system: "", tools: [], options: {}, messages: [] }
  return inputs.map((sent) => {
    before = {
      system: sent.system ?? before.system,
      tools: sent.tools ?? before.tools,
      options: sent.options ?? before.options,
      messages: [...before.messages.slice(0, sent.kept_messages), ...sent.messages]
    }
    return { sent, ...before }
  })
}

/** A turn of the person with what came of it: why it ended, what the model was sent, and the steps of the answer. */
export interface Exchange {
  /** Place of the person's turn in the transcript; -1 before the first one. */
  readonly place: number
  /** Words of the person; null where the agent began. */
  readonly said: string | null
  /** Answer of the agent; null where nothing was heard. */
  readonly answer: string | null
  readonly end: TurnEnd | null
  readonly inputs: ReadonlyArray<WholeInput>
  readonly steps: AnswerSteps | null
}

const textOf = ({ en_text, indic_text }: Message): string => indic_text ?? en_text

/**
 * The exchanges of a call that have something to tell. A call that failed has no transcript: its requests then tell what the
 * person said.
 */
export const exchangesOf = (
  messages: ReadonlyArray<Message>,
  inputs: ReadonlyArray<ModelInput>
): ReadonlyArray<Exchange> => {
  const whole = wholeInputs(inputs)
  if (messages.length === 0) {
    const turns = Array.from(new Set(inputs.map(({ turn }) => turn)))
    return turns.map((turn) => {
      const mine = whole.filter(({ sent }) => sent.turn === turn)
      const callerText = mine.at(-1)?.messages.findLast(({ role }) => role === "user")?.content ?? null
      return { place: turn - 1, said: callerText, answer: null, end: null, inputs: mine, steps: null }
    })
  }
  const places = [-1, ...messages.flatMap(({ role }, index) => (role === "user" ? [index] : []))]
  return places.flatMap((place, index) => {
    const next = places[index + 1] ?? messages.length
    const message = messages[place]
    const answers = messages.slice(place + 1, next).filter(({ role }) => role === "agent")
    const mine = whole.filter(({ sent }) => sent.turn > place && (sent.turn <= next || next === messages.length))
    const exchange: Exchange = {
      place,
      said: message === undefined ? null : textOf(message),
      answer: answers.length === 0 ? null : answers.map(textOf).join(" "),
      end: message?.turn_end ?? null,
      inputs: mine,
      steps: answersOf(answers)[0] ?? null
    }
    return exchange.end === null && exchange.steps === null && mine.length === 0 ? [] : [exchange]
  })
}

const afterWords: Readonly<Record<string, string>> = {
  finished: "after a finished sentence",
  unfinished: "after words that go on",
  number: "after a figure, since numbers are spoken in groups",
  none: "without words"
}

const millis = (value: number | null): string => `${Math.round(value ?? 0).toLocaleString()} ms`

/** Why a turn ended, as a sentence. */
export const turnEndText = ({ completeness, required_ms, rule, waited_ms }: TurnEnd): string => {
  const words = completeness === null ? "" : ` ${afterWords[completeness] ?? `(${completeness})`}`
  switch (rule) {
    case "silence":
      return `The person was silent for ${millis(waited_ms)}; ${millis(required_ms)} are enough${words}.`
    case "words":
      return required_ms === null
        ? "Words followed the keys."
        : `The words came when the pause of ${millis(waited_ms)} was long enough already: ${
          millis(required_ms)
        } are${words}.`
    case "longest_turn":
      return `The person spoke for ${millis(required_ms)}, the longest that a turn may last.`
    case "key_pause":
      return `No key followed for ${millis(waited_ms)}; ${millis(required_ms)} are enough.`
    case "key_terminator":
      return "The key # ended the entry."
    case "key_limit":
      return "An entry has 64 keys at most."
    case "call_ended":
      return "The call ended after these keys."
  }
}
