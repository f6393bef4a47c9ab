import { isJsonObject, listOf, parseJson } from "@trunkline/kernel"

/** Events of a stream that differ from an earlier one in the text of their delta only: such an event needs no parser. */
export interface EventTemplate {
  /** The text in the delta of an event like the one that was learned; undefined for any other event. */
  readonly textIn: (event: string) => string | undefined
  /** Learns from an event whose first choice has a delta with this text as its `content`, if it has to learn. */
  readonly learn: (event: string, text: () => string | undefined) => void
}

/** A text that no event holds by chance. */
const probe = "\u{1f50d} probe"

/** The name of the field with the text of a delta, up to the text. */
const contentField = /"content"\s*:\s*"/

/** Characters that a JSON string holds by an escape only, the escape itself, and other control characters. */
const needsEscape = /["\\\p{Cc}]/u

/** Events that a template is learned from in vain before it gives up: some servers vary other fields as well. */
const maxLearned = 3

/** The event with another text in its delta. */
const withText = (event: unknown, text: string): unknown => {
  if (!isJsonObject(event)) return undefined
  const [first, ...others] = listOf(event.choices)
  if (!isJsonObject(first) || !isJsonObject(first.delta) || others.length > 0) return undefined
  return { ...event, choices: [{ ...first, delta: { ...first.delta, content: text } }] }
}

/**
 * Makes the template of one stream. An event that only differs in the literal of its text is JSON with the same fields: this
 * is checked once by parsing the event with another text in that place.
 */
export const makeEventTemplate = (): EventTemplate => {
  let before = ""
  let after = ""
  let lessons = 0

  return {
    textIn: (event) => {
      if (before === "" || !event.startsWith(before) || !event.endsWith(after)) return undefined
      if (event.length < before.length + after.length) return undefined
      const text = event.slice(before.length, event.length - after.length)
      return needsEscape.test(text) ? undefined : text
    },
    learn: (event, textOf) => {
      const text = lessons === maxLearned ? undefined : textOf()
      const field = contentField.exec(event)
      if (text === undefined || field === null || !event.startsWith(`${text}"`, field.index + field[0].length)) return
      lessons += 1
      const start = event.slice(0, field.index + field[0].length)
      const end = event.slice(start.length + text.length)
      const expectedEvent = withText(parseJson(event), probe)
      if (
        expectedEvent === undefined || JSON.stringify(parseJson(start + probe + end)) !== JSON.stringify(expectedEvent)
      ) return
      before = start
      after = end
    }
  }
}
