import { Bus, makeBusMember } from "@trunkline/kernel"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { connect, makeClient } from "./RedisClient.js"

/** Options of `BusRedis.layer`. */
export interface BusRedisOptions {
  /** Redis server: a URL such as `redis://user:password@host:6379/0`. */
  readonly url: string
  /** Name of the channel; the same for the processes of one database, and `trunkline:bus` by default. */
  readonly channel?: string
}

/**
 * `Bus` over a channel of Redis, for servers that have one for their limits.
 *
 * @example
 * ```ts
 * const bus = BusRedis.layer({ url: "redis://127.0.0.1:6379", channel: "trunkline:production" })
 * ```
 */
export const BusRedis = {
  /**
   * The bus of the processes that use a channel, on two connections. Hints are sent every 10 ms at most. Lost connections
   * are made again after 50 ms to 3 s; silent ones are found within 5 s. Never fails: while there is no connection, processes
   * only learn by polling. Dies when the URL is invalid.
   */
  layer: ({ channel = "trunkline:bus", url }: BusRedisOptions): Layer.Layer<Bus> =>
    Layer.scoped(
      Bus,
      Effect.gen(function*() {
        const member = makeBusMember(randomUUID())
        const [sender, listener] = [yield* makeClient(url), yield* makeClient(url)]
        const ready = yield* Effect.makeLatch(false)
        sender.on("ready", () => ready.unsafeOpen())
        // A failed subscription is made again at the next connection; a second one costs nothing.
        const subscribe = () => listener.subscribe(channel, member.receive).then(member.onConnected, () => undefined)
        listener.on("ready", () => void subscribe())
        const onLost = () => {
          if (!sender.isReady) ready.unsafeClose()
        }
        yield* Effect.all([connect(sender, onLost), connect(listener, () => undefined)], { concurrency: 2 })
        if (listener.isReady) yield* Effect.promise(subscribe)
        const send = (texts: ReadonlyArray<string>) =>
          Effect.promise(() =>
            Promise.all(texts.map((text) => sender.publish(channel, text))).then(() => true, () => false)
          )
        yield* Effect.forkScoped(member.sendOver({ ready: ready.await, send }))
        return member.bus
      })
    )
}
