/** A finished backup. */
export interface BackupReport {
  readonly folder: string
  /** Number of files, with the database. */
  readonly files: number
  readonly bytes: number
  /** Time of the snapshot, in ISO 8601. */
  readonly made_at: string
}

/** Days that a workspace keeps each kind of data; those that are absent are kept for ever. */
export interface RetentionDays {
  /** Recordings of calls. */
  readonly recordings?: number
  /** Transcripts of calls. */
  readonly transcripts?: number
  /** Records and facts of calls, with what is left of their recordings and transcripts. */
  readonly calls?: number
  /** Webhooks that were delivered or given up. */
  readonly webhooks?: number
  /** Cohorts of campaigns that have ended or were cancelled, with their files. */
  readonly cohorts?: number
  /** Attempts that have ended. */
  readonly attempts?: number
}

/** Number of rows of each kind that has a number of days. */
export type RetentionCounts = { readonly [Kind in keyof RetentionDays]?: number }

/** Deletes old data. What is still open stays, however old it is. */
export interface RetentionMethods {
  /** Counts what `run` would delete. */
  readonly count: (days: RetentionDays, options?: { readonly workspace?: string }) => Promise<RetentionCounts>
  /** Deletes what is older, in small transactions. */
  readonly run: (days: RetentionDays, options?: { readonly workspace?: string }) => Promise<RetentionCounts>
}

/** Proof of an erasure. It holds neither the number nor any other personal data. */
export interface ErasureReceipt {
  /** Last four digits of the number. */
  readonly phone_ending: string
  readonly workspace: string
  /** Real time, in ISO 8601. */
  readonly erased_at: string
  /** Rows that were erased. */
  readonly erased: {
    /** Records of calls, with their transcripts, recordings and facts. */
    readonly calls: number
    readonly attempts: number
    readonly webhooks: number
    /** Contacts of campaigns, which stay in counts without their number and variables. */
    readonly contacts: number
    readonly cohort_rows: number
    readonly dials: number
    /** Uploaded files of cohorts that listed the number, which are removed as a whole. */
    readonly files: number
  }
  /** Work that goes on, and so was left alone. */
  readonly open: { readonly attempts: number; readonly contacts: number; readonly webhooks: number }
  /** True when nothing was left. Blocked numbers stay in any case, since they keep the person from being called. */
  readonly complete: boolean
}

/** Methods that keep and delete the data of an engine. */
export interface DataMethods {
  /**
   * Copies the data folder to an empty folder while the engine runs: an exact snapshot of the database, files, secrets, and a
   * manifest with their hashes. Rejects for an engine in memory, and for one with a `database`, which `pg_dump` backs up.
   */
  readonly backup: (options: { readonly to: string }) => Promise<BackupReport>
  readonly retention: RetentionMethods
  /**
   * Erases all that a workspace holds of a phone number, and resolves with a receipt. What is still open stays, and the receipt
   * counts it.
   */
  readonly erase: (
    options: { readonly phone: string; readonly workspace?: string }
  ) => Promise<ErasureReceipt>
}
