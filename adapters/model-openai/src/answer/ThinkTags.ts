/** A chunk of a text, divided into thoughts and visible text. */
export interface DividedText {
  readonly reasoning: string
  readonly text: string
}

/** Divides a chunked text that begins with thoughts between `<think>` and `</think>`. */
export interface ThinkTags {
  readonly push: (chunk: string) => DividedText
  /** Returns what was held back at the end of the text. */
  readonly flush: () => DividedText
  /** Offset of the visible text in UTF-16 units; null before it has begun. */
  readonly textStart: () => number | null
}

const open = "<think>"
const close = "</think>"

/** Longest whitespace before the opening tag; more of it is text. */
const maxWhitespace = 64

/** Counts the units at the end of a text that could begin the closing tag. */
const beginsClose = (text: string): number => {
  for (let length = Math.min(close.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(close.slice(0, length))) return length
  }
  return 0
}

/** Makes a divider for one text. Whitespace after a tag is dropped. `begun`: the text starts inside the tag. */
export const makeThinkTags = (startsInside: boolean): ThinkTags => {
  let state: "before" | "thinking" | "text" = startsInside ? "thinking" : "before"
  let pendingText = ""
  let afterTag = startsInside
  let position = 0
  let textStart: number | null = null

  const trimAfterTag = (text: string): string => {
    const rest = afterTag ? text.trimStart() : text
    if (rest !== "") afterTag = false
    return rest
  }

  const asText = (text: string): DividedText => {
    const visible = trimAfterTag(text)
    if (visible !== "") textStart ??= position - visible.length
    return { reasoning: "", text: visible }
  }

  const asReasoning = (text: string): DividedText => {
    const end = text.indexOf(close)
    if (end < 0) {
      const safeEnd = text.length - beginsClose(text)
      pendingText = text.slice(safeEnd)
      return { reasoning: trimAfterTag(text.slice(0, safeEnd)), text: "" }
    }
    state = "text"
    const reasoning = trimAfterTag(text.slice(0, end))
    afterTag = true
    return { reasoning, text: asText(text.slice(end + close.length)).text }
  }

  const begin = (text: string): DividedText => {
    const start = text.trimStart()
    if (start.startsWith(open)) {
      state = "thinking"
      afterTag = true
      return asReasoning(start.slice(open.length))
    }
    if (open.startsWith(start) && text.length < maxWhitespace) {
      pendingText = text
      return { reasoning: "", text: "" }
    }
    state = "text"
    return asText(text)
  }

  return {
    push: (chunk) => {
      position += chunk.length
      const text = pendingText + chunk
      pendingText = ""
      return state === "text" ? asText(text) : state === "thinking" ? asReasoning(text) : begin(text)
    },
    flush: () => {
      const text = pendingText
      pendingText = ""
      return state === "thinking" ? { reasoning: trimAfterTag(text), text: "" } : asText(text)
    },
    textStart: () => textStart
  }
}
