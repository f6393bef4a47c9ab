import { normalizeSpoken } from "@trunkline/agents"
import { saysGoodbye } from "../../clauses/Phrases.js"
import type { AgentWords, CallFacts, CallFactTurn, RuleFault, ToolRun } from "./CallFacts.js"

/** Facts that rules need beside the call. */
export interface RuleOptions {
  /** Longest silence of both sides, in seconds. */
  readonly silence: number
  /** Times after which an answer that stays the same is a loop. */
  readonly repeats: number
  /** Names of tools that run once in a call, and of those that may run again with the same arguments. */
  readonly once: ReadonlyArray<string>
  readonly repeatable: ReadonlyArray<string>
}

/** A rule that holds in every call, as a function from calls to faults. */
export type CallRule = (call: CallFacts, options: RuleOptions) => ReadonlyArray<RuleFault>

const wordsOf = (text: string): ReadonlyArray<string> => normalizeSpoken(text).split(" ").filter((word) => word !== "")

const isSpeech = (turn: CallFactTurn): boolean => turn.role !== "tool"

const isOfCaller = (turn: CallFactTurn): boolean =>
  turn.role === "caller" && (turn.does === "says" || turn.does === "presses")

/** Nothing is heard for longer than a caller waits. */
const silence: CallRule = ({ seconds, turns }, options) => {
  let heardUntil = 0
  const faults: Array<RuleFault> = []
  const check = (from: number, turn: number | null): void => {
    const length = from - heardUntil
    if (length > options.silence) {
      faults.push({ turn, message: `Nobody spoke for ${length.toFixed(1)} s, longer than ${options.silence} s.` })
    }
  }
  turns.forEach((turn, index) => {
    if (!isSpeech(turn)) return
    check(turn.from, index)
    heardUntil = Math.max(heardUntil, turn.to)
  })
  check(seconds, null)
  return faults
}

/** Most characters of arguments in a message. */
const maxArguments = 200

const argumentsIn = ({ input }: ToolRun): string => {
  const text = typeof input === "string" ? input : JSON.stringify(input) ?? "nothing"
  return text.length > maxArguments ? `${text.slice(0, maxArguments - 1)}…` : text
}

const useOf = ({ input, name }: ToolRun): string => `${name} ${JSON.stringify(input)}`

/** A tool of one use runs again, or one runs again with the same arguments before the caller has spoken. */
const toolTwice: CallRule = ({ turns }, { once, repeatable }) => {
  const ever = new Set<string>()
  let sinceWords = new Set<string>()
  return turns.flatMap((turn, index) => {
    if (isOfCaller(turn)) sinceWords = new Set()
    if (turn.role !== "tool" || turn.failed) return []
    const isAgain = once.includes(turn.name) && ever.has(turn.name)
    const isSame = !repeatable.includes(turn.name) && sinceWords.has(useOf(turn))
    ever.add(turn.name)
    sinceWords.add(useOf(turn))
    return isAgain
      ? [{ turn: index, message: `The tool ${turn.name} runs once in a call, and ran again.` }]
      : isSame
      ? [{ turn: index, message: `The tool ${turn.name} ran again with ${argumentsIn(turn)}.` }]
      : []
  })
}

/** Fewest words of an answer that counts as a repetition. */
const leastWords = 4

/** The agent answers the same again and again. */
const loop: CallRule = ({ turns }, { repeats }) => {
  const counts = new Map<string, number>()
  let isAnswer = false
  return turns.flatMap((turn, index) => {
    if (isOfCaller(turn)) isAnswer = true
    if (turn.role !== "agent" || !isAnswer) return []
    isAnswer = false
    const words = wordsOf(turn.meant)
    if (words.length < leastWords) return []
    const count = (counts.get(words.join(" ")) ?? 0) + 1
    counts.set(words.join(" "), count)
    return count === repeats
      ? [{ turn: index, message: `The agent gave this answer ${count} times: it goes in circles.` }]
      : []
  })
}

/** The agent leaves its side of the line open, or goes on until its time is up. */
const ends: CallRule = ({ endedBy, leftOpen }) => [
  ...leftOpen ? [{ turn: null, message: "The conversation was over, and the agent had not hung up." }] : [],
  ...endedBy === "timeout" ? [{ turn: null, message: "The call went on until its longest time was over." }] : []
]

/** The agent speaks on after its goodbye, or after the end of the call. */
const afterGoodbye: CallRule = ({ refusals, turns }) => {
  let hasSaid = false
  const faults = turns.flatMap((turn, index) => {
    if (isOfCaller(turn)) hasSaid = false
    if (turn.role !== "agent") return []
    const isLate = hasSaid
    hasSaid = saysGoodbye(turn.text) && !turn.interrupted
    return isLate
      ? [{ turn: index, message: "The agent spoke after it had said goodbye: it should have hung up." }]
      : []
  })
  return refusals === 0
    ? faults
    : [...faults, { turn: null, message: "The agent tried to speak or to listen after the end of the call." }]
}

