import { StartError } from "../../server/Explain.js"
import type { CommandCall } from "../Call.js"

/** Access of a command to a running server. */
export interface ServerAccess {
  readonly baseUrl: string
  readonly apiKey: string
  /** As `org/workspace`. */
  readonly workspace: string
}

/** The value of a flag, else of a variable. */
const settingOf = ({ environment, flags }: CommandCall, flag: string, variable: string): string | undefined => {
  const value = flags[flag]
  return typeof value === "string" ? value : environment[variable] || undefined
}

/** Reads `--url`, `--key` and `--workspace`, or their variables. Throws `StartError` without a key. */
export const serverAccess = (call: CommandCall): ServerAccess => {
  const apiKey = settingOf(call, "key", "TRUNKLINE_KEY")
  if (apiKey === undefined) {
    throw new StartError("There is no key: set TRUNKLINE_KEY. npx trunkline keys create makes one")
  }
  return {
    baseUrl: settingOf(call, "url", "TRUNKLINE_URL") ?? "http://127.0.0.1:8787",
    apiKey,
    workspace: settingOf(call, "workspace", "TRUNKLINE_WORKSPACE") ?? "main/main"
  }
}
