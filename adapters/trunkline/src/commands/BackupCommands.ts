import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { backUp } from "../data/Backup.js"
import { restore as restoreFrom } from "../data/Restore.js"
import { StartError } from "../server/Explain.js"
import type { CommandCall } from "./Call.js"
import { dataFolder } from "./DataFolders.js"

const sizeOf = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MiB`

/** The folder of a flag that is needed. */
const folderOf = ({ flags, folder }: CommandCall, name: string): string => {
  const value = flags[name]
  if (typeof value !== "string") throw new StartError(`--${name} is missing: name a folder`)
  return resolve(folder, value)
}

const isFolder = (place: string): boolean => place !== "postgres" && !/^[a-z][a-z0-9+.-]+:/i.test(place)

/** `trunkline backup`: copies the data of a server on SQLite. */
export const backup = async (call: CommandCall): Promise<number> => {
  const to = folderOf(call, "to")
  if (call.flags["data"] === undefined && call.environment["TRUNKLINE_DATABASE"]) {
    throw new StartError(
      "TRUNKLINE_DATABASE names a PostgreSQL database: back it up with pg_dump, as docs/operations.md shows"
    )
  }
  const data = dataFolder(call)
  const place = call.flags["files"] ?? (call.environment["TRUNKLINE_FILES"] || undefined)
  const files = typeof place !== "string"
    ? join(data, "files")
    : isFolder(place)
    ? resolve(call.folder, place)
    : null
  const { bytes, files: count, folder } = await backUp({ data, files, to })
  call.print(`Backed up ${count} files, ${sizeOf(bytes)}, to ${folder}`)
  if (files === null) {
    call.print("Uploaded files and recordings are not in it: they are kept elsewhere, so back up that place.")
  }
  return 0
}

/** `trunkline restore`: puts a backup into an empty data folder. */
export const restore = async (call: CommandCall): Promise<number> => {
  const from = folderOf(call, "from")
  if (!existsSync(from)) throw new StartError(`There is no folder ${from}: name that of a backup with --from`)
  const { bytes, files, folder, made_at } = await restoreFrom({ from, data: dataFolder(call) })
  call.print(`Restored ${files} files, ${sizeOf(bytes)}, of ${made_at} to ${folder}`)
  call.print("The server forgets what happened since then: pause campaigns first, so that nobody is called again.")
  call.print("Warehouses of boards are refilled when it starts.")
  return 0
}
