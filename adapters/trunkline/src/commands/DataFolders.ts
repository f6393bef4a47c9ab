import { resolve } from "node:path"
import { StartError } from "../server/Explain.js"
import type { CommandCall } from "./Call.js"

/** The data folder that a command works on. */
export const dataFolder = ({ environment, flags, folder }: CommandCall): string => {
  const path = String(flags["data"] ?? (environment["TRUNKLINE_DATA"] || ".trunkline"))
  if (path === ":memory:") {
    throw new StartError("--data: Must be a folder: a database in memory is not accessible to other processes")
  }
  return resolve(folder, path)
}

/** URL of the PostgreSQL database that a command works on; null for the SQLite one of the folder. */
export const databaseUrl = ({ environment, flags }: CommandCall): string | null => {
  const url = flags["database"] ?? (flags["data"] === undefined ? environment["TRUNKLINE_DATABASE"] || null : null)
  return typeof url === "string" ? url : null
}
