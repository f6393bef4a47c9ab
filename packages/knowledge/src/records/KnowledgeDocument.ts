import { Timestamp } from "@trunkline/kernel"
import { Schema } from "effect"
import { knowledgeLimits } from "./KnowledgeLimits.js"

/** Name of a collection of documents, by which agents refer to it: up to 64 of `a` to `z`, digits, `_` and `-`. */
export const CollectionName = Schema.String.pipe(Schema.pattern(/^[a-z0-9][a-z0-9_-]{0,63}$/, {
  message: () => "Must be a name such as handbook: up to 64 of a to z, digits, _ and -"
}))
export type CollectionName = typeof CollectionName.Type

/** `doc-` and a UUID. */
export const DocumentId = Schema.String.pipe(Schema.brand("DocumentId"))
export type DocumentId = typeof DocumentId.Type

/** Kinds of documents. */
export const DocumentKind = Schema.Literal("text", "markdown", "html", "pdf")
export type DocumentKind = typeof DocumentKind.Type

/** A title or a source: 1 to 300 characters. */
export const DocumentName = Schema.String.pipe(
  Schema.maxLength(knowledgeLimits.name),
  Schema.pattern(/\S/, { message: () => "Should not be empty" })
)

/** A document of a workspace. Its source is unique in its collection: adding the source again replaces the document. */
export class KnowledgeDocument extends Schema.Class<KnowledgeDocument>("KnowledgeDocument")({
  document_id: DocumentId,
  /** The collection by which agents find it. */
  collection: CollectionName,
  /** Title that callers could be told: as given, else that of the file, else its name. */
  title: DocumentName,
  /** Where it comes from, such as the name of its file or its URL. */
  source: DocumentName,
  kind: DocumentKind,
  /** English name of its language; null when it was not given. */
  language_name: Schema.NullOr(Schema.String),
  /** SHA-256 of the file in 64 hex digits. */
  hash: Schema.String,
  /** Size of the file in bytes. */
  bytes: Schema.NonNegativeInt,
  /** Number of pages of a PDF; null for other kinds. */
  pages: Schema.NullOr(Schema.NonNegativeInt),
  /** Number of its passages. */
  passages: Schema.NonNegativeInt,
  created_at: Timestamp,
  /** Time of the last replacement. */
  updated_at: Timestamp
}) {}

/** A part of a document that is short enough to be read out or given to a model: some 250 words. */
export const Passage = Schema.Struct({
  /** Headings above it, from the outermost on, joined by ` > `; empty without any. */
  heading: Schema.String,
  /** Page on which it begins, from 1; null for documents without pages. */
  page: Schema.NullOr(Schema.Int),
  text: Schema.String
})
export type Passage = typeof Passage.Type

/** A passage that answers a question, with its source. */
export const FoundPassage = Schema.Struct({
  document_id: DocumentId,
  collection: CollectionName,
  title: Schema.String,
  source: Schema.String,
  /** Place of the passage in its document, from 0. */
  position: Schema.NonNegativeInt,
  heading: Schema.String,
  page: Schema.NullOr(Schema.Int),
  text: Schema.String,
  /** Relevance by BM25; only comparable within one answer. */
  score: Schema.Finite
}).annotations({ identifier: "FoundPassage" })
export type FoundPassage = typeof FoundPassage.Type
