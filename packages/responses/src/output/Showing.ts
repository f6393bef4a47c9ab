import type { OutputItem } from "../resource/OutputItem.js"
import type { Part } from "./Slot.js"

/** A part, and where it stands. */
export interface PartPlace {
  readonly part: Part
  /** The tool whose arguments it is; empty of other parts. */
  readonly name: string
  readonly itemId: string
  /** The place of its item in the output. */
  readonly outputIndex: number
  /** Its own place in its item. */
  readonly partIndex: number
}

/**
 * Is told how an output grows: one item after the other, in each one part after the other, and in each its text. What
 * was added is done before the next one of its kind is added.
 */
export interface Showing {
  readonly itemAdded: (outputIndex: number, item: OutputItem) => void
  readonly partAdded: (place: PartPlace) => void
  /** The part that was added last has got some text. */
  readonly grown: (text: string) => void
  readonly partDone: (place: PartPlace) => void
  readonly itemDone: (outputIndex: number, item: OutputItem) => void
}

const nothing = () => {}

/** Nobody looks while the output grows. */
export const unseen: Showing = {
  itemAdded: nothing,
  partAdded: nothing,
  grown: nothing,
  partDone: nothing,
  itemDone: nothing
}
