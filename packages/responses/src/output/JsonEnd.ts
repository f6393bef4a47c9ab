/** Knows where a JSON object or list ends, however its text is cut. */
export interface JsonEnd {
  readonly push: (text: string) => void
  /** Whether it was there from its first bracket to its last. */
  readonly reached: () => boolean
}

const isOpening = (char: string) => char === "{" || char === "["
const isClosing = (char: string) => char === "}" || char === "]"

/** A look-out for one text. It reads every character once, and does not mind what is wrong in between. */
export const makeJsonEnd = (): JsonEnd => {
  let depth = 0
  let quoted = false
  let escaped = false
  let reached = false

  const read = (char: string) => {
    if (escaped) escaped = false
    else if (quoted) {
      escaped = char === "\\"
      quoted = char !== "\""
    } else if (char === "\"") quoted = true
    else if (isOpening(char)) depth += 1
    else if (isClosing(char)) {
      depth -= 1
      reached = depth === 0
    }
  }

  return {
    push: (text) => {
      for (const char of text) read(char)
    },
    reached: () => reached
  }
}
