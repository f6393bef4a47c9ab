import { type Scope, scopeKey } from "@trunkline/kernel"
import {
  DocumentId,
  type FoundPassage,
  type IndexedDocument,
  IndexUnusable,
  PassageIndex,
  type PassageSearch
} from "@trunkline/knowledge"
import { makeWorkerPool, type RequestThread, startRequestThread } from "@trunkline/workers"
import { Effect, Either, Layer, Option, Predicate } from "effect"
import { createHash } from "node:crypto"
import { join, resolve } from "node:path"
import { knowledgeEntry } from "../Children.js"
import { makeFolder } from "../storage/MakeFolder.js"
import type { FileHits, PassageReply, PassageRequest, PassageTask, StoredDocument } from "./Messages.js"

/** Place of the indexes. */
export interface PassageIndexOptions {
  /** Folder with a file for each workspace, created when it is first needed. */
  readonly folder: string
}

/** Threads: one may search while the other one fills an index. */
const threads = 2

/** Searches that may wait for a thread. */
const maxWaiting = 1_000

/** Time that an idle thread waits for more work before it ends, in milliseconds: starting one takes longer than a search. */
const idleMillis = 300_000

/** Limits of a thread, in megabytes of JavaScript's heap. */
const resourceLimits = { maxOldGenerationSizeMb: 256 }

type PassageThread = RequestThread<PassageRequest, PassageReply>

const isReply = (message: unknown): message is PassageReply => Predicate.hasProperty(message, "_tag")

const startThread = (): PassageThread =>
  startRequestThread<PassageRequest, PassageReply>(knowledgeEntry, {
    name: "knowledge",
    resourceLimits,
    decode: (message) => isReply(message) ? Either.right(message) : Either.left(message)
  })

const storedOf = ({ document, passages, revision }: IndexedDocument): StoredDocument => {
  const { collection, document_id, source, title } = document
  return { document_id, revision, collection, title, source, passages }
}

const passagesOf = (hits: NonNullable<FileHits>): ReadonlyArray<FoundPassage> =>
  hits.map((hit) => ({ ...hit, document_id: DocumentId.make(hit.document_id) }))

const protocolBroken = new IndexUnusable({ reason: "a thread sent another reply than the one to its request" })

/** Indexes of passages in SQLite's FTS5, with a file for each workspace, which threads read and write. */
export const PassageIndexSqlite = {
  /**
   * A `PassageIndex` in a folder. A file that is missing, damaged or of another version is made anew, and filled from
   * `KnowledgeStore`. Threads start with the first use, and end after five idle minutes.
   *
   * @example
   * const index = PassageIndexSqlite.layer({ folder: "knowledge" })
   */
  layer: ({ folder }: PassageIndexOptions): Layer.Layer<PassageIndex> =>
    Layer.scoped(
      PassageIndex,
      Effect.gen(function*() {
        const pool = yield* makeWorkerPool({
          start: startThread,
          idleMillis,
          limit: {
            size: threads,
            waiting: maxWaiting,
            onFull: () => new IndexUnusable({ reason: "too many searches wait" })
          }
        })
        const placeOf = (workspace: Scope) => {
          const scope = scopeKey(workspace)
          // Ids may hold characters that file names may not.
          return { file: join(resolve(folder), `${createHash("sha256").update(scope).digest("hex")}.sqlite`), scope }
        }
        const inFolder = Effect.try({
          try: () => makeFolder(folder),
          catch: (error) => new IndexUnusable({ reason: `its folder cannot be made: ${String(error)}` })
        })
        const perform = (scope: Scope, task: PassageTask): Effect.Effect<PassageReply, IndexUnusable> =>
          Effect.zipRight(
            inFolder,
            pool.use((thread) =>
              Effect.catchTag(
                thread.request({ place: placeOf(scope), task }),
                "WorkerCrashed",
                ({ kind }) => new IndexUnusable({ reason: `its thread crashed: ${kind}` })
              )
            )
          ).pipe(
            Effect.flatMap((reply) =>
              reply._tag === "Failed" ? new IndexUnusable({ reason: reply.code }) : Effect.succeed(reply)
            )
          )
        return PassageIndex.of({
          state: (scope) =>
            Effect.flatMap(perform(scope, { _tag: "State" }), (reply) =>
              reply._tag !== "State" ? protocolBroken : Effect.succeed({
                version: reply.state.version,
                revisions: reply.state.revisions.map(({ document_id, revision }) => ({
                  document_id: DocumentId.make(document_id),
                  revision
                }))
              })),
          put: (scope, indexedDocument) =>
            Effect.asVoid(perform(scope, { _tag: "Put", document: storedOf(indexedDocument) })),
          remove: (scope, ids) =>
            Effect.asVoid(perform(scope, { _tag: "Remove", ids })),
          settle: (scope, version) =>
            Effect.asVoid(perform(scope, { _tag: "Settle", version })),
          search: (scope, { collections, limit, terms, version }: PassageSearch) =>
            Effect.flatMap(
              perform(scope, { _tag: "Search", search: { collections, limit, terms, version } }),
              (reply) =>
                reply._tag !== "Hits"
                  ? protocolBroken
                  : Effect.succeed(Option.map(Option.fromNullable(reply.hits), passagesOf))
            )
        })
      })
    )
}
