import type { ComponentChildren } from "preact"
import { useEffect, useErrorBoundary } from "preact/hooks"
import { place } from "../state/location.js"
import { Note } from "./Note.js"

const reasonOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

/** Shows a note in place of a page that fails while it is drawn, until another one is opened. */
export const Boundary = ({ children }: { readonly children: ComponentChildren }) => {
  const [error, reset] = useErrorBoundary()
  const { page, parts } = place.value
  useEffect(reset, [page, parts.join("/")])
  if (error === undefined) return <>{children}</>
  return (
    <Note kind="bad">
      <p>This page could not be shown: {reasonOf(error)}. The server may be of another version than the page.</p>
      <div><button class="button small" onClick={() => location.reload()}>Load again</button></div>
    </Note>
  )
}
