/** Values that the columns of call facts use as codes in one word. */
const codes = new Set([
  "busy",
  "campaign",
  "completed",
  "connected",
  "failed",
  "inbound",
  "outbound",
  "partial",
  "retry",
  "unknown"
])

/** Words joined by underscores, all in lower case or all in capitals; digits only after the first letter of a word. */
const joinedWords = /^(?:[a-z][a-z0-9]*(?:_[a-z][a-z0-9]*)+|[A-Z][A-Z0-9]*(?:_[A-Z][A-Z0-9]*)+)$/

const oneWord = /^[a-z]+$/

/** Columns whose values identify something and are shown as they are. */
const identifierColumn = /(?:^|[_ ])(?:id|identifier|name|hashed)$/i

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Label for people of a name of a column: `calls_answered` becomes `Calls answered`. Names that are not joined by
 * underscores stay as they are.
 */
export const labelOfName = (name: string): string =>
  joinedWords.test(name) ? sentenceCase(name.toLowerCase().replaceAll("_", " ")) : name

/**
 * Labels for people of the texts of a column, in the same order: `no_answer` becomes `No answer`. Texts are codes when
 * all of them are single words or words joined by underscores, and at least one is a code of call facts or joined;
 * otherwise they stay as they are. So do the texts of columns such as `app_id` and `campaign_name`, and texts that would
 * become equal.
 */
export const labelsOfTexts = (column: string, texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isCoded = texts.some((text) => codes.has(text) || joinedWords.test(text)) &&
    texts.every((text) => oneWord.test(text) || joinedWords.test(text))
  if (!isCoded || identifierColumn.test(column)) return texts
  const labels = texts.map((text) => oneWord.test(text) ? sentenceCase(text) : labelOfName(text))
  return new Set(labels).size === new Set(texts).size ? labels : texts
}
