/**
 * Whose statement it is. `untrusted`: anybody's, a SELECT, WITH or VALUES and nothing else. `trusted`: this software's
 * own, with a `lower` that knows every script's letters.
 */
export type RunMode = "trusted" | "untrusted"

/** A value that is bound to a `?`: whole numbers arrive as integers. */
export type RunParameter = string | number | bigint | null | Uint8Array

/** A value of a result: blobs are base64, figures without a JSON form null, whole numbers beyond 2^53 texts. */
export type RunCell = string | number | null

/** A column of a result. */
export interface RunColumn {
  readonly name: string
  /** The column of a table that it is, also through views and subqueries; null for expressions. */
  readonly origin: { readonly table: string; readonly column: string } | null
  /** The type that the table declares for it. */
  readonly type: string | null
}

/** What has to be in a file, so that no statement runs over another one by mistake. */
export interface Expected {
  /** A trusted SELECT of one value. */
  readonly text: string
  readonly value: string
}

/** A statement and the file that it reads. */
export interface RunStatement {
  /** The path of a SQLite file. */
  readonly file: string
  readonly text: string
  readonly parameters: ReadonlyArray<RunParameter>
  readonly mode: RunMode
  /** Looked at before every run; default: any file will do. */
  readonly expected?: Expected
}

/** What a child is asked. */
export interface RunRequest extends RunStatement {
  /** How much of the result to read; null only prepares. */
  readonly read: { readonly maxRows: number; readonly maxBytes: number } | null
}

/** What a statement gave. */
export interface RunResult {
  readonly columns: ReadonlyArray<RunColumn>
  /** In the order of the columns. */
  readonly rows: ReadonlyArray<ReadonlyArray<RunCell>>
  /** Whether the statement as it was written would have given more. */
  readonly truncated: boolean
}

/** Why a child did not run a statement to its end. */
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
export interface Fault {
  readonly kind: FaultKind
  /** What SQLite says: names and words of the statement, never a path or a value of a row. */
  readonly message: string
}

/** What a child answers. */
export interface RunAnswer {
  readonly outcome: RunResult | Fault
  /** Whether the child has grown so much that it had better be replaced. */
  readonly isSpent: boolean
}

/** What a child says once it can be asked. */
export const ready = "ready"

/** What a child is started with. */
export interface ChildSettings {
  /** The process id of its parent: it does not outlive it. */
  readonly parent: number
  /** How large it may grow, in bytes of resident memory. */
  readonly memoryBytes: number
  /** Where its temporary files go, in a folder that it makes and removes, and how large they may be together. */
  readonly temporary: { readonly folder: string; readonly bytes: number }
  /** How much it gives way to other processes. */
  readonly niceness: number
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Whether a message to a child is a request: only the pool sends any. */
export const isRequest = (message: unknown): message is RunRequest =>
  isObject(message) && "file" in message && "text" in message && "parameters" in message && "read" in message

/** Whether a message of a child is an answer. */
export const isAnswer = (message: unknown): message is RunAnswer =>
  isObject(message) && "isSpent" in message && "outcome" in message && isObject(message.outcome) &&
  ("rows" in message.outcome ? Array.isArray(message.outcome.rows) : "kind" in message.outcome)

/** Whether an outcome is a fault. */
export const isFault = (outcome: RunResult | Fault): outcome is Fault => "kind" in outcome
