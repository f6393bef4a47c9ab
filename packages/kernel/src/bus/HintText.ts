import { objectOf, parseJson, stringOf } from "../values/Json.js"

/** News of another process: its payload, or null when anything of the topic may have happened. */
export type Hint = string | null

/** Most bytes of a text; PostgreSQL carries 7,999. */
const maxBytes = 7_000

const utf8 = new TextEncoder()

const isTooLong = (text: string): boolean =>
  text.length > maxBytes || (text.length > maxBytes / 3 && utf8.encode(text).length > maxBytes)

/** A hint with a sender, as it travels. */
export interface SentHint {
  readonly sender: string
  readonly topic: string
  readonly hint: Hint
}

const textOf = ({ hint, sender, topic }: SentHint): string =>
  JSON.stringify({ s: sender, t: topic, ...(hint !== null && { p: hint }) })

/** A hint as its topic can carry it: without a payload that is too large. */
export const bareBeyondLimit = (topic: string, hint: Hint): Hint =>
  hint !== null && isTooLong(textOf({ sender: "", topic, hint })) ? null : hint

/** Writes a hint as a JSON text of up to 7,000 bytes: `s` is its sender, `t` its topic and `p` its payload, if any. */
export const writeHint = (hint: SentHint): string => {
  const text = textOf(hint)
  return isTooLong(text) ? textOf({ ...hint, hint: null }) : text
}

/** Reads a hint; undefined when the text is none. */
export const readHint = (text: string): SentHint | undefined => {
  const { p, s, t } = objectOf(parseJson(text))
  const [sender, topic] = [stringOf(s), stringOf(t)]
  return sender === undefined || topic === undefined ? undefined : { sender, topic, hint: stringOf(p) ?? null }
}
