import { isInstalled } from "../assembly/OptionalPackages.js"
import { StartError } from "../server/Explain.js"
import type { CommandCall } from "./Call.js"

const serverPackage = "@modelcontextprotocol/server"

/** The value of a flag, else of a variable. */
const given = ({ environment, flags }: CommandCall, flag: string, variable: string): string | undefined => {
  const value = flags[flag]
  return typeof value === "string" ? value : environment[variable] || undefined
}

/** `trunkline mcp`: serves tools over standard input and output until the input ends. It prints nothing else there. */
export const mcp = async (call: CommandCall): Promise<number> => {
  const key = given(call, "key", "TRUNKLINE_KEY")
  if (key === undefined) {
    throw new StartError("There is no key: set TRUNKLINE_KEY. npx trunkline keys create makes one")
  }
  if (!isInstalled(serverPackage)) throw new StartError(`trunkline mcp needs a package: npm i ${serverPackage}`)
  const { makeOperatorClient, serveOperator } = await import("@trunkline/mcp")
  const client = makeOperatorClient({
    baseUrl: given(call, "url", "TRUNKLINE_URL") ?? "http://127.0.0.1:8787",
    apiKey: key,
    workspace: given(call, "workspace", "TRUNKLINE_WORKSPACE") ?? "main/main"
  })
  if (typeof client === "string") throw new StartError(client)
  await serveOperator({ client, isReadOnly: call.flags["read-only"] === true, version: "1" })
  return 0
}
