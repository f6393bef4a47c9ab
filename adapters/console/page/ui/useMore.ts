import { type Signal, useSignal } from "@preact/signals"
import type { TrunklineError } from "@trunkline/client"
import { useEffect } from "preact/hooks"
import { failureOf, isOfTheMoment, refusalPause } from "../api/failure.js"

/** A page of a list, and how to ask for the next one; null after the last. */
export interface Part<Item, Next> {
  readonly items: ReadonlyArray<Item>
  readonly next: Next | null
}

interface More<Item> {
  readonly items: ReadonlyArray<Item>
  readonly isLoading: boolean
  readonly isWhole: boolean
  readonly failure: TrunklineError | undefined
}

/**
 * A list that is loaded page by page, as far as somebody scrolls. It begins anew when `keys` change. A list of one page is read
 * again every `everyMillis` while the tab is visible; a longer one would jump below whoever reads it.
 */
export const useMore = <Item, Next>(
  load: (next: Next | null) => Promise<Part<Item, Next>>,
  keys: ReadonlyArray<unknown>,
  { everyMillis }: { readonly everyMillis?: number } = {}
): { readonly state: Signal<More<Item>>; readonly more: () => void; readonly reload: () => void } => {
  const empty: More<Item> = { items: [], isLoading: true, isWhole: false, failure: undefined }
  const state = useSignal(empty)
  const next = useSignal<Next | null>(null)
  const round = useSignal(0)
  const parts = useSignal(0)
  const read = async () => {
    const present = round.peek()
    state.value = { ...state.peek(), isLoading: true }
    try {
      const part = await load(next.peek())
      if (present !== round.peek()) return
      next.value = part.next
      parts.value = parts.peek() + 1
      const items = [...state.peek().items, ...part.items]
      state.value = { items, isLoading: false, isWhole: part.next === null, failure: undefined }
    } catch (error) {
      if (present !== round.peek()) return
      if (isOfTheMoment(error)) {
        setTimeout(() => present === round.peek() && void read(), refusalPause)
        return
      }
      state.value = { ...state.peek(), isLoading: false, failure: failureOf(error) }
    }
  }
  const reload = () => {
    round.value = round.peek() + 1
    next.value = null
    parts.value = 0
    state.value = empty
    void read()
  }
  useEffect(reload, keys)
  const readAgain = async () => {
    if (document.visibilityState !== "visible" || parts.peek() !== 1 || !state.peek().isWhole) return
    const present = round.peek()
    const part = await load(null).catch(() => undefined)
    if (part?.next === null && present === round.peek()) state.value = { ...state.peek(), items: part.items }
  }
  useEffect(() => {
    if (everyMillis === undefined) return
    const timer = setInterval(() => void readAgain(), everyMillis)
    return () => clearInterval(timer)
  }, keys)
  const more = () => {
    const { failure, isLoading, isWhole } = state.peek()
    if (!isLoading && !isWhole && failure === undefined) void read()
  }
  return { state, more, reload }
}
