// Records a CPU profile of this process, into the folder that TRUNKLINE_PROFILE names, from its start to its end.
import { mkdirSync, writeFileSync } from "node:fs"
import { Session } from "node:inspector"
import { basename, join } from "node:path"
import { isMainThread } from "node:worker_threads"

const folder = process.env.TRUNKLINE_PROFILE

if (folder !== undefined && isMainThread) {
  const session = new Session()
  session.connect()
  session.post("Profiler.enable")
  session.post("Profiler.setSamplingInterval", { interval: 500 })
  session.post("Profiler.start")
  process.on("exit", () =>
    session.post("Profiler.stop", (error, result) => {
      if (error !== null) return
      mkdirSync(folder, { recursive: true })
      const program = [basename(process.argv[1] ?? "node"), ...process.argv.slice(2, 3)].join("-").replaceAll(
        /[^\w.-]/g,
        "_"
      )
      writeFileSync(join(folder, `${program.slice(0, 80)}.${process.pid}.cpuprofile`), JSON.stringify(result.profile))
    }))
  if (process.send !== undefined) process.once("SIGTERM", () => process.exit(0))
}
