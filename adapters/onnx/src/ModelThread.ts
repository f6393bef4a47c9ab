import { entryBeside, startThread } from "@trunkline/workers"
import { Deferred, Effect, FiberId, Schema, type Scope } from "effect"
import { type ModelFiles, ModelFileUnavailable } from "./ModelFiles.js"

/** Kinds of models that a thread runs. */
export type ModelKind = "silero" | "smart-turn"

/** Files and kind of a thread's model. */
export interface ThreadModel extends ModelFiles {
  readonly kind: ModelKind
}

/** Message of a thread. `Foreign` says what the file is instead of the model; `Broken` has the kind of an error. */
const ThreadReply = Schema.Union(
  Schema.TaggedStruct("Answer", {
    call: Schema.Number,
    query: Schema.Number,
    probabilities: Schema.Array(Schema.Number)
  }),
  Schema.TaggedStruct("Ready", {}),
  Schema.TaggedStruct("Foreign", { is: Schema.String }),
  Schema.TaggedStruct("Broken", { kind: Schema.String })
)
export type ThreadReply = typeof ThreadReply.Type

/** Order to a thread: a request of its model, or to forget a call. */
export type ThreadOrder<Request> =
  | { readonly _tag: "Hear"; readonly request: Request }
  | { readonly _tag: "Forget"; readonly call: number }

const isReply = Schema.is(ThreadReply)

/** Takes the probabilities of a request, with the number of the query that they belong to. */
export type OnAnswer = (query: number, probabilities: ReadonlyArray<number>) => void

/** A thread with a model, for all calls. */
export interface ModelThread<Request> {
  /** Begins a call; returns its number. */
  readonly begin: (onAnswer: OnAnswer) => number
  /** Asks about a call. Nothing is answered once the thread has broken. */
  readonly ask: (request: Request) => void
  readonly end: (call: number) => void
}

/** Time within which a model must load, which takes a third of a second on an idle core. */
const loadTimeout = "30 seconds"

/** Module that the thread runs. */
const workerEntry = entryBeside(import.meta.url, "worker")

/**
 * Starts a thread and loads a model in it, for the duration of the scope. A file of another kind, for which `advice` is the next
 * step, or a runtime that does not load, is `ModelUnavailable`. `onBroken` is called once when the thread breaks later.
 */
export const startModelThread = <Request>(
  files: ThreadModel,
  { advice, onBroken }: { readonly advice: string; readonly onBroken: (kind: string) => void }
): Effect.Effect<ModelThread<Request>, ModelFileUnavailable, Scope.Scope> =>
  Effect.gen(function*() {
    const ready = Deferred.unsafeMake<void, ModelFileUnavailable>(FiberId.none)
    const listeners = new Map<number, OnAnswer>()
    let calls = 0
    let [isReady, isBroken, isOver] = [false, false, false]

    const unavailable = (message: string) => Deferred.unsafeDone(ready, new ModelFileUnavailable({ message }))
    const breakBy = (kind: string): void => {
      if (isBroken || isOver) return
      isBroken = true
      if (isReady) onBroken(kind)
      else unavailable(`onnxruntime-node does not load here (${kind}): install a version that has this platform`)
    }

    const thread = startThread(workerEntry, {
      name: files.kind,
      workerData: files,
      onCrash: ({ kind }) => breakBy(kind),
      onMessage: (message) => {
        if (!isReply(message)) return breakBy("ForeignMessage")
        switch (message._tag) {
          case "Answer":
            return listeners.get(message.call)?.(message.query, message.probabilities)
          case "Ready":
            isReady = true
            return Deferred.unsafeDone(ready, Effect.void)
          case "Foreign":
            return unavailable(`The file ${files.model} ${message.is}: ${advice}`)
          case "Broken":
            return breakBy(message.kind)
        }
      }
    })
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => {
        isOver = true
        return thread.terminate()
      })
    )
    thread.hold(true)
    yield* Deferred.await(ready).pipe(
      Effect.timeoutFail({
        duration: loadTimeout,
        onTimeout: () =>
          new ModelFileUnavailable({ message: `The model ${files.model} did not load within 30 seconds` })
      }),
      Effect.ensuring(Effect.sync(() => thread.hold(false)))
    )

    const post = (order: ThreadOrder<Request>): void => {
      if (!isBroken && !isOver) thread.post(order)
    }
    return {
      begin: (onAnswer) => {
        listeners.set(++calls, onAnswer)
        return calls
      },
      ask: (request) => post({ _tag: "Hear", request }),
      end: (call) => {
        listeners.delete(call)
        post({ _tag: "Forget", call })
      }
    }
  })
