import { spawnSync } from "node:child_process"
import { here, publish } from "./published.js"

/** Boards and call lists over a million calls, compared with the same SQL in bare better-sqlite3. */
export const run = async (): Promise<void> => {
  await publish("boards-warehouse.ts", "boards-lists.ts")
  for (const program of ["boards-warehouse", "boards-lists"]) {
    const { status } = spawnSync(process.execPath, [here(`dist/${program}.js`)], { stdio: "inherit" })
    if (status !== 0) throw new Error(`The bench ${program} failed`)
  }
}
