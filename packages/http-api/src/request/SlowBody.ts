import { ChunksTooSmall } from "./SmallChunks.js"

/** Lowest pace of a body. */
export interface BodyPace {
  /** Longest time without any bytes, in milliseconds; 30 seconds by default. */
  readonly idleTimeout?: number
  /**
   * Bytes a second that must arrive on average, after the first `idleTimeout`; 500 by default, as in Apache's
   * `RequestReadTimeout`. Only the time that the server waits for the client counts.
   */
  readonly minimumRate?: number
}

/** The client sent a body, or a part of it, too slowly. */
export class BodyTooSlow extends Error {
  override readonly name = "BodyTooSlow"
}

/** Message of a failure to read a body whose client was too slow or sent chunks that are too small; undefined for others. */
export const slownessOf = (error: unknown): string | undefined =>
  error instanceof BodyTooSlow || error instanceof ChunksTooSmall
    ? error.message
    : typeof error === "object" && error !== null && "cause" in error
    ? slownessOf(error.cause)
    : undefined

/** A body that is being received, measured while its reader waits for bytes. */
export interface BodyProgress {
  /** Milliseconds that the next bytes may take; none are left at zero. */
  readonly patience: () => number
  /** Counts bytes, and the milliseconds that the reader has waited for them. */
  readonly countBytes: (bytes: number, waitMillis: number) => void
  /** The failure of a body that takes longer than that. */
  readonly tooSlow: () => BodyTooSlow
}

/** Measures a body that is being received. */
export const measureProgress = ({ idleTimeout = 30_000, minimumRate = 500 }: BodyPace = {}): BodyProgress => {
  let byteCount = 0
  let waitMillis = 0
  return {
    patience: () => Math.max(0, Math.min(idleTimeout, idleTimeout + byteCount / minimumRate * 1_000 - waitMillis)),
    countBytes: (bytes, millis) => {
      byteCount += bytes
      waitMillis += millis
    },
    tooSlow: () =>
      new BodyTooSlow(
        `The body arrived too slowly. Send at least ${minimumRate} bytes a second, without pauses of ${
          idleTimeout / 1_000
        } seconds.`
      )
  }
}

/**
 * Limits of reading on after the response to a request whose body still arrives, so that the client receives the response
 * rather than a reset (RFC 9112, section 9.6). Times are those of nginx's `lingering_time` and
 * `lingering_timeout`, in milliseconds.
 */
export const lingerLimits = { bytes: 268_435_456, total: 30_000, idle: 5_000 } as const
