import { type JsonEndDetector, makeJsonEndDetector } from "@trunkline/kernel"
import type { ItemStatus, OutputItem, OutputPart } from "../resource/OutputItem.js"

/** The kind of a text that the model streams. */
export type PartKind = "summary_text" | "output_text" | "refusal" | "arguments"

/** A text in progress. */
export interface Part {
  readonly kind: PartKind
  text: string
}

/** A reasoning item or a message in progress. */
export interface TextSlot {
  readonly type: "reasoning" | "message"
  readonly parts: Array<Part>
}

/** A call in progress; its arguments are its only part. */
interface CallSlot {
  readonly type: "function_call"
  readonly parts: Array<Part>
  readonly callId: string
  readonly name: string
  readonly end: JsonEndDetector
}

/** An item in progress. */
export type OutputSlot = TextSlot | CallSlot

/** A call without arguments yet. */
export const callSlot = (callId: string, name: string): CallSlot => ({
  type: "function_call",
  parts: [{ kind: "arguments", text: "" }],
  callId,
  name,
  end: makeJsonEndDetector()
})

/** True for an item that cannot grow any more once another one has begun. */
export const isOver = (slot: OutputSlot): boolean => slot.type !== "function_call" || slot.end.isAtEnd()

const prefixes = { reasoning: "rs", message: "msg", function_call: "fc" } as const

/** The id of the item at an index of a response's output. */
export const itemId = ({ type }: OutputSlot, responseId: string, index: number): string =>
  `${prefixes[type]}_${responseId}_${index}`

/** Converts a text to a part of a message. */
export const toOutputPart = ({ kind, text }: Part): OutputPart =>
  kind === "refusal" ? { type: kind, refusal: text } : { type: "output_text", text, annotations: [], logprobs: [] }

/** Converts a text to a part of a reasoning item. */
export const toSummaryText = ({ text }: Part) => ({ type: "summary_text", text }) as const

/** Converts a slot to an item with the given parts. */
export const toOutputItem = (
  slot: OutputSlot,
  { id, parts, status }: { readonly id: string; readonly parts: ReadonlyArray<Part>; readonly status: ItemStatus }
): OutputItem => {
  switch (slot.type) {
    case "reasoning":
      return { type: slot.type, id, status, summary: parts.map(toSummaryText) }
    case "message":
      return { type: slot.type, id, status, role: "assistant", content: parts.map(toOutputPart) }
    case "function_call":
      return {
        type: slot.type,
        id,
        status,
        call_id: slot.callId,
        name: slot.name,
        arguments: parts.map(({ text }) => text).join("")
      }
  }
}
