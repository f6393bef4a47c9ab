/** Follows a text that grows, to tell when it is a whole JSON object or list; it reads every character once. */
export interface JsonEnd {
  /** Takes in what the text goes on with. */
  readonly push: (text: string) => void
  readonly isWhole: () => boolean
}

/** Follows a text from its beginning. */
export const makeJsonEnd = (): JsonEnd => {
  let depth = 0
  let begun = false
  let inText = false
  let escaped = false
  return {
    push: (text) => {
      for (const character of text) {
        if (inText) {
          if (escaped) escaped = false
          else if (character === "\\") escaped = true
          else if (character === "\"") inText = false
        } else if (character === "\"") inText = true
        else if (character === "{" || character === "[") {
          begun = true
          depth++
        } else if (character === "}" || character === "]") depth--
      }
    },
    isWhole: () => begun && depth <= 0
  }
}
