import { Effect, type Scope } from "effect"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { freePort, type PeerProcess, startPeer, temporaryFolder, untilBound } from "./PeerProcess.js"
import { scenario, type Step } from "./SippScenario.js"

/** Options of sipp. */
export interface SippOptions {
  readonly steps: ReadonlyArray<Step>
  /** Port of the other side, for scenarios that call; null for those that are called. */
  readonly remote: number | null
  /** Its own port; a free one by default. */
  readonly port?: number
  /** Seconds after which it gives up; 60 by default. */
  readonly timeout?: number
  /** Calls after which it ends; 1 by default. */
  readonly calls?: number
  /** Calls a second; 10 by default. */
  readonly rate?: number
  /** Most calls at the same time. */
  readonly limit?: number
  readonly transport?: "udp" | "tcp"
  /** User part of the number that it calls. */
  readonly service?: string
  readonly credentials?: { readonly user: string; readonly password: string }
  /** Further files of its folder, by name. */
  readonly files?: Readonly<Record<string, Uint8Array>>
}

/** A running sipp. */
export interface Sipp extends PeerProcess {
  readonly port: number
  /** All messages that it has sent and received. */
  readonly messages: () => string
  /** Completes when the scenario has ended; fails with what sipp says when it did not hold. */
  readonly outcome: Effect.Effect<void, string>
}

const readIfPresent = (path: string): string => existsSync(path) ? readFileSync(path, "utf8") : ""

/** Runs a scenario; one that waits for calls listens already. Its exit code tells whether the other side kept to it. */
export const startSipp = (options: SippOptions): Effect.Effect<Sipp, never, Scope.Scope> =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const port = options.port ?? (yield* freePort())
    const media = yield* freePort(3)
    writeFileSync(join(folder, "scenario.xml"), scenario(options.steps))
    for (const [name, content] of Object.entries(options.files ?? {})) writeFileSync(join(folder, name), content)
    const { calls = 1, credentials, limit, rate = 10, remote, service, timeout = 60, transport = "udp" } = options
    const sipp = yield* startPeer("sipp", [
      "-sf",
      "scenario.xml",
      ...(remote === null ? [] : [`127.0.0.1:${remote}`]),
      "-i",
      "127.0.0.1",
      "-p",
      String(port),
      "-mi",
      "127.0.0.1",
      "-mp",
      String(media),
      "-m",
      String(calls),
      "-r",
      String(rate),
      "-t",
      transport === "udp" ? "u1" : "t1",
      "-nostdin",
      ...(limit === undefined ? [] : ["-l", String(limit)]),
      ...(service === undefined ? [] : ["-s", service]),
      ...(credentials === undefined ? [] : ["-au", credentials.user, "-ap", credentials.password]),
      "-trace_err",
      "-error_file",
      "errors.log",
      "-trace_msg",
      "-message_file",
      "messages.log",
      "-timeout",
      String(timeout),
      "-timeout_error"
    ], { cwd: folder, ending: "SIGKILL" })
    if (remote === null) yield* untilBound(sipp, { port, transport })
    const outcome = Effect.flatMap(sipp.exitCode, (code) =>
      code === 0
        ? Effect.void
        : Effect.fail([
          `sipp ended with ${code}`,
          readIfPresent(join(folder, "errors.log")),
          readIfPresent(join(folder, "messages.log"))
        ].join("\n")))
    return { ...sipp, port, outcome, messages: () => readIfPresent(join(folder, "messages.log")) }
  })
