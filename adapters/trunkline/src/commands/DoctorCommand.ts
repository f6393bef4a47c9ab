import { diagnose } from "../data/Doctor.js"
import type { CommandCall } from "./Call.js"
import { databaseUrl, dataFolder } from "./DataFolders.js"

/** `trunkline doctor`: checks a data folder or database, and says what to do. Exits with 1 when something needs work. */
export const doctor = async (call: CommandCall): Promise<number> => {
  const { environment, flags, print } = call
  const findings = await diagnose({
    data: dataFolder(call),
    database: databaseUrl(call),
    port: Number(environment["PORT"] || 8787)
  })
  if (flags["json"] === true) print(JSON.stringify(findings, null, 2))
  else {
    const width = Math.max(...findings.map(({ name }) => name.length))
    for (const { advice, detail, name, ok } of findings) {
      print(`${ok ? "ok  " : "FAIL"} ${name.padEnd(width)}  ${detail}${advice === null ? "" : `: ${advice}`}`)
    }
  }
  return findings.every(({ ok }) => ok) ? 0 : 1
}
