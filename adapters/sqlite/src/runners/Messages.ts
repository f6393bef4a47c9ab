/**
 * Origin of a statement. `untrusted`: from a user; only SELECT, WITH or VALUES. `unchecked`: from this software, with a
 * `lower` that knows the letters of all scripts.
 */
export type RunMode = "trusted" | "untrusted"

/** A value bound to a `?`; whole numbers are bound as integers. */
export type RunParameter = string | number | bigint | null | Uint8Array

/** A value of a result: blobs are base64, numbers without a JSON form null, whole numbers beyond 2^53 strings. */
export type RunCell = string | number | null

/** A column of a result. */
export interface RunColumn {
  readonly name: string
  /** Column of a table that it comes from, also through views and subqueries; null for expressions. */
  readonly origin: { readonly table: string; readonly column: string } | null
  /** Type declared by the table. */
  readonly type: string | null
}

/** A value that a file must have, so that no statement reads a wrong file by mistake. */
export interface Expected {
  /** A trusted SELECT of one value. */
  readonly text: string
  readonly value: string
}

/** A statement and the file that it reads. */
export interface RunStatement {
  /** Path of a SQLite file. */
  readonly file: string
  readonly text: string
  readonly parameters: ReadonlyArray<RunParameter>
  readonly mode: RunMode
  /** Checked before every run; by default any file is accepted. */
  readonly expected?: Expected
}

/** Request to a child. */
export interface RunRequest extends RunStatement {
  /** Part of the result to read; null only prepares the statement. */
  readonly read: { readonly maxRows: number; readonly maxBytes: number } | null
}

/** Result of a statement. */
export interface RunnerResult {
  readonly columns: ReadonlyArray<RunColumn>
  /** Values in the order of the columns. */
  readonly rows: ReadonlyArray<ReadonlyArray<RunCell>>
  /** True when the statement has more rows than were read. */
  readonly truncated: boolean
}

/** Reason why a child did not finish a statement. */
export type FaultKind =
  | "Rejected"
  | "UnknownTable"
  | "UnknownFunction"
  | "MultipleStatements"
  | "NotReadOnly"
  | "ResourceExceeded"
  | "Busy"
  | "Missing"
  | "Damaged"
  | "Mismatch"

/** A fault on its way to the parent. */
export interface RunnerFault {
  readonly kind: FaultKind
  /** Message of SQLite: names and tokens of the statement, never a path or a value of a row. */
  readonly message: string
}

/** Reply of a child. */
export interface RunReply {
  readonly outcome: RunnerResult | RunnerFault
  /** True when the child has grown so much that it should be replaced. */
  readonly isSpent: boolean
}

/** Message of a child that can take requests. */
export const ready = "ready"

/** Settings of a child. */
export interface ChildSettings {
  /** Process id of its parent, which it does not outlive. */
  readonly parent: number
  /** Limit of its resident memory, in bytes. */
  readonly memoryBytes: number
  /** Folder of its temporary files, which it makes and removes, and the limit of their total size. */
  readonly temporary: { readonly folder: string; readonly bytes: number }
  /** Niceness, as `nice` counts it. */
  readonly niceness: number
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** True for a request. Only the pool sends messages to a child. */
export const isRequest = (message: unknown): message is RunRequest =>
  isObject(message) && "file" in message && "text" in message && "parameters" in message && "read" in message

/** True for a reply of a child. */
export const isReply = (message: unknown): message is RunReply =>
  isObject(message) && "isSpent" in message && "outcome" in message && isObject(message.outcome) &&
  ("rows" in message.outcome ? Array.isArray(message.outcome.rows) : "kind" in message.outcome)

/** True for an outcome that is a fault. */
export const isFault = (outcome: RunnerResult | RunnerFault): outcome is RunnerFault => "kind" in outcome
