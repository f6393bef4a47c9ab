import type { Operation } from "@trunkline/http-api"
import type { Invoke, MethodArguments } from "./Invocation.js"

/** A page of a list: by offset, or by cursors. */
interface Page {
  readonly items: ReadonlyArray<unknown>
  readonly total?: number
  readonly offset?: number
  readonly cursors?: { readonly after: string | null }
}

const isPage = (value: unknown): value is Page =>
  typeof value === "object" && value !== null && "items" in value && Array.isArray(value.items)

/** The part of the query that asks for the page after one; null after the last page. */
const nextOf = ({ cursors, items, offset = 0, total = 0 }: Page): Readonly<Record<string, unknown>> | null => {
  if (cursors !== undefined) return cursors.after === null ? null : { after: cursors.after, before: undefined }
  const next = offset + items.length
  return items.length > 0 && next < total ? { offset: next } : null
}

/** Position of the query among the arguments of a method. */
const queryIndex = ({ body, parameters }: Operation) => parameters.length + (body === "none" ? 0 : 1)

/** Lists the items of this page and of all that follow. */
async function* itemsFrom(
  invoke: Invoke,
  operation: Operation,
  { first, given }: { readonly first: Promise<unknown>; readonly given: MethodArguments }
): AsyncGenerator {
  const at = queryIndex(operation)
  const query = given[at]
  let page = await first
  for (;;) {
    if (!isPage(page)) return
    yield* page.items
    const next = nextOf(page)
    if (next === null) return
    const nextArgs = [...given]
    nextArgs[at] = { ...typeof query === "object" ? query : {}, ...next }
    page = await invoke(operation, nextArgs)
  }
}

/**
 * Runs an operation that returns a page. The promise resolves with the page, and iterates over its items and those of the
 * pages that follow.
 */
export const pagePromise = (invoke: Invoke, operation: Operation, args: MethodArguments): Promise<unknown> => {
  const first = invoke(operation, args)
  // A rejection reaches those who await the page or iterate over it; it must not end the process before.
  first.catch(() => undefined)
  return Object.assign(first, { [Symbol.asyncIterator]: () => itemsFrom(invoke, operation, { first, given: args }) })
}
