import { Data } from "effect"
import type { KnowledgeDocument, Passage } from "../records/KnowledgeDocument.js"
import type { DocumentRevision } from "../records/KnowledgeStore.js"
import type { SearchTerm } from "../words/Question.js"

/** Search in a workspace. */
export interface PassageSearch {
  /** At least one; a passage needs any of them. */
  readonly terms: ReadonlyArray<SearchTerm>
  /** Collections to look in; null for all. */
  readonly collections: ReadonlyArray<string> | null
  /** Most passages of the answer. */
  readonly limit: number
  /** Version of the workspace that the index must have. */
  readonly version: number
}

/** A document to be indexed. */
export interface IndexedDocument {
  readonly document: KnowledgeDocument
  readonly revision: number
  readonly passages: ReadonlyArray<Passage>
}

/** An index could not be read or written: its file is locked, damaged or on a full disk. */
export class IndexUnusable extends Data.TaggedError("IndexUnusable")<{ readonly reason: string }> {
  override get message() {
    return `The index of knowledge cannot be used: ${this.reason}`
  }
}

/** Content of an index of a workspace. */
export interface IndexState {
  /** Version of the workspace whose documents it holds; 0 for a new one. */
  readonly version: number
  readonly revisions: ReadonlyArray<DocumentRevision>
}
