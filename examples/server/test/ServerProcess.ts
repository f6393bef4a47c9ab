import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const entry = new URL("../src/main.ts", import.meta.url).pathname
const key = "sk_test_suite_aSecretOfTheTestSuite"

/** A server in a process of its own. */
export interface ServerProcess {
  readonly url: string
  readonly process: ChildProcess
  /** Everything printed so far. */
  readonly output: () => string
  /** Completes once something like this was printed; fails when the process ends before. */
  readonly printed: (pattern: RegExp) => Promise<void>
  /** Sends the signal and completes with the exit code when the process is gone. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>
  readonly request: (path: string, init?: RequestInit) => Promise<Response>
}

/** Runs the server's command line and completes when it is over. */
export const runServer = async (args: ReadonlyArray<string>, how: Launch = {}) => {
  const { child, output } = launch(args, how)
  const [code] = await once(child, "exit")
  return { code, output: output() }
}

/** Arguments and environment variables of the Node.js process. */
export interface Launch {
  /** Default: the server's source. */
  readonly command?: ReadonlyArray<string>
  readonly environment?: NodeJS.ProcessEnv
}

const ready = /^trunkline ready (\S+)$/m

/** Starts the server, on a free port unless told, and completes when it says that it is ready. */
export const startServer = async (args: ReadonlyArray<string>, how: Launch = {}): Promise<ServerProcess> => {
  const { child, output } = launch(["--port", "0", ...args], how)
  const exited = once(child, "exit").then(([code]) => code)
  const printed = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (pattern.test(output())) resolve()
      }
      child.stdout?.on("data", look)
      void exited.then((code) => reject(new Error(`the server ended with ${code}:\n${output()}`)))
      look()
    })
  await printed(ready)
  const url = ready.exec(output())?.[1] ?? ""
  return {
    url,
    process: child,
    output,
    printed,
    stop: (signal) => {
      child.kill(signal)
      return exited
    },
    request: (path, init = {}) =>
      fetch(url + path, { ...init, headers: { "api-subscription-key": key, ...init.headers } })
  }
}

const fromSource = ["--conditions=@trunkline/source", "--import", "tsx", entry]

const launch = (args: ReadonlyArray<string>, { command = fromSource, environment }: Launch) => {
  const child = spawn(
    process.execPath,
    [...command, ...args],
    { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] }
  )
  const kill = () => child.kill("SIGKILL")
  process.once("exit", kill)
  child.once("exit", () => process.off("exit", kill))
  let text = ""
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => text += chunk.toString())
  return { child, output: () => text }
}

/** A folder that is gone after `remove`. */
export const temporaryFolder = () => {
  const path = mkdtempSync(join(tmpdir(), "trunkline-"))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Writes a small bootstrap file: one account, one workspace, one key, one agent with nothing but defaults. */
export const writeBootstrap = (folder: string, changes: Readonly<Record<string, unknown>> = {}): string => {
  const file = join(folder, "bootstrap.json")
  writeFileSync(
    file,
    JSON.stringify({
      accounts: [{ account_id: "acme" }],
      workspaces: [{ org_id: "acme", workspace_id: "main", account_id: "acme" }],
      keys: [{ key, account_id: "acme", label: "suite" }],
      agents: [{ app_id: "reminder", versions: [{ app_version: 1, committed: true }] }],
      connections: [{
        connection_id: "sim-1",
        provider: "simulator",
        phone_numbers: ["+911140000001"],
        max_channels: 50
      }],
      simulator: { speed: 120, rules: [{ suffix: "1", callee: "busy" }, { suffix: "2", callee: "no_answer" }] },
      limits: { enabled: false },
      allow_insecure_urls: true,
      allow_private_urls: true,
      ...changes
    })
  )
  return file
}
