import { type Delta, makeStopFilter, type TextPiece } from "@trunkline/models"

/** Emits what a model writes as the deltas of an answer. */
export interface Writer {
  readonly thought: (text: string) => void
  readonly text: (text: string) => void
  /** Starts a tool request; the following `args` belong to it. */
  readonly call: (name: string) => void
  readonly args: (text: string) => void
  /** Emits text that was held back because it could have become a stop sequence. */
  readonly flush: () => void
  /** True once a stop sequence was found. Neither it nor anything after it is emitted. */
  readonly isStopped: () => boolean
}

/** Settings of a writer. */
export interface WriterOptions {
  readonly emit: (delta: Delta) => void
  readonly stop: ReadonlyArray<string>
  /** Number in the id of the first tool request. */
  readonly firstCall: number
  /** True when the text continues text of the conversation; otherwise leading whitespace is dropped. */
  readonly continuesText: boolean
}

/** Makes a writer for one answer. Thoughts after the first text are dropped, because they do not lead to it. */
export const makeWriter = ({ emit, firstCall, continuesText, stop }: WriterOptions): Writer => {
  const filter = makeStopFilter(stop)
  let calls = 0
  let hasBegun = continuesText

  const emitText = (piece: TextPiece | null) => {
    if (piece !== null && piece.text !== "") emit({ _tag: "Text", text: piece.text })
  }

  return {
    thought: (text) => {
      if (text !== "" && !hasBegun && !filter.isStopped()) emit({ _tag: "Reasoning", text })
    },
    text: (text) => {
      const rest = hasBegun ? text : text.trimStart()
      if (rest === "") return
      hasBegun = true
      emitText(filter.push({ text: rest }))
    },
    call: (name) => {
      hasBegun = true
      emitText(filter.flush())
      if (filter.isStopped()) return
      emit({ _tag: "ToolStart", index: calls, id: `call_${firstCall + calls}`, name })
      calls++
    },
    args: (text) => {
      if (text !== "" && !filter.isStopped()) emit({ _tag: "ToolArgs", index: calls - 1, text })
    },
    flush: () => emitText(filter.flush()),
    isStopped: () => filter.isStopped()
  }
}
