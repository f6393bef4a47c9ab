import type { Parameter } from "@trunkline/warehouse"

/** Change of one attempt: its row as `upsert` binds it, or null when it was erased. */
export interface StoredChange {
  readonly attempt_id: string
  readonly row: ReadonlyArray<Parameter> | null
}

/** File of a workspace. */
export interface WorkspaceFile {
  readonly file: string
  /** Key of the workspace, which the file has as well. */
  readonly scope: string
}

/** Task of the writer. The reply to each is the position of the file in the log of facts. */
export type WriteTask =
  /** Creates the file when it does not exist or has another version. */
  | { readonly kind: "open" }
  /** Checks the whole file, and replaces it when it is damaged. */
  | { readonly kind: "inspect" }
  /** Reads the position without creating the file. */
  | { readonly kind: "watermark" }
  | { readonly kind: "clear" }
  | {
    readonly kind: "apply"
    readonly from: number
    readonly to: number
    readonly changes: ReadonlyArray<StoredChange>
  }

/** A task on its way to the writer. */
export interface WriteRequest extends WorkspaceFile {
  readonly id: number
  readonly task: WriteTask
}

/** Outcome of a task. */
export type WriteOutcome =
  | {
    readonly watermark: number
    /** Damage of a file that was moved away, such as `SQLITE_NOTADB`; null when there was none. */
    readonly movedAway: string | null
  }
  /** The file belongs to another workspace. */
  | { readonly fault: "Mismatch" }
  /** SQLite cannot write; the code says why, such as `SQLITE_FULL`. */
  | { readonly fault: "Unwritable"; readonly code: string }

/** Reply of the writer. */
export interface WriteReply {
  readonly id: number
  readonly outcome: WriteOutcome
}

/** Settings of the writer: the SQL of the files of workspaces. */
export interface WriterSettings {
  /** Version of the schema; files of another version are recreated. */
  readonly version: string
  /** Statements that create the schema. */
  readonly create: ReadonlyArray<string>
  /** Inserts or replaces a row, which it binds. */
  readonly upsert: string
  /** Deletes a row; binds its attempt_id. */
  readonly remove: string
  /** Selects `scope`, `version` and `watermark`, if they exist. */
  readonly readState: string
  /** Writes `scope`, `version` and `watermark`, which it binds. */
  readonly writeState: string
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** True for a request to the writer. */
export const isWriteRequest = (message: unknown): message is WriteRequest =>
  isObject(message) && "id" in message && "task" in message && "file" in message && "scope" in message

/** True for a reply of the writer. */
export const isWriteReply = (message: unknown): message is WriteReply =>
  isObject(message) && "id" in message && "outcome" in message && isObject(message.outcome)

/** True for complete settings. */
export const isWriterSettings = (value: unknown): value is WriterSettings =>
  isObject(value) && "version" in value && "create" in value && "upsert" in value && "readState" in value
