/** Columns of a row that belongs to a workspace. */
export interface WorkspaceColumns {
  readonly org_id: string
  readonly workspace_id: string
}

/** Column of a row that holds a whole value. */
export interface BodyColumn {
  /** The value as the JSON of its schema. */
  readonly body: string
}

/** Columns of a row that lists show: the text they search, and the values they sort by. */
export interface ListColumns extends WorkspaceColumns, BodyColumn {
  /** The searchable texts, in lower case. */
  readonly search: string
  readonly name: string
  readonly status: string
  /** Epoch milliseconds. */
  readonly created_at: number
  /** Epoch milliseconds. */
  readonly updated_at: number
}
