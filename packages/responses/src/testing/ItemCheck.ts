import { Schema } from "effect"
import type { DeltaEvent, StepEvent } from "../events/ResponseEvent.js"
import { OutputItem } from "../resource/OutputItem.js"

type Kind = "output_text" | "refusal" | "summary_text" | "arguments"

interface Text {
  readonly kind: Kind
  text: string
  /** True after its done event. */
  ended: boolean
}

interface Item {
  readonly added: OutputItem
  /** Its parts or its arguments, as far as they were written. */
  readonly texts: Array<Text>
  /** True while the last of its texts may still grow. */
  open: boolean
}

/** Assembles the items of a stream event by event, as a client does. */
interface ItemCheck {
  readonly check: (event: StepEvent | DeltaEvent) => void
  /** The finished items. */
  readonly done: () => ReadonlyArray<OutputItem>
  /** The item in progress, as far as it got; null when there is none. */
  readonly open: () => OutputItem | null
}

const same = Schema.equivalence(OutputItem)

const assemble = ({ added, texts }: Item, status: OutputItem["status"]): OutputItem => {
  switch (added.type) {
    case "reasoning":
      return { ...added, status, summary: texts.map(({ text }) => ({ type: "summary_text", text })) }
    case "message":
      return {
        ...added,
        status,
        content: texts.map(({ kind, text }) =>
          kind === "refusal"
            ? { type: kind, refusal: text }
            : { type: "output_text", text, annotations: [], logprobs: [] }
        )
      }
    case "function_call":
      return { ...added, status, arguments: texts.map(({ text }) => text).join("") }
  }
}

const itemTypes = {
  output_text: "message",
  refusal: "message",
  summary_text: "reasoning",
  arguments: "function_call"
} as const

const textOf = (part: { readonly text: string } | { readonly refusal: string }) =>
  "refusal" in part ? part.refusal : part.text

/** Checks that items, parts and texts are nested, numbered and consistent. */
export const makeItemCheck = (fault: (msg: string) => void): ItemCheck => {
  const finishedItems: Array<OutputItem> = []
  let item: Item | null = null

  /** The open item, which the event must belong to. */
  const openItem = (event: { readonly item_id: string; readonly output_index: number }): Item | null => {
    if (item === null) {
      fault("no item is open")
      return null
    }
    if (event.item_id !== item.added.id) fault("item_id is not that of the open item")
    if (event.output_index !== finishedItems.length) fault("output_index is not that of the open item")
    return item
  }

  const add = ({ item: added, output_index }: Extract<StepEvent, { type: "response.output_item.added" }>) => {
    if (item !== null) fault("the item before it is not done")
    if (output_index !== finishedItems.length) fault("output_index does not follow the one before")
    if (finishedItems.some(({ id }) => id === added.id)) fault("the id of the item was used before")
    const isCall = added.type === "function_call"
    item = { added, texts: isCall ? [{ kind: "arguments", text: "", ended: false }] : [], open: isCall }
    if (!same(added, assemble(item, "in_progress"))) fault("the item is not empty and in progress")
    if (isCall && (added.name === "" || added.call_id === "")) fault("the call has no name or call_id")
  }

  const addText = (open: Item | null, { index, kind, text }: {
    readonly kind: Kind
    readonly index: number
    readonly text: string
  }) => {
    if (open === null) return
    if (open.open) fault("the part before it is not done")
    if (open.added.type !== itemTypes[kind]) fault("the part is not one of such an item")
    if (index !== open.texts.length) fault("the index of the part does not follow the one before")
    if (text !== "") fault("the part is not empty")
    open.texts.push({ kind, text: "", ended: false })
    open.open = true
  }

  /** The open text, which the event must belong to. */
  const openText = (open: Item | null, kind: Kind, index: number): Text | null => {
    const text = open?.texts.at(-1)
    if (open === null || text === undefined || !open.open || text.kind !== kind) {
      fault(`no part of the kind ${kind} is open`)
      return null
    }
    if (index !== open.texts.length - 1) fault("the index is not that of the open part")
    if (text.ended) fault("the text is done already")
    return text
  }

  const grow = (text: Text | null, delta: string) => {
    if (text !== null) text.text += delta
  }

  const endText = (text: Text | null, whole: string) => {
    if (text === null) return
    if (whole !== text.text) fault("the text is not what its deltas make up")
    text.ended = true
  }

  const endPart = (open: Item | null, index: number, whole: string) => {
    const text = open?.texts.at(-1)
    if (open === null || text === undefined || !open.open) return fault("no part is open")
    if (!text.ended) fault("the text of the part is not done")
    if (index !== open.texts.length - 1) fault("the index is not that of the open part")
    if (whole !== text.text) fault("the part is not what its deltas make up")
    open.open = false
  }

  const end = ({ item: whole, output_index }: Extract<StepEvent, { type: "response.output_item.done" }>) => {
    const open = openItem({ item_id: whole.id, output_index })
    if (open === null) return
    const isCall = open.added.type === "function_call"
    if (isCall ? !open.texts.every(({ ended }) => ended) : open.open) fault("a part of the item is not done")
    if (whole.status === "in_progress") fault("the item is still in progress")
    if (!same(whole, assemble(open, whole.status))) fault("the item is not what its events make up")
    finishedItems.push(whole)
    item = null
  }

  const check = (event: StepEvent | DeltaEvent): void => {
    switch (event.type) {
      case "response.output_item.added":
        return add(event)
      case "response.content_part.added":
        return addText(openItem(event), {
          kind: event.part.type,
          index: event.content_index,
          text: textOf(event.part)
        })
      case "response.reasoning_summary_part.added":
        return addText(openItem(event), { kind: "summary_text", index: event.summary_index, text: event.part.text })
      case "response.output_text.delta":
        return grow(openText(openItem(event), "output_text", event.content_index), event.delta)
      case "response.refusal.delta":
        return grow(openText(openItem(event), "refusal", event.content_index), event.delta)
      case "response.reasoning_summary_text.delta":
        return grow(openText(openItem(event), "summary_text", event.summary_index), event.delta)
      case "response.function_call_arguments.delta":
        return grow(openText(openItem(event), "arguments", 0), event.delta)
      case "response.output_text.done":
        return endText(openText(openItem(event), "output_text", event.content_index), event.text)
      case "response.refusal.done":
        return endText(openText(openItem(event), "refusal", event.content_index), event.refusal)
      case "response.reasoning_summary_text.done":
        return endText(openText(openItem(event), "summary_text", event.summary_index), event.text)
      case "response.function_call_arguments.done": {
        const open = openItem(event)
        if (open?.added.type === "function_call" && open.added.name !== event.name) fault("the name is another one")
        return endText(openText(open, "arguments", 0), event.arguments)
      }
      case "response.content_part.done":
        return endPart(openItem(event), event.content_index, textOf(event.part))
      case "response.reasoning_summary_part.done":
        return endPart(openItem(event), event.summary_index, event.part.text)
      case "response.output_item.done":
        return end(event)
    }
  }

  return {
    check,
    done: () => finishedItems,
    open: () => item === null ? null : assemble(item, "incomplete")
  }
}
