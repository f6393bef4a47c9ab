import { type ChildProcess, entryBeside, startChild } from "@trunkline/sqlite-runners"
import { Data, Effect } from "effect"
import { isWriteAnswer, type WriteAnswer, type WriteRequest, type WriterSettings } from "./Messages.js"

/** The process that writes ends again and again with what it is given to do. */
export class WriterBroke extends Data.TaggedError("WriterBroke") {
  override get message() {
    return "The process that writes the warehouse broke."
  }
}

/** How a task ends. */
export type Written = Effect.Effect<WriteAnswer["outcome"]>

/** How often a task may be what the process was at when it ended. */
const mostTries = 3

/** How long the process may take to close its files, in milliseconds. */
const leaveMillis = 2_000

interface Asked {
  readonly request: WriteRequest
  readonly settle: (outcome: Written) => void
  tries: number
}

/**
 * The child process that writes, one request after the other. It is started on the first request, and again whenever it
 * ended: a request that it did not answer is asked again.
 */
export class WriterProcess {
  readonly #settings: WriterSettings
  /** What was not answered, in the order in which it was asked. */
  readonly #asked = new Map<number, Asked>()
  #child: ChildProcess | undefined
  #lastId = 0
  #isClosed = false

  constructor(settings: WriterSettings) {
    this.#settings = settings
  }

  /** Has a request done. */
  ask(request: Omit<WriteRequest, "id">, settle: Asked["settle"]): void {
    if (this.#isClosed) return settle(Effect.interrupt)
    const id = ++this.#lastId
    const asked = { request: { ...request, id }, settle, tries: 0 }
    this.#asked.set(id, asked)
    if (this.#child === undefined) this.#start()
    else this.#send(this.#child, asked)
  }

  /** Ends the process once it has done what it was asked, and waits until it is gone. */
  async close(): Promise<void> {
    this.#isClosed = true
    const child = this.#child
    if (child === undefined) return
    child.leave()
    const cutOff = setTimeout(child.kill, leaveMillis)
    await child.gone
    clearTimeout(cutOff)
  }

  #send(child: ChildProcess, { request }: Asked): void {
    child.hold(true)
    child.send(request)
  }

  #start(): void {
    const child = startChild(entryBeside(import.meta.url, "writer"), {
      settings: this.#settings,
      onMessage: (message) => {
        if (isWriteAnswer(message)) this.#answered(child, message)
      }
    })
    this.#child = child
    for (const asked of this.#asked.values()) this.#send(child, asked)
    void child.gone.then(() => this.#gone())
  }

  #answered(child: ChildProcess, { id, outcome }: WriteAnswer): void {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    if (this.#asked.size === 0 && !this.#isClosed) child.hold(false)
    asked?.settle(Effect.succeed(outcome))
  }

  #gone(): void {
    this.#child = undefined
    const [first] = this.#asked.values()
    if (first !== undefined && ++first.tries >= mostTries) {
      this.#asked.delete(first.request.id)
      first.settle(Effect.die(new WriterBroke()))
    }
    if (this.#isClosed) this.#interruptAll()
    else if (this.#asked.size > 0) this.#start()
  }

  #interruptAll(): void {
    for (const { settle } of this.#asked.values()) settle(Effect.interrupt)
    this.#asked.clear()
  }
}
