import type { Duration } from "effect"

/** Options of `SqlPostgres.layer` and `StoragePostgres.layer`. */
export interface PostgresOptions {
  /**
   * URL of the database, such as `postgres://user:password@host:5432/name?sslmode=verify-full`. The TLS options of libpq
   * apply: `sslmode`, `sslrootcert`, `sslcert` and `sslkey`.
   */
  readonly url: string
  /** Most connections at a time, beside one for the ownership; 10 by default. */
  readonly connections?: number
  /**
   * Time after which another process may take the database over from an owner that no longer writes heartbeats; 30 seconds
   * by default. There are six heartbeats per lease. A dial must finish within half a lease.
   */
  readonly lease?: Duration.DurationInput
  /** Business seconds per real second; 1 by default. Any other is for a process that has the database alone. */
  readonly speed?: number
  /** Name of this program among the connections of the server; `trunkline` by default. */
  readonly applicationName?: string
}

/** Most connections at a time, unless given. */
export const defaultConnections = 10
