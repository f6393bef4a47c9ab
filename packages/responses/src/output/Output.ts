import type { AnswerEvent, FinishReason } from "@trunkline/models"
import type { ItemStatus, OutputItem } from "../resource/OutputItem.js"
import {
  callSlot,
  isOver,
  itemId,
  type OutputSlot,
  type Part,
  type PartKind,
  type TextSlot,
  toOutputItem
} from "./Slot.js"

/** A delta of an answer. */
export type AnswerDelta = Extract<AnswerEvent, { readonly _tag: "Piece" }>["delta"]

/** The reasoning that a response shows: at least one item, possibly empty; the model's reasoning, if any; or none. */
export type ReasoningVisibility = "always" | "given" | "never"

/** A part, and its position in the output. */
export interface PartPosition {
  readonly part: Part
  /** Name of the tool whose arguments the part is; empty for other parts. */
  readonly name: string
  readonly itemId: string
  /** Index of its item in the output. */
  readonly outputIndex: number
  /** Index of the part in its item. */
  readonly partIndex: number
}

/**
 * Observes an output as it grows: item by item, within each part by part, and within each text by text. Every item and
 * part is done before the next one is added.
 */
export interface OutputListener {
  readonly itemAdded: (outputIndex: number, item: OutputItem) => void
  readonly partAdded: (position: PartPosition) => void
  /** The part that was added last has grown by some text. */
  readonly textAdded: (text: string) => void
  readonly partDone: (position: PartPosition) => void
  readonly itemDone: (outputIndex: number, item: OutputItem) => void
}

const ignore = () => {}

/** A listener that ignores everything, for outputs that are only read at the end. */
export const silentListener: OutputListener = {
  itemAdded: ignore,
  partAdded: ignore,
  textAdded: ignore,
  partDone: ignore,
  itemDone: ignore
}

/** The output of a response in progress. */
interface Output {
  /** Adds a delta. The last one is a `Finish`. */
  readonly push: (delta: AnswerDelta) => void
  /** The items so far; one in progress has the status `incomplete`. */
  readonly items: () => ReadonlyArray<OutputItem>
}

const isWithoutArguments = ({ parts, type }: OutputSlot) =>
  type === "function_call" && parts.every(({ text }) => text === "")

const isTruncation = (reason: FinishReason) => reason === "length" || reason === "content_filter"

/** Stands for reasoning that the model does not reveal. */
const emptyReasoning = (): TextSlot => ({ type: "reasoning", parts: [{ kind: "summary_text", text: "" }] })
/** The message of an answer without text. */
const emptyMessage = (): TextSlot => ({ type: "message", parts: [{ kind: "output_text", text: "" }] })

/**
 * Assembles the deltas of an answer into items. An item ends when another one begins, except for calls: models may write
 * several at once, and later items are held back until the JSON of the earlier call is complete, or the answer is. A
 * truncated answer ends with its first incomplete item.
 */
