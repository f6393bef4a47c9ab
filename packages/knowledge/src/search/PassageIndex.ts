import { type Scope, scopeKey } from "@trunkline/kernel"
import { Context, Effect, Layer, Option } from "effect"
import type { DocumentId, FoundPassage } from "../records/KnowledgeDocument.js"
import type { IndexedDocument, IndexState, IndexUnusable, PassageSearch } from "./PassageSearch.js"
import { bestPassages, entriesOf, type PassageEntry } from "./RankPassages.js"

/**
 * An index over the passages of each workspace. It is a copy that `KnowledgeStore` can fill again, so it may be lost at any
 * time, and nothing of one workspace is ever in the answer for another.
 */
export class PassageIndex extends Context.Tag("@trunkline/knowledge/PassageIndex")<PassageIndex, {
  readonly state: (scope: Scope) => Effect.Effect<IndexState, IndexUnusable>
  /** Indexes a document, in place of what is there of it. */
  readonly put: (scope: Scope, indexedDocument: IndexedDocument) => Effect.Effect<void, IndexUnusable>
  /** Removes documents; one that is not there is no error. */
  readonly remove: (scope: Scope, ids: ReadonlyArray<DocumentId>) => Effect.Effect<void, IndexUnusable>
  /** Notes the version of the workspace whose documents are all there now. */
  readonly settle: (scope: Scope, version: number) => Effect.Effect<void, IndexUnusable>
  /** The most relevant passages first; none when the index does not have the version that is asked for. */
  readonly search: (
    scope: Scope,
    search: PassageSearch
  ) => Effect.Effect<Option.Option<ReadonlyArray<FoundPassage>>, IndexUnusable>
}>() {
  /** An index in memory, which compares every passage: for tests and scripts. */
  static readonly layerMemory = Layer.sync(PassageIndex, () => makeMemory())
}

interface Workspace {
  version: number
  readonly documents: Map<DocumentId, { readonly revision: number; readonly entries: ReadonlyArray<PassageEntry> }>
}

const makeMemory = (): (typeof PassageIndex)["Service"] => {
  const workspaces = new Map<string, Workspace>()
  const of = (scope: Scope): Workspace => {
    const key = scopeKey(scope)
    const workspace = workspaces.get(key) ?? { version: 0, documents: new Map() }
    workspaces.set(key, workspace)
    return workspace
  }
  return {
    state: (scope) =>
      Effect.sync(() => {
        const { documents, version } = of(scope)
        return {
          version,
          revisions: Array.from(documents, ([document_id, { revision }]) => ({ document_id, revision }))
        }
      }),
    put: (scope, indexedDocument) =>
      Effect.sync(() => {
        const { document: { document_id }, revision } = indexedDocument
        of(scope).documents.set(document_id, { revision, entries: entriesOf(indexedDocument) })
      }),
    remove: (scope, ids) => Effect.sync(() => ids.forEach((id) => of(scope).documents.delete(id))),
    settle: (scope, version) => Effect.sync(() => void (of(scope).version = version)),
    search: (scope, search) =>
      Effect.sync(() => {
        const { documents, version } = of(scope)
        if (version !== search.version) return Option.none()
        const entries = [...documents.values()].flatMap(({ entries }) => entries).filter(({ passage }) =>
          search.collections?.includes(passage.collection) ?? true
        )
        return Option.some(bestPassages(entries, search))
      })
  }
}
