import { signal } from "@preact/signals"

/** A request that this page has made, for showing it as curl and as code. */
export interface PageRequest {
  readonly method: string
  readonly url: string
  readonly body: RequestInit["body"]
  /** Method of the client, such as `campaigns.list`. */
  readonly operation: string
  /** Arguments of the method. */
  readonly args: ReadonlyArray<unknown>
}

const maxShown = 8

/** The latest requests of the present page, newest first, each operation once. */
export const pageRequests = signal<ReadonlyArray<PageRequest>>([])

/** Adds a request to those of the page. */
export const note = (request: PageRequest): void => {
  const others = pageRequests.peek().filter(({ operation }) => operation !== request.operation)
  pageRequests.value = [request, ...others].slice(0, maxShown)
}
