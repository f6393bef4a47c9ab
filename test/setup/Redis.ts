import { Effect, Layer, Logger } from "effect"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { createClient, createCluster } from "redis"

/** URL of an optional shared Redis for tests. */
export const sharedUrl = "redis://127.0.0.1:6379"

/** True when a Redis responds there. */
export const sharedAnswers = await (async () => {
  const client = createClient({ url: sharedUrl, socket: { connectTimeout: 1_000, reconnectStrategy: false } })
  client.on("error", () => {})
  try {
    await client.connect()
    await client.ping()
    return true
  } catch {
    return false
  } finally {
    client.destroy()
  }
})()

/** True when a Redis can be started. */
export const canStart = spawnSync("redis-server", ["--version"]).status === 0

/** A connected client, closed with the scope. */
export const clientOf = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(() => createClient({ url }).on("error", () => {}).connect()),
    (client) => Effect.sync(() => client.destroy())
  )

/** A unique prefix whose keys are removed from the shared Redis after the scope. */
export const freshPrefix = Effect.acquireRelease(
  Effect.sync(() => `trunkline-test:${randomUUID()}:`),
  (prefix) =>
    Effect.scoped(Effect.flatMap(clientOf(sharedUrl), (client) =>
      Effect.promise(async () => {
        for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1_000 })) {
          if (keys.length > 0) await client.del(keys)
        }
      })))
)

/** A free port. */
export const freePort = Effect.async<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})

/** A private Redis, which keeps its port across restarts and is killed with the scope. */
export const ownRedis = (...settings: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const port = yield* freePort
    let child: ChildProcess | undefined
    const start = Effect.async<void>((resume) => {
      const started = spawn(
        "redis-server",
        ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", ...settings],
        { stdio: ["ignore", "pipe", "ignore"] }
      )
      child = started
      createInterface(started.stdout).on("line", (line) => {
        if (line.includes("Ready to accept connections")) resume(Effect.void)
      })
    })
    const kill = Effect.async<void>((resume) => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
      child.once("exit", () => resume(Effect.void))
      child.kill("SIGKILL")
    })
    const signal = (name: "SIGSTOP" | "SIGCONT") => Effect.sync(() => void child?.kill(name))
    yield* Effect.addFinalizer(() => kill)
    return { url: `redis://127.0.0.1:${port}`, start, kill, signal }
  })

/** A Redis Cluster of one node, with a client. */
export const ownCluster = Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
  )
  const port = String(yield* freePort)
  const redis = yield* ownRedis("--dir", folder, "--cluster-enabled", "yes", "--cluster-port", port)
  yield* redis.start
  const node = yield* clientOf(redis.url)
  yield* Effect.promise(() => node.clusterAddSlotsRange({ start: 0, end: 16_383 }))
  yield* Effect.repeat(Effect.delay(Effect.promise(() => node.clusterInfo()), "50 millis"), {
    until: (info) => String(info).includes("cluster_state:ok")
  })
  return yield* Effect.acquireRelease(
    Effect.promise(() => createCluster({ rootNodes: [{ url: redis.url }] }).on("error", () => {}).connect()),
    (client) => Effect.sync(() => client.destroy())
  )
})

/** A logger that records its lines. */
export const recordingLogger = () => {
  const lines: Array<{ readonly level: string; readonly text: string }> = []
  const logger = Logger.make<unknown, void>(({ cause, logLevel, message }) => {
    lines.push({ level: logLevel.label, text: JSON.stringify([message, cause]) })
  })
  const texts = (level: string) => lines.filter((line) => line.level === level).map(({ text }) => text)
  return { layer: Logger.replace(Logger.defaultLogger, logger), lines, texts }
}

/** Waits until a condition holds. */
export const until = (holds: () => boolean) => Effect.repeat(Effect.sleep("10 millis"), { until: () => holds() })

/** Builds a layer that logs to `log`. */
export const built = <A, E>(live: Layer.Layer<A, E>, log: ReturnType<typeof recordingLogger>) =>
  Layer.build(Layer.provide(live, log.layer))
