import { type DocumentFile, DocumentReader, DocumentRefused, kindOf, type ReadDocument } from "@trunkline/knowledge"
import { entryBeside, makeWorkerPool, type RequestThread, startRequestThread } from "@trunkline/workers"
import { Duration, Effect, Layer, Schema } from "effect"
import { createRequire } from "node:module"
import { type ReadJob, ReadReply } from "./Messages.js"

/** Limits of the threads that read documents. */
export interface DocumentThreadsOptions {
  /** Longest time that a document may take; 60 seconds by default. */
  readonly timeout?: Duration.DurationInput
  /** Memory by which this process may grow while a document is read, in megabytes; 1,024 by default. */
  readonly megabytes?: number
  /** Tells whether a package is installed; by default Node.js looks for it. */
  readonly isInstalled?: (name: string) => boolean
}

/** Module of the threads. */
const entry = entryBeside(import.meta.url, "worker")

/** Documents that are read at a time, and that may wait. */
const limit = {
  size: 1,
  waiting: 32,
  onFull: () => new DocumentRefused({ message: "Too many documents are being read. Try again in a minute" })
}

/** Time that an idle thread waits for more work before it ends, in milliseconds. */
const idleMillis = 10_000

/** Interval of the looks at the memory, in which a document can be inflated by some 20 MB. */
const memoryLooks = "50 millis"

/** Limit of the JavaScript heap of a thread, in megabytes. */
const heapMegabytes = 512

const { resolve } = createRequire(import.meta.url)

const resolves = (name: string): boolean => {
  try {
    resolve(name)
    return true
  } catch (error) {
    // A package with an `import` condition only cannot be resolved here, and is there.
    return !(error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND")
  }
}

const refuse = (message: string): Effect.Effect<never, DocumentRefused> => new DocumentRefused({ message })

const tooMuch =
  "The document needs too much memory to be read, far more than its size. Save it again from its source, or " +
  "split it into smaller documents"

const brokenText =
  "The document cannot be read: its reader failed. Save it in another of the kinds PDF, HTML, Markdown and text"

/** Fails once this process has grown by some bytes: buffers of a thread do not count against the limit of its heap. */
const untilTooLarge = (bytes: number): Effect.Effect<never, DocumentRefused> =>
  Effect.suspend(() => {
    const most = process.memoryUsage.rss() + bytes
    const look: Effect.Effect<never, DocumentRefused> = Effect.flatMap(
      Effect.sleep(memoryLooks),
      () => process.memoryUsage.rss() > most ? refuse(tooMuch) : look
    )
    return look
  })

type DocumentThread = RequestThread<ReadJob, ReadReply>

const readIn = (thread: DocumentThread, job: ReadJob): Effect.Effect<ReadReply, DocumentRefused> =>
  Effect.catchTag(thread.request(job, [job.bytes.buffer]), "WorkerCrashed", ({ kind }) =>
    Effect.zipRight(
      Effect.logWarning("A thread that reads documents crashed", kind),
      refuse(kind.includes("OUT_OF_MEMORY") ? tooMuch : brokenText)
    ))

const documentOf = (reply: ReadReply): Effect.Effect<ReadDocument, DocumentRefused> => {
  switch (reply._tag) {
    case "Read":
      return Effect.succeed(reply.document)
    case "Refused":
      return refuse(reply.message)
    case "Broken":
      return Effect.zipRight(Effect.logWarning("A document broke its reader", reply.kind), refuse(brokenText))
  }
}

/** Reads documents in worker threads, so that the event loop of the server stays free. */
export const DocumentThreads = {
  /**
   * A `DocumentReader` of PDF, HTML, Markdown and plain text. PDFs need the package `unpdf`, which is loaded with the first of them.
   * A document that takes too long or needs too much memory is refused, and its thread ends.
   *
   * @example
   * const reader = DocumentThreads.layer()
   */
  layer: (
    { isInstalled = resolves, megabytes = 1_024, timeout = "60 seconds" }: DocumentThreadsOptions = {}
  ): Layer.Layer<DocumentReader> =>
    Layer.scoped(
      DocumentReader,
      Effect.map(
        makeWorkerPool({
          start: (): DocumentThread =>
            startRequestThread(entry, {
              name: "documents",
              resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
              decode: Schema.decodeUnknownEither(ReadReply)
            }),
          idleMillis,
          limit
        }),
        ({ use }) => {
          const seconds = Math.ceil(Duration.toSeconds(timeout))
          const late = new DocumentRefused({
            message: `The document takes longer than ${seconds} seconds to read. Split it into smaller documents`
          })
          const read = (file: DocumentFile, current: string | null) => {
            if (kindOf(file) === "pdf" && !isInstalled("unpdf")) {
              return refuse("PDFs need a package that is not installed: npm i unpdf@1.7")
            }
            const { contentType, filename } = file
            return use((thread) =>
              Effect.suspend(() =>
                // The thread gets a copy, as the caller may use the bytes again.
                readIn(thread, { contentType, filename, bytes: Uint8Array.from(file.bytes), current })
              ).pipe(
                Effect.raceFirst(untilTooLarge(megabytes * 2 ** 20)),
                Effect.timeoutFail({ duration: timeout, onTimeout: () => late })
              )
            ).pipe(Effect.flatMap(documentOf))
          }
          return DocumentReader.of({ read })
        }
      )
    )
}
