import { Effect, type Scope } from "effect"
import type { createClient } from "redis"

/** Connection timeout, and maximum wait for the first connection. */
const connectMillis = 2_000

/** Ping interval, and maximum silence before a connection is closed. */
const pingMillis = 2_000
const silenceMillis = 5_000

const minBackoff = 50
const maxBackoff = 2_000

/** Exponential backoff with up to 50% jitter, so that processes do not reconnect at the same time. */
const backoff = (retries: number) => Math.min(minBackoff * 2 ** retries, maxBackoff) * (1 + Math.random() / 2)

const create = (make: typeof createClient, url: string) => {
  try {
    return make({
      url,
      disableOfflineQueue: true,
      pingInterval: pingMillis,
      commandOptions: { timeout: 0 },
      socket: { connectTimeout: connectMillis, socketTimeout: silenceMillis, reconnectStrategy: backoff }
    })
  } catch {
    throw new Error("The Redis URL must be a redis:// or rediss:// URL")
  }
}

/**
 * Makes a client that reconnects until the scope ends; dies when the URL is invalid. The package is loaded only here, so that
 * programs without Redis can be bundled without it.
 */
export const makeClient = (url: string): Effect.Effect<ReturnType<typeof create>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => create((await import("redis")).createClient, url)),
    (client) => Effect.sync(() => client.destroy())
  )

/** Starts connecting and waits for the first attempt. `lost` is called with every error that disconnects the client. */
export const connect = (
  client: ReturnType<typeof create>,
  onLost: (error: unknown) => void
): Effect.Effect<void> =>
  Effect.async((resume) => {
    const finish = () => {
      clearTimeout(timer)
      resume(Effect.void)
    }
    const timer = setTimeout(finish, connectMillis)
    client.once("error", finish).on("error", (error) => {
      if (!client.isReady) onLost(error)
    })
    client.connect().then(finish, finish)
  })