export const makeOutput = (
  { reasoning, responseId }: { readonly reasoning: ReasoningVisibility; readonly responseId: string },
  listener: OutputListener
): Output => {
  const slots: Array<OutputSlot> = []
  /** Indices of the calls in `slots`, by the index that the model gave them. */
  const calls = new Map<number, number>()
  /** The finished items. The slot after them is visible to the listener if `open`. */
  const finishedItems: Array<OutputItem> = []
  let open = false

  const itemOf = (slot: OutputSlot, status: ItemStatus, parts: ReadonlyArray<Part> = slot.parts) =>
    toOutputItem(slot, { id: itemId(slot, responseId, finishedItems.length), parts, status })

  const positionOf = (slot: OutputSlot, part: Part, partIndex: number) => ({
    part,
    name: slot.type === "function_call" ? slot.name : "",
    itemId: itemId(slot, responseId, finishedItems.length),
    outputIndex: finishedItems.length,
    partIndex
  })

  const endPart = (slot: OutputSlot, partIndex: number) => {
    const part = slot.parts[partIndex]
    if (part !== undefined) listener.partDone(positionOf(slot, part, partIndex))
  }

  const show = (slot: OutputSlot) => {
    open = true
    listener.itemAdded(finishedItems.length, itemOf(slot, "in_progress", []))
    for (const [index, part] of slot.parts.entries()) {
      endPart(slot, index - 1)
      listener.partAdded(positionOf(slot, part, index))
      if (part.text !== "") listener.textAdded(part.text)
    }
  }

  const grow = (index: number, kind: PartKind, text: string) => {
    const slot = slots[index]
    if (slot === undefined || text === "") return
    const isVisible = open && index === finishedItems.length
    const last = slot.parts.at(-1)
    if (last?.kind === kind) {
      last.text += text
    } else {
      if (isVisible) endPart(slot, slot.parts.length - 1)
      const part = { kind, text }
      slot.parts.push(part)
      if (isVisible) listener.partAdded(positionOf(slot, part, slot.parts.length - 1))
    }
    if (isVisible) listener.textAdded(text)
    if (slot.type === "function_call") slot.end.push(text)
  }

  const close = (slot: OutputSlot, status: ItemStatus) => {
    if (status === "completed" && isWithoutArguments(slot)) grow(finishedItems.length, "arguments", "{}")
    endPart(slot, slot.parts.length - 1)
    const item = itemOf(slot, status)
    listener.itemDone(finishedItems.length, item)
    finishedItems.push(item)
    open = false
  }

  /** Makes everything visible up to the first item that may still grow. */
  const advance = () => {
    for (let slot = slots[finishedItems.length]; slot !== undefined; slot = slots[finishedItems.length]) {
      if (!open) show(slot)
      if (slots.length === finishedItems.length + 1 || !isOver(slot)) return
      close(slot, "completed")
    }
  }

  const begin = (slot: OutputSlot) => {
    if (reasoning === "always" && slots.length === 0 && slot.type !== "reasoning") slots.push(emptyReasoning())
    slots.push(slot)
    advance()
  }

  const write = (type: TextSlot["type"], kind: PartKind, text: string) => {
    if (text === "") return
    if (slots.at(-1)?.type !== type) begin({ type, parts: [] })
    grow(slots.length - 1, kind, text)
  }

  const finish = (reason: FinishReason) => {
    const isTruncated = isTruncation(reason)
    if (!isTruncated && !slots.some(({ type }) => type !== "reasoning")) begin(emptyMessage())
    if (slots.length === 0 && reasoning === "always") begin(emptyReasoning())
    for (let slot = slots[finishedItems.length]; slot !== undefined; slot = slots[finishedItems.length]) {
      if (!open) show(slot)
      const isLast = slots.length === finishedItems.length + 1 || (isTruncated && !isOver(slot))
      close(slot, isTruncated && isLast ? "incomplete" : "completed")
      if (isLast) return
    }
  }

  const startCall = ({ id, index, name }: Extract<AnswerDelta, { readonly _tag: "ToolStart" }>) => {
    begin(callSlot(id === "" ? `call_${responseId}_${slots.length}` : id, name))
    calls.set(index, slots.length - 1)
  }

  const push = (delta: AnswerDelta): void => {
    switch (delta._tag) {
      case "Text":
        return write("message", "output_text", delta.text)
      case "Refusal":
        return write("message", "refusal", delta.text)
      case "Reasoning":
        return reasoning === "never" ? undefined : write("reasoning", "summary_text", delta.text)
      case "ToolStart":
        return startCall(delta)
      case "ToolArgs":
        grow(calls.get(delta.index) ?? -1, "arguments", delta.text)
        return advance()
      case "Finish":
        return finish(delta.reason)
    }
  }

  return {
    push,
    items: () => {
      const slot = slots[finishedItems.length]
      return slot !== undefined && open ? [...finishedItems, itemOf(slot, "incomplete")] : [...finishedItems]
    }
  }
}
