import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { endProcesses, endWithBench } from "./processes.js"
import { here } from "./published.js"

const seconds = Number(process.env["SECONDS_AT_REST"] ?? 30)

/** Time that V8 needs to release the memory of the startup: three garbage collections. */
const settlingMillis = 40_000

/** Maximum CPU time of an idle server, in milliseconds per second. */
const most = 5

/** CPU time of a process so far, in milliseconds; Linux counts in hundredths of a second. */
const processorTime = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Starts Node.js, and resolves with its process once it has printed that it is ready. */
const ready = async (args: ReadonlyArray<string>): Promise<number> => {
  const child = spawn(process.execPath, args, { cwd: here(".."), stdio: ["ignore", "pipe", "inherit"] })
  endWithBench(child)
  for await (const line of createInterface(child.stdout)) if (/\bready\b/.test(line)) break
  child.stdout.resume()
  return child.pid ?? Number.NaN
}

const bareServer = "require('node:http').createServer().listen(0, () => console.log('ready'))"

/** Prints the CPU time of the idle reference server, compared with a bare `node:http` server; Linux only. */
export const run = async (): Promise<void> => {
  const data = mkdtempSync(join(tmpdir(), "trunkline-idle-"))
  try {
    const servers = {
      trunkline: await ready(
        ["--conditions=@trunkline/source", "--import", "tsx", "examples/server/src/main.ts", "--no-demo", "--port", "0"]
          .concat("--data", data)
      ),
      bare: await ready(["-e", bareServer])
    }
    const rest = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))
    await rest(settlingMillis)
    const before = { trunkline: processorTime(servers.trunkline), bare: processorTime(servers.bare) }
    await rest(seconds * 1_000)
    const each = {
      trunkline: (processorTime(servers.trunkline) - before.trunkline) / seconds,
      bare: (processorTime(servers.bare) - before.bare) / seconds
    }
    console.log(
      `at rest for ${seconds} s: trunkline ${each.trunkline.toFixed(1)} ms of processor time a second, bare ${
        each.bare.toFixed(1)
      }`
    )
    if (each.trunkline > most) throw new Error(`A server at rest may take ${most} ms a second`)
  } finally {
    endProcesses()
    rmSync(data, { recursive: true, force: true })
  }
}
