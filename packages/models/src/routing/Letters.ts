import type { Delta } from "../answer/Delta.js"

/** How long the text in a piece of an answer is, in UTF-16 units. */
export const lettersOf = (delta: Delta): number => {
  switch (delta._tag) {
    case "Text":
    case "Reasoning":
    case "Refusal":
    case "ToolArgs":
      return delta.text.length
    case "ToolStart":
      return delta.id.length + delta.name.length
    default:
      return 0
  }
}
