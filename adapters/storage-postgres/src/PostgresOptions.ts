import type { Duration } from "effect"

/** Options of `SqlPostgres.layer` and `StoragePostgres.layer`. */
export interface PostgresOptions {
  /**
   * URL of the database, such as `postgres://user:password@host:5432/name?sslmode=verify-full`. The TLS options of libpq
   * apply: `sslmode`, `sslrootcert`, `sslcert` and `sslkey`.
   */
  readonly url: string
  /** Most connections at a time, beside one for heartbeats; 10 by default. */
  readonly connections?: number
  /**
   * Time without heartbeats after which other processes take over the work of this one; 30 seconds by default. There are
   * six heartbeats per lease. A dial must finish within half a lease.
   */
  readonly lease?: Duration.DurationInput
  /** Business seconds per real second; 1 by default. Any other is for a process that has the database alone. */
  readonly speed?: number
  /** Name of this program among the connections of the server; `trunkline` by default. */
  readonly applicationName?: string
}

/** Options of `SqlPostgres.layerBeside` and `StoragePostgres.layerBeside`. */
export interface PostgresBesideOptions extends Omit<PostgresOptions, "lease"> {
  /** Number of the fence under which this process owns the database. Nothing is written once another process owns it. */
  readonly fence: number
}

/** Most connections at a time, unless given. */
export const defaultConnections = 10
