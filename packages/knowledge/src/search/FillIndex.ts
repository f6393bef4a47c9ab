import type { Scope } from "@trunkline/kernel"
import { Effect, Option } from "effect"
import type { KnowledgeStore } from "../records/KnowledgeStore.js"
import type { PassageIndex } from "./PassageIndex.js"
import type { IndexUnusable } from "./PassageSearch.js"

/**
 * Brings the index of a workspace up to the documents in the store. The version is read first: what changes meanwhile may be in the
 * index already, and is looked at again when its version is asked for. A run that is interrupted goes on where it was.
 */
export const fillIndex = ({ index, scope, store }: {
  readonly store: typeof KnowledgeStore.Service
  readonly index: typeof PassageIndex.Service
  readonly scope: Scope
}): Effect.Effect<void, IndexUnusable> =>
  Effect.gen(function*() {
    const version = yield* store.version(scope)
    const state = yield* index.state(scope)
    if (state.version === version) return
    const wantedDocumentRevisions = yield* store.revisions(scope)
    const present = new Map(state.revisions.map(({ document_id, revision }) => [document_id, revision]))
    const keptDocumentIds = new Set(wantedDocumentRevisions.map(({ document_id }) => document_id))
    const goneDocumentIds = [...present.keys()].filter((id) => !keptDocumentIds.has(id))
    if (goneDocumentIds.length > 0) yield* index.remove(scope, goneDocumentIds)
    for (const { document_id, revision } of wantedDocumentRevisions) {
      if (present.get(document_id) === revision) continue
      const document = yield* store.find(scope, document_id)
      if (Option.isNone(document)) continue
      const passages = yield* store.passages(scope, document_id)
      yield* index.put(scope, { document: document.value, revision, passages })
    }
    yield* index.settle(scope, version)
  })
