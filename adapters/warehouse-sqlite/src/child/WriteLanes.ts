import type { WriteAnswer, WriteRequest } from "../Messages.js"

/** How long a request waits for another process that has locked its file, in milliseconds. */
const patienceMillis = 5_000

/** What lanes work with. */
export interface WriteLanesParts {
  /** Does what is asked, or says that the file is locked, without a wait. */
  readonly work: (request: WriteRequest) => WriteAnswer["outcome"]
  readonly answer: (answer: WriteAnswer) => void
  /** Milliseconds that never go back. */
  readonly now: () => number
}

interface Waiting {
  readonly request: WriteRequest
  readonly deadline: number
}

/** The code where another process has locked a file; undefined for any other outcome. */
const lockIn = (outcome: WriteAnswer["outcome"]): string | undefined =>
  "code" in outcome && outcome.code.startsWith("SQLITE_BUSY") ? outcome.code : undefined

/**
 * Requests, done in the order in which they come. Those for a file that another process has locked wait, without keeping
 * others from theirs; each is given up 5 seconds after it came.
 */
export class WriteLanes {
  readonly #parts: WriteLanesParts
  /** What waits for each file, in its order; none is empty. */
  readonly #waiting = new Map<string, Array<Waiting>>()

  constructor(parts: WriteLanesParts) {
    this.#parts = parts
  }

  /** Does a request, or has it wait; true while something waits. */
  ask(request: WriteRequest): boolean {
    const waiting = { request, deadline: this.#parts.now() + patienceMillis }
    const lane = this.#waiting.get(request.file)
    if (lane === undefined) this.#advance(request.file, [waiting])
    else lane.push(waiting)
    return this.#waiting.size > 0
  }

  /** Tries what waits; true while something still does. */
  retry(): boolean {
    for (const [file, lane] of this.#waiting) this.#advance(file, lane)
    return this.#waiting.size > 0
  }

  /** Does what waits for a file, unless that is locked: then it gives up what has waited long enough. */
  #advance(file: string, lane: ReadonlyArray<Waiting>): void {
    const now = this.#parts.now()
    const rest = [...lane]
    let code: string | undefined
    for (const { deadline, request } of lane) {
      const outcome = code === undefined ? this.#parts.work(request) : { fault: "Unwritable" as const, code }
      code ??= lockIn(outcome)
      if (code !== undefined && deadline > now) break
      rest.shift()
      this.#parts.answer({ id: request.id, outcome })
    }
    if (rest.length > 0) this.#waiting.set(file, rest)
    else this.#waiting.delete(file)
  }
}
