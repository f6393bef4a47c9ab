import { spawnSync } from "node:child_process"
import { here, publish } from "./published.js"

/** How boards and call lists do over a million calls, beside the same SQL in bare better-sqlite3. */
export const run = async (): Promise<void> => {
  await publish("boards-warehouse.ts", "boards-lists.ts")
  for (const program of ["boards-warehouse", "boards-lists"]) {
    const { status } = spawnSync(process.execPath, [here(`dist/${program}.js`)], { stdio: "inherit" })
    if (status !== 0) throw new Error(`The bench ${program} failed`)
  }
}
