import { turnEntry } from "../record/PrintCall.js"
import type { TestedTurn } from "../record/TestedCall.js"

/** Words to look for: a part of a text, in any case of letters, or a pattern. */
export type Pattern = string | RegExp

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A pattern that starts anew at each text. */
const fresh = (pattern: RegExp): RegExp => new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ""))

/** True when a text has the words. */
export const hasWords = (text: string, words: Pattern): boolean =>
  typeof words === "string" ? text.toLowerCase().includes(words.toLowerCase()) : fresh(words).test(text)

/**
 * True when a value has at least all that is expected: fields of an object may be more, lists are as long and in the same order, and a
 * pattern stands for a text that it matches.
 */
export const hasAtLeast = (value: unknown, expected: unknown): boolean => {
  if (expected instanceof RegExp) return typeof value === "string" && fresh(expected).test(value)
  if (Array.isArray(expected)) {
    return Array.isArray(value) && value.length === expected.length &&
      expected.every((item, index) => hasAtLeast(value[index], item))
  }
  if (isObject(expected)) {
    return isObject(value) && Object.entries(expected).every(([name, item]) => hasAtLeast(value[name], item))
  }
  return Object.is(value, expected)
}

/** Words as a sentence names them. */
export const patternName = (words: Pattern): string => typeof words === "string" ? `"${words}"` : String(words)

/**
 * True for a turn that an entry such as `agent: Hello` describes: its whole text, or its beginning where the entry ends with `…`; of
 * a tool, its name suffices. A pattern is matched with the whole entry.
 */
export const isTurn = (turn: TestedTurn, entry: Pattern): boolean => {
  const text = turnEntry(turn)
  if (typeof entry !== "string") return fresh(entry).test(text)
  if (turn.role === "tool" && entry === `tool: ${turn.name}`) return true
  return entry.endsWith("…") && text.startsWith(entry.slice(0, -1)) || text === entry
}

/** True for a turn of the side of an entry whose text has the words of it. */
export const hasEntry = (turn: TestedTurn, entry: Pattern): boolean => {
  if (typeof entry !== "string") return fresh(entry).test(turnEntry(turn))
  const [, side = "", words = ""] = /^(agent|caller|tool): ?(.*)$/su.exec(entry) ?? []
  return side === turn.role && hasWords(turnEntry(turn).slice(side.length + 2), words.replace(/…$/u, ""))
}
