import { Deferred, Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { createSocket } from "node:dgram"
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, isAbsolute, join } from "node:path"

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Folders of the system's own programs, which are not on everybody's path. */
const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"]

/** Path of a program; undefined where it is not installed. */
export const toolPath = (name: string): string | undefined =>
  folders.map((folder) => join(folder, name)).find(isExecutable)

/** True where all programs are installed. Tests that need them are skipped elsewhere. */
export const hasTools = (...names: ReadonlyArray<string>): boolean =>
  names.every((name) => toolPath(name) !== undefined)

const bindUdp = (port: number) =>
  new Promise<number>((resolve, reject) => {
    const socket = createSocket("udp4")
    socket.once("error", reject)
    socket.bind(port, "127.0.0.1", () => {
      const bound = socket.address().port
      socket.close(() => resolve(bound))
    })
  })

const bindTcp = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () => server.close(() => resolve()))
  })

/** A port that is free for UDP and TCP on 127.0.0.1, with as many free ports after it as asked for. */
export const freePort = (following = 0): Effect.Effect<number> =>
  Effect.promise(async () => {
    for (let attempt = 0; attempt < 50; attempt++) {
      try {
        const first = await bindUdp(0)
        const port = first - first % 2
        for (let at = port; at <= port + following; at++) {
          await bindUdp(at)
          await bindTcp(at)
        }
        return port
      } catch {
        continue
      }
    }
    throw new Error("There is no free port")
  })

/** A folder that is removed with the scope. */
export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-sip-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** A program that runs as long as the scope. */
export interface PeerProcess {
  /** Completes with its exit code when it ends. */
  readonly exitCode: Effect.Effect<number>
  /** All that it has printed. */
  readonly output: () => string
  /** Asks it to end. */
  readonly signal: (signal: NodeJS.Signals) => Effect.Effect<void>
}

/** The sockets of this machine, as Linux lists them. */
const socketTables = { udp: "/proc/net/udp", tcp: "/proc/net/tcp" } as const

/** Checks for a socket on a port without taking it; true where the system does not tell. */
const isBound = (port: number, transport: keyof typeof socketTables): boolean => {
  const table = socketTables[transport]
  const local = new RegExp(`^ *\\d+: \\w+:${port.toString(16).padStart(4, "0")} `, "im")
  return !existsSync(table) || local.test(readFileSync(table, "utf8"))
}

/** Waits until a program has a socket on its port, or has ended. */
export const untilBound = (
  { exitCode }: PeerProcess,
  { port, transport }: { readonly port: number; readonly transport: keyof typeof socketTables }
): Effect.Effect<void> => {
  const look = Effect.delay(Effect.sync(() => isBound(port, transport)), "10 millis")
  return Effect.raceFirst(Effect.repeat(look, { until: (bound) => bound }), exitCode).pipe(Effect.asVoid)
}

const isRunning = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null

/** Milliseconds after which a program that was asked to end is killed. */
const graceMillis = 2_000

/** Starts a program, by its name or path. It is asked to end with the scope, killed when it does not, and waited for. */
export const startPeer = (
  name: string,
  args: ReadonlyArray<string>,
  { cwd, ending = "SIGTERM", env = {} }: {
    readonly cwd: string
    readonly ending?: NodeJS.Signals
    /** Variables beside those of this process. */
    readonly env?: Readonly<Record<string, string>>
  }
): Effect.Effect<PeerProcess, never, Scope.Scope> =>
  Effect.gen(function*() {
    const exit = yield* Deferred.make<number>()
    let output = ""
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const peer = spawn(isAbsolute(name) ? name : toolPath(name) ?? name, args, {
          cwd,
          env: { ...process.env, ...env },
          stdio: ["ignore", "pipe", "pipe"]
        })
        peer.stdout.on("data", (data) => output += String(data))
        peer.stderr.on("data", (data) => output += String(data))
        peer.once("error", (error) => output += String(error))
        peer.once("close", (code) => Deferred.unsafeDone(exit, Effect.succeed(code ?? -1)))
        return peer
      }),
      (peer) =>
        Effect.suspend(() => {
          if (!isRunning(peer)) return Effect.void
          peer.kill(ending)
          return Effect.interruptible(Deferred.await(exit)).pipe(
            Effect.timeoutFail({ duration: graceMillis, onTimeout: () => "running" }),
            Effect.catchAll(() => {
              peer.kill("SIGKILL")
              return Deferred.await(exit)
            })
          )
        })
    )
    return {
      exitCode: Deferred.await(exit),
      output: () => output,
      signal: (signal) => Effect.sync(() => void (isRunning(child) && child.kill(signal)))
    }
  })
