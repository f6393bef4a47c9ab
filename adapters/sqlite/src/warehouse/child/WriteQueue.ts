import type { WriteOutcome, WriteReply, WriteRequest } from "../Messages.js"

/** Time that a request waits for another process that has locked its file, in milliseconds. */
const lockTimeoutMillis = 5_000

/** Functions of a queue. */
export interface WriteQueueOptions {
  /** Does a request, or reports that the file is locked, without waiting. */
  readonly perform: (request: WriteRequest) => WriteOutcome
  readonly reply: (reply: WriteReply) => void
  /** Monotonic time, in milliseconds. */
  readonly now: () => number
}

interface QueuedRequest {
  readonly request: WriteRequest
  readonly deadline: number
}

/** Code of an outcome of a locked file; undefined for any other outcome. */
const lockCode = (outcome: WriteOutcome): string | undefined =>
  "code" in outcome && outcome.code.startsWith("SQLITE_BUSY") ? outcome.code : undefined

/**
 * Does requests in order of arrival. Those for a file that another process has locked wait, without delaying those for
 * other files; each fails 5 seconds after it arrived.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions
  /** Waiting requests by file, in order of arrival; no list is empty. */
  readonly #waiting = new Map<string, Array<QueuedRequest>>()

  constructor(options: WriteQueueOptions) {
    this.#options = options
  }

  /** Does a request, or queues it; true while requests wait. */
  submit(request: WriteRequest): boolean {
    const entry = { request, deadline: this.#options.now() + lockTimeoutMillis }
    const queue = this.#waiting.get(request.file)
    if (queue === undefined) this.#advance(request.file, [entry])
    else queue.push(entry)
    return this.#waiting.size > 0
  }

  /** Tries waiting requests again; true while requests wait. */
  retry(): boolean {
    for (const [file, queue] of this.#waiting) this.#advance(file, queue)
    return this.#waiting.size > 0
  }

  /** Does the waiting requests of a file, or fails those at their deadline while the file is locked. */
  #advance(file: string, queue: ReadonlyArray<QueuedRequest>): void {
    const now = this.#options.now()
    const rest = [...queue]
    let code: string | undefined
    for (const { deadline, request } of queue) {
      const outcome = code === undefined ? this.#options.perform(request) : { fault: "Unwritable" as const, code }
      code ??= lockCode(outcome)
      if (code !== undefined && deadline > now) break
      rest.shift()
      this.#options.reply({ id: request.id, outcome })
    }
    if (rest.length > 0) this.#waiting.set(file, rest)
    else this.#waiting.delete(file)
  }
}
