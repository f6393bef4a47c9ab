/** A piece of a text, divided into what was thought and what was said. */
export interface Divided {
  readonly reasoning: string
  readonly text: string
}

/** Divides a text that begins with thoughts between `<think>` and `</think>`, wherever its pieces are cut. */
export interface ThinkTags {
  readonly push: (piece: string) => Divided
  /** What was held back, once nothing more comes. */
  readonly flush: () => Divided
  /** How many UTF-16 units came before what is said; null while nothing was said. */
  readonly saidFrom: () => number | null
}

const open = "<think>"
const close = "</think>"

/** Blanks that may stand before the opening tag; more of them are text. */
const mostBlanks = 64

/** How many units at the end of a text could begin the closing tag. */
const beginsClose = (text: string): number => {
  for (let length = Math.min(close.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(close.slice(0, length))) return length
  }
  return 0
}

/** Divides one text. Blanks that follow a tag are left out. `begun`: the opening tag is not written. */
export const makeThinkTags = (begun: boolean): ThinkTags => {
  let state: "before" | "thinking" | "saying" = begun ? "thinking" : "before"
  let held = ""
  let afterTag = begun
  let taken = 0
  let saidFrom: number | null = null

  const withoutBlanks = (text: string): string => {
    const rest = afterTag ? text.trimStart() : text
    if (rest !== "") afterTag = false
    return rest
  }

  const say = (text: string): Divided => {
    const said = withoutBlanks(text)
    if (said !== "") saidFrom ??= taken - said.length
    return { reasoning: "", text: said }
  }

  const think = (text: string): Divided => {
    const end = text.indexOf(close)
    if (end < 0) {
      const shown = text.length - beginsClose(text)
      held = text.slice(shown)
      return { reasoning: withoutBlanks(text.slice(0, shown)), text: "" }
    }
    state = "saying"
    const reasoning = withoutBlanks(text.slice(0, end))
    afterTag = true
    return { reasoning, text: say(text.slice(end + close.length)).text }
  }

  const begin = (text: string): Divided => {
    const start = text.trimStart()
    if (start.startsWith(open)) {
      state = "thinking"
      afterTag = true
      return think(start.slice(open.length))
    }
    if (open.startsWith(start) && text.length < mostBlanks) {
      held = text
      return { reasoning: "", text: "" }
    }
    state = "saying"
    return say(text)
  }

  return {
    push: (piece) => {
      taken += piece.length
      const text = held + piece
      held = ""
      return state === "saying" ? say(text) : state === "thinking" ? think(text) : begin(text)
    },
    flush: () => {
      const text = held
      held = ""
      return state === "thinking" ? { reasoning: withoutBlanks(text), text: "" } : say(text)
    },
    saidFrom: () => saidFrom
  }
}