/** Words of the agent without figures, which the record of an entry of digits hides. */
const comparable = (texts: ReadonlyArray<string>): string =>
  wordsOf(texts.join(" ")).join(" ").replaceAll(/[\p{N}•*]+/gu, "").replaceAll(/\s+/g, " ").trim()

/** Words by which the end of what was heard may be unsure when it was cut off, as the sound of a word may be cut in two. */
const unsureWords = 2

/** True for the same words, or for those of one turn that was cut off, as far as that can be told. */
const isSame = (heardSentences: string, recordedTexts: string, isCut: boolean): boolean => {
  if (heardSentences === recordedTexts || !isCut) return heardSentences === recordedTexts
  const [short, long] = [heardSentences.split(" "), recordedTexts.split(" ")].toSorted((one, other) =>
    one.length - other.length
  )
  if (short === undefined || long === undefined || long.length - short.length > unsureWords) return false
  return short.slice(0, -1).every((word, index) => word === long[index])
}

/** The record of the call has other words of the agent than those that were heard. */
const record: CallRule = ({ fault, record, turns }) => {
  if (fault !== null && record.length === 0) return []
  const recordedTexts = record.flatMap(({ role, text }) => role === "agent" ? [text] : [])
  const agentTurns = turns.flatMap((turn, index) => turn.role === "agent" && turn.text !== "" ? [{ turn, index }] : [])
  if (comparable(agentTurns.map(({ turn }) => turn.text)) === comparable(recordedTexts)) return []
  const at = agentTurns.findIndex(({ turn }, index) =>
    !isSame(comparable([turn.text]), comparable(recordedTexts.slice(index, index + 1)), turn.interrupted)
  )
  if (at < 0 && agentTurns.length === recordedTexts.length) return []
  const text = at < 0 ? recordedTexts[agentTurns.length] : recordedTexts[at]
  const entry = text === undefined ? "nothing" : `"${text}"`
  return [{ turn: agentTurns[at]?.index ?? null, message: `The record has ${entry} in place of what was heard.` }]
}

const asksAgain =
  /\b(again|repeat|pardon|sorry|what|which|come again|didn'?t (hear|catch|get))\b|फिर से|दोबारा|क्या कहा/iu

const sentencesOf = (text: string): ReadonlyArray<string> =>
  (text.match(/[^.!?।]+[.!?।]?/gu) ?? []).map((sentence) => wordsOf(sentence).join(" "))

/** Sentences of an answer that the caller had heard to their end before they interrupted. */
const heardAgain = (before: AgentWords, after: AgentWords): string | undefined => {
  const heardSentences = new Set(sentencesOf(before.text))
  return sentencesOf(after.text).find((sentence) =>
    sentence.split(" ").length >= leastWords && heardSentences.has(sentence)
  )
}

/** After an interruption the agent does not hear the caller, or repeats what they had heard. */
const interruption: CallRule = ({ record, turns }) =>
  turns.flatMap((turn, index) => {
    if (turn.role !== "agent" || !turn.interrupted) return []
    const after = turns.slice(index + 1)
    const answerAt = after.findIndex(({ role }) => role === "agent")
    const between = after.slice(0, answerAt < 0 ? after.length : answerAt)
    const words = between.flatMap((other) => other.role === "caller" && other.does === "says" ? [other.text] : [])
    const answer = after[answerAt]
    if (answer?.role !== "agent") return []
    const isUnheard = words.some((text) =>
      text !== "" && !record.some((other) => other.role === "user" && other.text.includes(text))
    )
    // An answer of a tool is news, also in the same words.
    const mayRepeat = words.some((text) => asksAgain.test(text)) || between.some(({ role }) => role === "tool")
    const again = mayRepeat ? undefined : heardAgain(turn, answer)
    return [
      ...isUnheard ? [{ turn: index + 1, message: "The agent never heard the words of this interruption." }] : [],
      ...again === undefined
        ? []
        : [{ turn: index + 1 + answerAt, message: `The caller had heard "${again}" before they interrupted.` }]
    ]
  })

/** A part that the agent cannot do without has failed. */
const failure: CallRule = ({ fault }) => fault === null ? [] : [{ turn: null, message: `The call failed: ${fault}` }]

/** The rules, by the names by which they are switched off. */
export const callRules = {
  silence,
  "tool-twice": toolTwice,
  loop,
  ends,
  "after-goodbye": afterGoodbye,
  record,
  interruption,
  failure
} satisfies Readonly<Record<string, CallRule>>

/** Name of a rule. */
export type RuleName = keyof typeof callRules

/** Defaults of rules: 12 seconds of silence, and three answers that are the same. */
export const ruleDefaults = { silence: 12, repeats: 3 } as const
