import { Schema } from "effect"
import type { DocumentKind, Passage } from "../records/KnowledgeDocument.js"

/** A document cannot be read, or exceeds a bound. The message says what to do. */
export class DocumentRefused extends Schema.TaggedError<DocumentRefused>()("DocumentRefused", {
  message: Schema.String
}) {}

/** A file to be read. */
export interface DocumentFile {
  /** Name of the file, whose ending tells its kind where the content type does not. */
  readonly filename: string | null
  readonly contentType: string | null
  readonly bytes: Uint8Array
}

/** A file as it was read. */
export interface ReadDocument {
  readonly kind: DocumentKind
  /** Title that the file itself has; null without one. */
  readonly title: string | null
  /** SHA-256 of its bytes in 64 hex digits. */
  readonly hash: string
  /** Number of pages; null for kinds without pages. */
  readonly pages: number | null
  /** Null when the hash is the one that is there already, and the text was not read. */
  readonly passages: ReadonlyArray<Passage> | null
}
