import type { Parameter } from "@trunkline/warehouse"

/** What befell one attempt: its row as `upsert` binds it, or null when it was erased. */
export interface StoredChange {
  readonly attempt_id: string
  readonly row: ReadonlyArray<Parameter> | null
}

/** A workspace's file and whose it is. */
export interface Owned {
  readonly file: string
  /** What the file says of itself. */
  readonly scope: string
}

/** Something to do for the writer. All of it answers where the file stands in the log of facts. */
export type WriteTask =
  /** Makes the file if it is not there, and a new one in place of what is none of this version. */
  | { readonly kind: "open" }
  /** Looks the whole file through, and makes a new one in place of a damaged one. */
  | { readonly kind: "inspect" }
  /** Where it stands, without making it. */
  | { readonly kind: "watermark" }
  | { readonly kind: "clear" }
  | {
    readonly kind: "apply"
    readonly from: number
    readonly to: number
    readonly changes: ReadonlyArray<StoredChange>
  }

/** A task on its way to the writer. */
export interface WriteRequest extends Owned {
  readonly id: number
  readonly task: WriteTask
}

/** What the writer answers. */
export interface WriteAnswer {
  readonly id: number
  readonly outcome:
    | {
      readonly watermark: number
      /** What was wrong with the file that had to be moved away, such as `SQLITE_NOTADB`; null when nothing was. */
      readonly movedAway: string | null
    }
    /** The file says that it is another workspace's. */
    | { readonly fault: "Mismatch" }
    /** SQLite cannot write, for this reason, such as `SQLITE_FULL`. */
    | { readonly fault: "Unwritable"; readonly code: string }
}

/** What the writer is started with: the SQL of the workspaces' files, which nobody but the warehouse has to know. */
export interface WriterSettings {
  /** Changes whenever the files have to be made otherwise. */
  readonly version: string
  /** Make an empty file. */
  readonly create: ReadonlyArray<string>
  /** Writes a row in place of its earlier image; binds it. */
  readonly upsert: string
  /** Removes a row; binds its attempt_id. */
  readonly remove: string
  /** Gives `scope`, `version` and `watermark`, once there are any. */
  readonly readState: string
  /** Binds the same. */
  readonly writeState: string
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Whether a message to the writer is a request. */
export const isWriteRequest = (message: unknown): message is WriteRequest =>
  isObject(message) && "id" in message && "task" in message && "file" in message && "scope" in message

/** Whether a message of the writer is an answer. */
export const isWriteAnswer = (message: unknown): message is WriteAnswer =>
  isObject(message) && "id" in message && "outcome" in message && isObject(message.outcome)

/** Whether what the writer was started with is what it needs. */
export const isWriterSettings = (value: unknown): value is WriterSettings =>
  isObject(value) && "version" in value && "create" in value && "upsert" in value && "readState" in value
