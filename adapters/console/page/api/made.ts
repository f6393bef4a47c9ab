import { signal } from "@preact/signals"

/** A request that this page has made, for showing it as curl and as code. */
export interface MadeRequest {
  readonly method: string
  readonly url: string
  readonly body: RequestInit["body"]
  /** Method of the client, such as `campaigns.list`. */
  readonly operation: string
  /** Arguments of the method. */
  readonly given: ReadonlyArray<unknown>
}

const shown = 8

/** The latest requests of the present page, newest first, each operation once. */
export const madeRequests = signal<ReadonlyArray<MadeRequest>>([])

/** Adds a request to those of the page. */
export const note = (made: MadeRequest): void => {
  const others = madeRequests.peek().filter(({ operation }) => operation !== made.operation)
  madeRequests.value = [made, ...others].slice(0, shown)
}
