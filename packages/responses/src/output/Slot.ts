import { type JsonEndDetector, makeJsonEndDetector } from "@trunkline/kernel"
import type { ItemStatus, OutputItem, OutputPart } from "../resource/OutputItem.js"

/** What a text is that is written piece by piece. */
export type PartKind = "summary_text" | "output_text" | "refusal" | "arguments"

/** A text that is being written. */
export interface Part {
  readonly kind: PartKind
  text: string
}

/** A thought or a message that is being written. */
export interface WordSlot {
  readonly type: "reasoning" | "message"
  readonly parts: Array<Part>
}

/** A call that is being written; its arguments are its one part. */
export interface CallSlot {
  readonly type: "function_call"
  readonly parts: Array<Part>
  readonly callId: string
  readonly name: string
  readonly end: JsonEndDetector
}

/** An item that is being written. */
export type Slot = WordSlot | CallSlot

/** A call whose arguments are not there yet. */
export const callSlot = (callId: string, name: string): CallSlot => ({
  type: "function_call",
  parts: [{ kind: "arguments", text: "" }],
  callId,
  name,
  end: makeJsonEndDetector()
})

/** Whether nothing can be added to an item any more once another one has begun. */
export const isOver = (slot: Slot): boolean => slot.type !== "function_call" || slot.end.isAtEnd()

const prefixes = { reasoning: "rs", message: "msg", function_call: "fc" } as const

/** The id of an item of a response (shapes 9.4); its `place` is where it stands in the output. */
export const itemId = ({ type }: Slot, responseId: string, place: number): string =>
  `${prefixes[type]}_${responseId}_${place}`

/** A part of a message as it is shown. */
export const partShown = ({ kind, text }: Part): OutputPart =>
  kind === "refusal" ? { type: kind, refusal: text } : { type: "output_text", text, annotations: [], logprobs: [] }

/** A part of a thought as it is shown. */
export const summaryShown = ({ text }: Part) => ({ type: "summary_text", text }) as const

/** An item as it is shown, with those of its parts that are given. */
export const itemShown = (
  slot: Slot,
  { id, parts, status }: { readonly id: string; readonly parts: ReadonlyArray<Part>; readonly status: ItemStatus }
): OutputItem => {
  switch (slot.type) {
    case "reasoning":
      return { type: slot.type, id, status, summary: parts.map(summaryShown) }
    case "message":
      return { type: slot.type, id, status, role: "assistant", content: parts.map(partShown) }
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
