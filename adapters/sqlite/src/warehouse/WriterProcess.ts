import { startProcess, type WorkerProcess } from "@trunkline/workers"
import { Data, Effect, type Scope } from "effect"
import { writerEntry } from "../Children.js"
import {
  isWriteReply,
  type WorkspaceFile,
  type WriteOutcome,
  type WriteReply,
  type WriteRequest,
  type WriteTask
} from "./Messages.js"
import { writerSettings } from "./WorkspaceFiles.js"

/** Defect of a task for which the writer process ends again and again. */
export class WriterBroke extends Data.TaggedError("WriterBroke") {
  override get message() {
    return "The process that writes the warehouse broke."
  }
}

/** Error of a warehouse file that cannot be written. */
export class WarehouseUnwritable extends Data.TaggedError("WarehouseUnwritable")<{
  /** Code of SQLite, such as `SQLITE_FULL`, or `TENANT_ISOLATION_BREACH` for a file of another workspace. */
  readonly reason: string
}> {
  override get message() {
    return `A warehouse file cannot be written: ${this.reason}.`
  }
}

/** Reason of a file that belongs to another workspace. */
export const isolationBreach = "TENANT_ISOLATION_BREACH"

/** True when a file cannot be written because another process keeps it locked. */
export const isLocked = ({ reason }: WarehouseUnwritable): boolean => reason.startsWith("SQLITE_BUSY")

/** Number of times a task may be the first one when the process ends. */
const maxAttempts = 3

/** Time that the process has to close its files, in milliseconds. */
const graceMillis = 2_000

interface PendingRequest {
  readonly request: WriteRequest
  readonly settle: (outcome: Effect.Effect<WriteOutcome>) => void
  attempts: number
}

/**
 * The child process that writes, one request after the other. It starts with the first request, and again whenever it has
 * ended: requests without a reply are sent again.
 */
class WriterProcess {
  /** Requests without a reply, in order of arrival. */
  readonly #pending = new Map<number, PendingRequest>()
  #child: WorkerProcess | undefined
  #lastId = 0
  #isClosed = false

  /** Submits a request. */
  submit(request: Omit<WriteRequest, "id">, settle: PendingRequest["settle"]): void {
    if (this.#isClosed) return settle(Effect.interrupt)
    const id = ++this.#lastId
    const pending = { request: { ...request, id }, settle, attempts: 0 }
    this.#pending.set(id, pending)
    if (this.#child === undefined) this.#start()
    else this.#send(this.#child, pending)
  }

  /** Ends the process once it has done its requests, and waits until it is gone. */
  async close(): Promise<void> {
    this.#isClosed = true
    const child = this.#child
    if (child === undefined) return
    child.disconnect()
    const timer = setTimeout(child.kill, graceMillis)
    await child.exited
    clearTimeout(timer)
  }

  #send(child: WorkerProcess, { request }: PendingRequest): void {
    child.hold(true)
    child.send(request)
  }

  #start(): void {
    const child = startProcess(writerEntry, {
      settings: writerSettings,
      onMessage: (message) => {
        if (isWriteReply(message)) this.#onReply(child, message)
      }
    })
    this.#child = child
    for (const pending of this.#pending.values()) this.#send(child, pending)
    void child.exited.then(() => this.#onExit())
  }

  #onReply(child: WorkerProcess, { id, outcome }: WriteReply): void {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (this.#pending.size === 0 && !this.#isClosed) child.hold(false)
    pending?.settle(Effect.succeed(outcome))
  }

  #onExit(): void {
    this.#child = undefined
    const [first] = this.#pending.values()
    if (first !== undefined && ++first.attempts >= maxAttempts) {
      this.#pending.delete(first.request.id)
      first.settle(Effect.die(new WriterBroke()))
    }
    if (this.#isClosed) this.#interruptAll()
    else if (this.#pending.size > 0) this.#start()
  }

  #interruptAll(): void {
    for (const { settle } of this.#pending.values()) settle(Effect.interrupt)
    this.#pending.clear()
  }
}

/**
 * Writes the files of all workspaces in a child process, one task after the other. Tasks for a file that another process
 * has locked wait up to 5 seconds, without delaying those for other files.
 */
export interface Writer {
  /** Does a task exactly once, even when the process crashes. Returns the position of the file in the log of facts. */
  readonly write: (workspace: WorkspaceFile, task: WriteTask) => Effect.Effect<number, WarehouseUnwritable>
}

const watermarkOf = (outcome: WriteOutcome): Effect.Effect<number, WarehouseUnwritable> => {
  if ("fault" in outcome) {
    return new WarehouseUnwritable({ reason: "code" in outcome ? outcome.code : isolationBreach })
  }
  return outcome.movedAway === null
    ? Effect.succeed(outcome.watermark)
    : Effect.as(
      Effect.logWarning(`A damaged warehouse file was moved away and is filled anew: ${outcome.movedAway}`),
      outcome.watermark
    )
}

/** Makes a writer that lives as long as the scope. */
export const makeWriter: Effect.Effect<Writer, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => new WriterProcess()),
    (process) => Effect.promise(() => process.close())
  ),
  (process): Writer => ({
    write: (workspace, task) =>
      Effect.flatMap(
        Effect.async<WriteOutcome>((resume) => process.submit({ ...workspace, task }, resume)),
        watermarkOf
      )
  })
)
