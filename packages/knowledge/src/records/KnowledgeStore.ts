import { applyPage, MemoryTable, type PageRequest, type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { DocumentId, KnowledgeDocument, Passage } from "./KnowledgeDocument.js"

/** Fields that lists of documents can be sorted by. */
export const documentSorts = ["created_at", "updated_at", "title"] as const
export type DocumentSort = (typeof documentSorts)[number]

/** Search and sort keys of documents: searched by title, source and id, ties sorted by id. */
export const documentColumns = {
  id: (document: KnowledgeDocument): string => document.document_id,
  text: (document: KnowledgeDocument): ReadonlyArray<string> => [document.title, document.source, document.document_id],
  sortKey: (document: KnowledgeDocument, by: DocumentSort): string | number =>
    by === "title" ? document.title : document[by].epochMillis
}

/** Documents that a list has. */
export interface DocumentFilter {
  /** Collection of the documents; null for all. */
  readonly collection: string | null
  readonly page: PageRequest<DocumentSort>
}

/** A document, and the version of the workspace in which it was written. */
export interface DocumentRevision {
  readonly document_id: DocumentId
  readonly revision: number
}

/**
 * Stores the documents of workspaces with their passages, from which every index can be filled again. A document is invisible
 * to other workspaces. Every write joins the running transaction and gives the workspace a greater version: one more than before, but
 * at least the time of the document in epoch milliseconds. So a database that was restored from a backup never has the version of
 * an index that is newer than the backup.
 */
export class KnowledgeStore extends Context.Tag("@trunkline/knowledge/KnowledgeStore")<KnowledgeStore, {
  /** Stores a document with its passages, in place of the one with the same id. */
  readonly save: (
    scope: Scope,
    document: KnowledgeDocument,
    passages: ReadonlyArray<Passage>
  ) => Effect.Effect<void>
  readonly find: (scope: Scope, document_id: DocumentId) => Effect.Effect<Option.Option<KnowledgeDocument>>
  /** Finds the document with a source in a collection. */
  readonly findSource: (
    scope: Scope,
    collection: string,
    source: string
  ) => Effect.Effect<Option.Option<KnowledgeDocument>>
  readonly list: (
    scope: Scope,
    filter: DocumentFilter
  ) => Effect.Effect<{ readonly items: ReadonlyArray<KnowledgeDocument>; readonly total: number }>
  /** Removes a document and its passages; false when the workspace has no such document. */
  readonly remove: (scope: Scope, document_id: DocumentId) => Effect.Effect<boolean>
  /** Number of passages of a workspace. */
  readonly countPassages: (scope: Scope) => Effect.Effect<number>
  /** Version of a workspace; 0 before the first change. */
  readonly version: (scope: Scope) => Effect.Effect<number>
  /** The documents of a workspace, each with the version in which it was written last. */
  readonly revisions: (scope: Scope) => Effect.Effect<ReadonlyArray<DocumentRevision>>
  /** Passages of a document in their order; empty for one that does not exist. */
  readonly passages: (scope: Scope, document_id: DocumentId) => Effect.Effect<ReadonlyArray<Passage>>
}>() {
  /** Stores documents in memory. */
  static readonly layerMemory = Layer.sync(KnowledgeStore, () => makeMemory())
}

interface Row {
  readonly scope: string
  readonly document: KnowledgeDocument
  readonly passages: ReadonlyArray<Passage>
  readonly revision: number
}

const makeMemory = (): (typeof KnowledgeStore)["Service"] => {
  const rows = MemoryTable.make<DocumentId, Row>()
  const versions = MemoryTable.make<string, number>()
  const rowsOf = (scope: Scope) => [...rows.values()].filter((row) => row.scope === scopeKey(scope))
  const get = (scope: Scope, id: DocumentId) =>
    Option.filter(Option.fromNullable(rows.get(id)), (row) => row.scope === scopeKey(scope))
  const countUp = (scope: Scope, at: number) => {
    const version = Math.max((versions.get(scopeKey(scope)) ?? 0) + 1, at)
    return Effect.as(versions.set(scopeKey(scope), version), version)
  }
  return {
    save: (scope, document, passages) =>
      Effect.flatMap(
        Effect.suspend(() => countUp(scope, document.updated_at.epochMillis)),
        (revision) => rows.set(document.document_id, { scope: scopeKey(scope), document, passages, revision })
      ),
    find: (scope, id) => Effect.sync(() => Option.map(get(scope, id), ({ document }) => document)),
    findSource: (scope, collection, source) =>
      Effect.sync(() =>
        Option.fromNullable(
          rowsOf(scope).find(({ document }) => document.collection === collection && document.source === source)
            ?.document
        )
      ),
    list: (scope, { collection, page }) =>
      Effect.sync(() =>
        applyPage(
          rowsOf(scope)
            .map(({ document }) => document)
            .filter((document) => collection === null || document.collection === collection),
          page,
          documentColumns
        )
      ),
    remove: (scope, id) =>
      Effect.suspend(() =>
        Option.isSome(get(scope, id)) ? Effect.zipRight(countUp(scope, 0), rows.delete(id)) : Effect.succeed(false)
      ),
    countPassages: (scope) =>
      Effect.sync(() => rowsOf(scope).reduce((sum, { document }) => sum + document.passages, 0)),
    version: (scope) => Effect.sync(() => versions.get(scopeKey(scope)) ?? 0),
    revisions: (scope) =>
      Effect.sync(() =>
        rowsOf(scope).map(({ document, revision }) => ({ document_id: document.document_id, revision }))
      ),
    passages: (scope, id) =>
      Effect.sync(() => Option.match(get(scope, id), { onNone: () => [], onSome: ({ passages }) => passages }))
  }
}
