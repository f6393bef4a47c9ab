import type { FoundPassage, Passage, SearchTerm } from "@trunkline/knowledge"

/** The file of a workspace, and the workspace that it belongs to. */
export interface PassageFilePlace {
  readonly file: string
  readonly scope: string
}

/** A document with its passages, on its way to a file. */
export interface StoredDocument {
  readonly document_id: string
  readonly revision: number
  readonly collection: string
  readonly title: string
  readonly source: string
  readonly passages: ReadonlyArray<Passage>
}

/** Search in a file. */
export interface FileSearch {
  readonly terms: ReadonlyArray<SearchTerm>
  readonly collections: ReadonlyArray<string> | null
  readonly limit: number
  readonly version: number
}

/** Request to a thread. */
export type PassageTask =
  | { readonly _tag: "State" }
  | { readonly _tag: "Put"; readonly document: StoredDocument }
  | { readonly _tag: "Remove"; readonly ids: ReadonlyArray<string> }
  | { readonly _tag: "Settle"; readonly version: number }
  | { readonly _tag: "Search"; readonly search: FileSearch }

/** Request to a thread, with the file that it concerns. */
export interface PassageRequest {
  readonly place: PassageFilePlace
  readonly task: PassageTask
}

/** Content of a file: its version and its documents. */
export interface FileState {
  readonly version: number
  readonly revisions: ReadonlyArray<{ readonly document_id: string; readonly revision: number }>
}

/** Passages that were found; null when the file does not have the version that was asked for. */
export type FileHits = ReadonlyArray<Omit<FoundPassage, "document_id"> & { readonly document_id: string }> | null

/** Reply of a thread. `Failed` has the code of SQLite's or of the operating system's error, and none of the data. */
export type PassageReply =
  | { readonly _tag: "State"; readonly state: FileState }
  | { readonly _tag: "Done" }
  | { readonly _tag: "Hits"; readonly hits: FileHits }
  | { readonly _tag: "Failed"; readonly code: string }
