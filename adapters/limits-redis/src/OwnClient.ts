import { Effect, type Scope } from "effect"
import { createClient } from "redis"

/** How long a connection may take to open, and how long the first one is waited for. */
const connectMillis = 2_000

/** A quiet connection is tried this often, and given up when nothing has come for longer than that. */
const pingMillis = 2_000
const silentMillis = 5_000

const shortestPause = 50
const longestPause = 2_000

/** Pauses that double, each up to a half longer by chance, so that not every process comes back at once. */
const pauseBefore = (retries: number) => Math.min(shortestPause * 2 ** retries, longestPause) * (1 + Math.random() / 2)

const create = (url: string) => {
  try {
    return createClient({
      url,
      disableOfflineQueue: true,
      pingInterval: pingMillis,
      commandOptions: { timeout: 0 },
      socket: { connectTimeout: connectMillis, socketTimeout: silentMillis, reconnectStrategy: pauseBefore }
    })
  } catch {
    throw new Error("The address of Redis should be a redis:// or rediss:// URL")
  }
}

/** A client of its own, which keeps trying to connect until the scope ends. It dies when it cannot read the URL. */
export const ownClient = (url: string): Effect.Effect<ReturnType<typeof create>, never, Scope.Scope> =>
  Effect.acquireRelease(Effect.sync(() => create(url)), (client) => Effect.sync(() => client.destroy()))

/** Starts connecting, and waits for the first try. `lost` hears of everything that leaves it without a connection. */
export const connect = (
  client: ReturnType<typeof create>,
  lost: (error: unknown) => void
): Effect.Effect<void> =>
  Effect.async((resume) => {
    const started = () => {
      clearTimeout(timer)
      resume(Effect.void)
    }
    const timer = setTimeout(started, connectMillis)
    client.once("error", started).on("error", (error) => {
      if (!client.isReady) lost(error)
    })
    client.connect().then(started, started)
  })
