import { Invalid, NotFound, Unavailable } from "@trunkline/errors"
import {
  BusinessTime,
  Ids,
  makeHistogram,
  makeSingleFlight,
  type PageRequest,
  type Scope,
  scopeKey,
  Transactions
} from "@trunkline/kernel"
import { Context, Effect, Exit, Layer, Option } from "effect"
import type { DocumentFile, ReadDocument } from "./reading/DocumentFile.js"
import { DocumentReader } from "./reading/DocumentReader.js"
import {
  type CollectionName,
  DocumentId,
  type FoundPassage,
  KnowledgeDocument,
  type Passage
} from "./records/KnowledgeDocument.js"
import { knowledgeLimits } from "./records/KnowledgeLimits.js"
import { type DocumentSort, KnowledgeStore } from "./records/KnowledgeStore.js"
import { fillIndex } from "./search/FillIndex.js"
import { PassageIndex } from "./search/PassageIndex.js"
import type { IndexUnusable } from "./search/PassageSearch.js"
import { maxQuestionLength, termsOf } from "./words/Question.js"

/** A document to add. */
export interface NewDocument {
  readonly collection: CollectionName
  readonly file: DocumentFile
  /** Title; null for that of the file, else its source. */
  readonly title: string | null
  /** Where it comes from; null for the name of the file. */
  readonly source: string | null
  /** English name of its language; null when unknown. */
  readonly language_name: string | null
}

/** Change that adding a document has made. */
export type AddOutcome = "added" | "replaced" | "unchanged"

/** A document that was added, and the change that it has made. */
export interface AddedDocument {
  readonly document: KnowledgeDocument
  readonly outcome: AddOutcome
}

/** A question to the knowledge of a workspace. */
export interface KnowledgeQuestion {
  /** A person's sentence; `"in quotes"` is a phrase, `refund*` the beginning of a word. */
  readonly question: string
  /** Collections to look in; null for all. */
  readonly collections: ReadonlyArray<string> | null
  /** Most passages of the answer. */
  readonly limit: number
}

/**
 * Documents of workspaces, and the passages of them that answer a question. What is added is found as soon as `add` returns, in
 * every process that shares the stores, and what is removed is not found any more.
 */
export class Knowledge extends Context.Tag("@trunkline/knowledge/Knowledge")<Knowledge, {
  /**
   * Reads a file and adds it to a collection. A document with the same source in the collection is replaced and keeps its id; the
   * same file again changes nothing. Fails with `Invalid` when the file cannot be read, or exceeds a bound.
   */
  readonly add: (scope: Scope, addedDocument: NewDocument) => Effect.Effect<AddedDocument, Invalid>
  readonly get: (scope: Scope, document_id: string) => Effect.Effect<KnowledgeDocument, NotFound>
  /** Lists a page of the documents of a workspace, or of one collection. */
  readonly list: (
    scope: Scope,
    collection: string | null,
    page: PageRequest<DocumentSort>
  ) => Effect.Effect<{ readonly items: ReadonlyArray<KnowledgeDocument>; readonly total: number }>
  readonly remove: (scope: Scope, document_id: string) => Effect.Effect<void, NotFound>
  /**
   * The passages with the most telling words of a question, the most relevant first; none when no passage has any of them. Fails
   * with `Unavailable` when the index cannot be used.
   */
  readonly search: (
    scope: Scope,
    question: KnowledgeQuestion
  ) => Effect.Effect<ReadonlyArray<FoundPassage>, Unavailable>
}>() {
  /** Keeps documents in `KnowledgeStore`, reads them with `DocumentReader` and finds passages with `PassageIndex`. */
  static readonly layer = Layer.suspend(() => Layer.scoped(Knowledge, make))
}

const searches = makeHistogram({
  name: "trunkline_knowledge_search_duration_seconds",
  help: "Searches for passages of knowledge",
  labels: { result: ["ok", "failed"] },
  bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]
})

/** Tries of a search whose workspace changes meanwhile. */
const searchTries = 3

const fileFault = (message: string) => Invalid.at(["body", "file"], "value_error", message)

const unusable = (error: IndexUnusable) =>
  Effect.zipRight(
    Effect.logWarning(error.message),
    new Unavailable({ message: "The knowledge of this workspace cannot be searched now: try again in a minute" })
  )

const changing = new Unavailable({ message: "The knowledge of this workspace is changing: try again in some seconds" })

/** True when a request for a document says of it what is stored. */
const saysTheSame = (document: KnowledgeDocument, { language_name, title }: NewDocument): boolean =>
  (title === null || title === document.title) &&
  (language_name === null || language_name === document.language_name)

