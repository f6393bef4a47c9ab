import type { BodyColumn, WorkspaceColumns } from "./Columns.js"

/** Documents of knowledge, without their passages. */
interface KnowledgeDocumentsTable extends WorkspaceColumns, BodyColumn {
  readonly document_id: string
  readonly collection: string
  readonly source: string
  /** The searchable texts, in lower case. */
  readonly search: string
  readonly title: string
  /** Epoch milliseconds. */
  readonly created_at: number
  /** Epoch milliseconds. */
  readonly updated_at: number
  readonly passages: number
  /** Version of the workspace in which it was written. */
  readonly revision: number
}

/** Passages of documents, a hundred to a row. */
interface KnowledgePassagesTable extends BodyColumn {
  readonly document_id: string
  /** Order of the rows of a document, from 0. */
  readonly part: number
}

/** Number of changes of each workspace's documents. */
interface KnowledgeVersionsTable extends WorkspaceColumns {
  readonly version: number
}

/** The tables of knowledge. */
export interface KnowledgeTables {
  readonly knowledge_documents: KnowledgeDocumentsTable
  readonly knowledge_passages: KnowledgePassagesTable
  readonly knowledge_versions: KnowledgeVersionsTable
}
