import { resolve } from "node:path"
import { StartError } from "../server/Explain.js"
import type { CommandCall } from "./Call.js"

/** The data folder that a command works on. */
export const dataFolder = ({ environment, flags, folder }: CommandCall): string => {
  const given = String(flags["data"] ?? (environment["TRUNKLINE_DATA"] || ".trunkline"))
  if (given === ":memory:") {
    throw new StartError("--data: Must be a folder: a database in memory is not accessible to other processes")
  }
  return resolve(folder, given)
}

/** URL of the PostgreSQL database that a command works on; null for the SQLite one of the folder. */
export const databaseUrl = ({ environment, flags }: CommandCall): string | null => {
  const given = flags["database"] ?? (flags["data"] === undefined ? environment["TRUNKLINE_DATABASE"] || null : null)
  return typeof given === "string" ? given : null
}
