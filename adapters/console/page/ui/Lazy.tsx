import { useSignal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import { Skeleton } from "./Card.js"
import { Note } from "./Note.js"

/** A component whose script is loaded when it is first shown. */
export const lazy = (load: () => Promise<ComponentType>): ComponentType => {
  let loaded: ComponentType | undefined
  return () => {
    const view = useSignal(loaded)
    const isBroken = useSignal(false)
    useEffect(() => {
      if (view.peek() !== undefined) return
      load().then(
        (component) => {
          loaded = component
          view.value = component
        },
        () => (isBroken.value = true)
      )
    }, [])
    if (isBroken.value) {
      return (
        <Note kind="bad">
          <p>This page could not be loaded. The server does not answer, or was upgraded.</p>
          <div><button class="button small" onClick={() => location.reload()}>Load again</button></div>
        </Note>
      )
    }
    const View = view.value
    return View === undefined ? <Skeleton lines={6} /> : <View />
  }
}