const make = Effect.gen(function*() {
  const store = yield* KnowledgeStore
  const reader = yield* DocumentReader
  const index = yield* PassageIndex
  const ids = yield* Ids
  const { run } = yield* Transactions
  const flights = yield* makeSingleFlight<void, IndexUnusable>()

  /** Brings the index of a workspace up to date, once for all who ask at the same time. */
  const catchUp = (scope: Scope) => flights.join(scopeKey(scope), fillIndex({ store, index, scope }))

  const catchUpQuietly = (scope: Scope) => Effect.catchAll(catchUp(scope), (error) => Effect.logWarning(error.message))

  const readFile = (addedDocument: NewDocument, current: string | null) =>
    addedDocument.file.bytes.length > knowledgeLimits.fileBytes
      ? fileFault(`The file is larger than ${knowledgeLimits.fileBytes} bytes. Split it into smaller documents`)
      : Effect.catchAll(reader.read(addedDocument.file, current), ({ message }) => fileFault(message))

  const save = (
    scope: Scope,
    { added, passages, read, source }: {
      readonly added: NewDocument
      readonly source: string
      readonly read: ReadDocument
      readonly passages: ReadonlyArray<Passage>
    }
  ) =>
    run(Effect.gen(function*() {
      const before = Option.getOrNull(yield* store.findSource(scope, added.collection, source))
      const others = (yield* store.countPassages(scope)) - (before?.passages ?? 0)
      if (others + passages.length > knowledgeLimits.passagesOfWorkspace) {
        return yield* fileFault(
          `The workspace would have more than ${knowledgeLimits.passagesOfWorkspace} passages. Remove documents first`
        )
      }
      const now = yield* BusinessTime.date
      const document = new KnowledgeDocument({
        document_id: before?.document_id ?? DocumentId.make(`doc-${yield* ids.uuid}`),
        collection: added.collection,
        title: added.title ?? read.title ?? source,
        source,
        kind: read.kind,
        language_name: added.language_name ?? before?.language_name ?? null,
        hash: read.hash,
        bytes: added.file.bytes.length,
        pages: read.pages,
        passages: passages.length,
        created_at: before?.created_at ?? now,
        updated_at: now
      })
      yield* store.save(scope, document, passages)
      const outcome: AddOutcome = before === null ? "added" : "replaced"
      return { document, outcome }
    }))

  const add = Effect.fn("Knowledge.add")(function*(scope: Scope, addedDocument: NewDocument) {
    const source = addedDocument.source ?? addedDocument.file.filename
    if (source === null || source.trim() === "") {
      return yield* Invalid.at(["body", "source"], "missing", "Name the source, since the file has no name")
    }
    if (source.length > knowledgeLimits.name) {
      return yield* Invalid.at(
        ["body", "source"],
        "string_too_long",
        `Should have at most ${knowledgeLimits.name} characters`
      )
    }
    const before = Option.getOrNull(yield* store.findSource(scope, addedDocument.collection, source))
    const current = before !== null && saysTheSame(before, addedDocument) ? before : null
    const read = yield* readFile(addedDocument, current?.hash ?? null)
    if (read.passages === null && current !== null) return { document: current, outcome: "unchanged" as const }
    const result = yield* save(scope, { added: addedDocument, source, read, passages: read.passages ?? [] })
    yield* catchUpQuietly(scope)
    return result
  })

  const orMissing = (id: string) => (document: Option.Option<KnowledgeDocument>) =>
    Effect.mapError(document, () => new NotFound({ resource: "document", id }))

  const findPassages = (scope: Scope, { collections, limit, question }: KnowledgeQuestion) =>
    Effect.gen(function*() {
      const terms = termsOf(question.slice(0, maxQuestionLength))
      if (terms.length === 0 || collections?.length === 0) return []
      for (let tries = 0; tries < searchTries; tries++) {
        const version = yield* store.version(scope)
        // A workspace without documents has no index, and needs none.
        if (version === 0) return []
        const answer = yield* index.search(scope, { terms, collections, limit, version })
        if (Option.isSome(answer)) return answer.value
        yield* catchUp(scope)
      }
      return yield* changing
    }).pipe(Effect.catchTag("IndexUnusable", unusable))

  const search = (scope: Scope, question: KnowledgeQuestion) =>
    Effect.clockWith((clock) => {
      const began = clock.unsafeCurrentTimeNanos()
      return Effect.onExit(findPassages(scope, question), (exit) =>
        Effect.sync(() =>
          searches.record(Number(clock.unsafeCurrentTimeNanos() - began) / 1e9, {
            result: Exit.isSuccess(exit) ? "ok" : "failed"
          })
        ))
    })

  return Knowledge.of({
    add,
    get: (scope, id) => Effect.flatMap(store.find(scope, DocumentId.make(id)), orMissing(id)),
    list: (scope, collection, page) => store.list(scope, { collection, page }),
    remove: (scope, id) =>
      Effect.flatMap(
        run(store.remove(scope, DocumentId.make(id))),
        (isRemoved) => isRemoved ? catchUpQuietly(scope) : new NotFound({ resource: "document", id })
      ),
    search
  })
})
