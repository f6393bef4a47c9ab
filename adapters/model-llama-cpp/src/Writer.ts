import type { Delta } from "@trunkline/models"

/** Passes on what a model writes, as pieces of an answer. */
export interface Writer {
  readonly thought: (text: string) => void
  readonly text: (text: string) => void
  /** A tool is asked for; what comes to `args` belongs to it. */
  readonly call: (name: string) => void
  readonly args: (text: string) => void
  /** Passes on what was held back, because it could have become a stop sequence. */
  readonly flush: () => void
  /** Whether a stop sequence was met: the one that begins first. Neither it nor what comes after it is passed on. */
  readonly stopped: () => boolean
}

/** What a writer is to know. */
export interface WriterOptions {
  readonly emit: (delta: Delta) => void
  readonly stop: ReadonlyArray<string>
  /** The number in the id of the first tool request. */
  readonly firstCall: number
  /** Whether the text goes on with one that stands there; otherwise blanks at its beginning are left out. */
  readonly goesOn: boolean
}

/** Where the first of the stop sequences begins in a text; its length where there is none. */
const firstStop = (text: string, stops: ReadonlyArray<string>): number =>
  Math.min(text.length, ...stops.map((stop) => text.indexOf(stop)).filter((at) => at >= 0))

/** Where in a text a stop sequence may have begun that is not complete; its length where there is none. */
const begunStop = (text: string, stops: ReadonlyArray<string>): number => {
  const longest = Math.max(0, ...stops.map(({ length }) => length))
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
    const end = text.slice(at)
    if (stops.some((stop) => stop.startsWith(end))) return at
  }
  return text.length
}

/** A writer for one answer. Thoughts after the first words are dropped, because they do not lead to them. */
export const makeWriter = ({ emit, firstCall, goesOn, stop }: WriterOptions): Writer => {
  let calls = 0
  let held = ""
  let isMet = false
  let hasBegun = goesOn

  /** Passes on what comes before a place, and holds the rest back; with `isMet` nothing else is ever passed on. */
  const say = (end: number) => {
    const text = held.slice(0, end)
    held = isMet ? "" : held.slice(end)
    if (text !== "") emit({ _tag: "Text", text })
  }

  const flush = () => {
    const first = firstStop(held, stop)
    isMet ||= first < held.length
    say(first)
  }

  return {
    thought: (text) => {
      if (text !== "" && !hasBegun && !isMet) emit({ _tag: "Reasoning", text })
    },
    text: (text) => {
      const words = hasBegun ? text : text.trimStart()
      if (isMet || words === "") return
      hasBegun = true
      held += words
      const first = firstStop(held, stop)
      const begun = begunStop(held, stop)
      isMet = first < held.length && first <= begun
      say(Math.min(first, begun))
    },
    call: (name) => {
      hasBegun = true
      flush()
      if (isMet) return
      emit({ _tag: "ToolStart", index: calls, id: `call_${firstCall + calls}`, name })
      calls++
    },
    args: (text) => {
      if (text !== "" && !isMet) emit({ _tag: "ToolArgs", index: calls - 1, text })
    },
    flush,
    stopped: () => isMet
  }
}
