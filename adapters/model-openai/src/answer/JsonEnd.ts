/** Tells whether a text that grows is a whole JSON object or list by now; it reads every character once. */
export const makeJsonEnd = () => {
  let read = 0
  let depth = 0
  let begun = false
  let inText = false
  let escaped = false
  return (text: string): boolean => {
    for (; read < text.length; read++) {
      const character = text[read]
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
    return begun && depth <= 0
  }
}
