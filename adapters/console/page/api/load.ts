import { type Signal, useSignal } from "@preact/signals"
import type { TrunklineError } from "@trunkline/client"
import { useEffect } from "preact/hooks"
import { failureOf, isOfTheMoment, refusalPause } from "./failure.js"

/** Data of a page, with the state of its request. Old data stays while newer data is loaded, also when that fails. */
export interface Loaded<A> {
  readonly data: A | undefined
  readonly failure: TrunklineError | undefined
  readonly isLoading: boolean
  /** Time of the data, in epoch milliseconds. */
  readonly at: number
}

export interface Load<A> {
  readonly state: Signal<Loaded<A>>
  readonly reload: () => void
}

/**
 * Loads something when a page opens, again when `keys` change, and every `everyMillis` while the tab is visible. Requests that
 * were replaced are aborted by their result being ignored, so that a late answer never overwrites a newer one.
 */
export const useLoad = <A>(
  load: () => Promise<A>,
  keys: ReadonlyArray<unknown>,
  { everyMillis }: { readonly everyMillis?: number } = {}
): Load<A> => {
  const state = useSignal<Loaded<A>>({ data: undefined, failure: undefined, isLoading: true, at: 0 })
  const round = useSignal(0)
  const run = async (present: number, isCurrent: () => boolean) => {
    try {
      const data = await load()
      if (isCurrent() && present === round.peek()) {
        state.value = { data, failure: undefined, isLoading: false, at: Date.now() }
      }
    } catch (error) {
      if (!isCurrent() || present !== round.peek()) return
      if (isOfTheMoment(error)) {
        setTimeout(() => isCurrent() && present === round.peek() && void run(present, isCurrent), refusalPause)
        return
      }
      state.value = { ...state.peek(), failure: failureOf(error), isLoading: false }
    }
  }
  const start = (isCurrent: () => boolean) => {
    round.value = round.peek() + 1
    state.value = { ...state.peek(), isLoading: true }
    return run(round.peek(), isCurrent)
  }
  useEffect(() => {
    let open = true
    let timer: ReturnType<typeof setTimeout> | undefined
    state.value = { data: undefined, failure: undefined, isLoading: true, at: 0 }
    const next = async () => {
      if (document.visibilityState === "visible" || state.peek().data === undefined) await start(() => open)
      if (open && everyMillis !== undefined) timer = setTimeout(() => void next(), everyMillis)
    }
    void next()
    return () => {
      open = false
      clearTimeout(timer)
    }
  }, keys)
  return { state, reload: () => void start(() => true) }
}
