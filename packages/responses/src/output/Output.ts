import type { AnswerEvent, FinishReason } from "@trunkline/models"
import type { ItemStatus, OutputItem } from "../resource/OutputItem.js"
import type { Showing } from "./Showing.js"
import { callSlot, isOver, itemId, itemShown, type Part, type PartKind, type Slot, type WordSlot } from "./Slot.js"

/** A piece of an answer. */
export type Piece = Extract<AnswerEvent, { readonly _tag: "Piece" }>["delta"]

/** Which thoughts of a model are put out: one at least, be it empty; those that there are; or none. */
export type ReasoningShown = "always" | "given" | "never"

/** The output of a response, as it is written. */
export interface Output {
  /** Adds a piece. The last one is a `Finish`. */
  readonly push: (piece: Piece) => void
  /** The items that are there; one that is still being written counts as incomplete. */
  readonly items: () => ReadonlyArray<OutputItem>
}

const isWithoutArguments = ({ parts, type }: Slot) => type === "function_call" && parts.every(({ text }) => text === "")

const isCut = (reason: FinishReason) => reason === "length" || reason === "content_filter"

/** What a model thought that does not say. */
const thought = (): WordSlot => ({ type: "reasoning", parts: [{ kind: "summary_text", text: "" }] })
/** What an answer without words says. */
const silence = (): WordSlot => ({ type: "message", parts: [{ kind: "output_text", text: "" }] })

/**
 * Puts the pieces of an answer into items. An item is over when another one begins, but for a call: models may write
 * several at once, and then those that began later wait until the JSON of the earlier is whole, or the answer is. An
 * answer that was cut short ends with the first item that is not whole.
 */
export const makeOutput = (
  { reasoning, responseId }: { readonly reasoning: ReasoningShown; readonly responseId: string },
  showing: Showing
): Output => {
  const slots: Array<Slot> = []
  /** Where the calls stand among the slots, by the numbers that the model gave them. */
  const calls = new Map<number, number>()
  /** The items that are over. The slot after them is the one that is shown, if `open`. */
  const done: Array<OutputItem> = []
  let open = false

  const itemOf = (slot: Slot, status: ItemStatus, parts: ReadonlyArray<Part> = slot.parts) =>
    itemShown(slot, { id: itemId(slot, responseId, done.length), parts, status })

  const placeOf = (slot: Slot, part: Part, partIndex: number) => ({
    part,
    name: slot.type === "function_call" ? slot.name : "",
    itemId: itemId(slot, responseId, done.length),
    outputIndex: done.length,
    partIndex
  })

  const endPart = (slot: Slot, partIndex: number) => {
    const part = slot.parts[partIndex]
    if (part !== undefined) showing.partDone(placeOf(slot, part, partIndex))
  }

  const show = (slot: Slot) => {
    open = true
    showing.itemAdded(done.length, itemOf(slot, "in_progress", []))
    for (const [index, part] of slot.parts.entries()) {
      endPart(slot, index - 1)
      showing.partAdded(placeOf(slot, part, index))
      if (part.text !== "") showing.grown(part.text)
    }
  }

  const grow = (position: number, kind: PartKind, text: string) => {
    const slot = slots[position]
    if (slot === undefined || text === "") return
    const isShown = open && position === done.length
    const last = slot.parts.at(-1)
    if (last?.kind === kind) {
      last.text += text
    } else {
      if (isShown) endPart(slot, slot.parts.length - 1)
      const part = { kind, text }
      slot.parts.push(part)
      if (isShown) showing.partAdded(placeOf(slot, part, slot.parts.length - 1))
    }
    if (isShown) showing.grown(text)
    if (slot.type === "function_call") slot.end.push(text)
  }

  const close = (slot: Slot, status: ItemStatus) => {
    if (status === "completed" && isWithoutArguments(slot)) grow(done.length, "arguments", "{}")
    endPart(slot, slot.parts.length - 1)
    const item = itemOf(slot, status)
    showing.itemDone(done.length, item)
    done.push(item)
    open = false
  }

  /** Shows what may be shown: everything up to the first item that something may still be added to. */
  const advance = () => {
    for (let slot = slots[done.length]; slot !== undefined; slot = slots[done.length]) {
      if (!open) show(slot)
      if (slots.length === done.length + 1 || !isOver(slot)) return
      close(slot, "completed")
    }
  }

  const begin = (slot: Slot) => {
    if (reasoning === "always" && slots.length === 0 && slot.type !== "reasoning") slots.push(thought())
    slots.push(slot)
    advance()
  }

  const write = (type: WordSlot["type"], kind: PartKind, text: string) => {
    if (text === "") return
    if (slots.at(-1)?.type !== type) begin({ type, parts: [] })
    grow(slots.length - 1, kind, text)
  }

  const finish = (reason: FinishReason) => {
    const cut = isCut(reason)
    if (!cut && !slots.some(({ type }) => type !== "reasoning")) begin(silence())
    if (slots.length === 0 && reasoning === "always") begin(thought())
    for (let slot = slots[done.length]; slot !== undefined; slot = slots[done.length]) {
      if (!open) show(slot)
      const isLast = slots.length === done.length + 1 || (cut && !isOver(slot))
      close(slot, cut && isLast ? "incomplete" : "completed")
      if (isLast) return
    }
  }

  const startCall = ({ id, index, name }: Extract<Piece, { readonly _tag: "ToolStart" }>) => {
    begin(callSlot(id === "" ? `call_${responseId}_${slots.length}` : id, name))
    calls.set(index, slots.length - 1)
  }

  const push = (piece: Piece): void => {
    switch (piece._tag) {
      case "Text":
        return write("message", "output_text", piece.text)
      case "Refusal":
        return write("message", "refusal", piece.text)
      case "Reasoning":
        return reasoning === "never" ? undefined : write("reasoning", "summary_text", piece.text)
      case "ToolStart":
        return startCall(piece)
      case "ToolArgs":
        grow(calls.get(piece.index) ?? -1, "arguments", piece.text)
        return advance()
      case "Finish":
        return finish(piece.reason)
    }
  }

  return {
    push,
    items: () => {
      const slot = slots[done.length]
      return slot !== undefined && open ? [...done, itemOf(slot, "incomplete")] : [...done]
    }
  }
}
