import { isInstalled } from "../../assembly/OptionalPackages.js"
import { StartError } from "../../server/Explain.js"
import type { CommandCall } from "../Call.js"
import { serverAccess } from "./ServerAccess.js"

const serverPackage = "@modelcontextprotocol/server"

/** `trunkline mcp`: serves tools over standard input and output until the input ends. It prints nothing else there. */
export const mcp = async (call: CommandCall): Promise<number> => {
  const access = serverAccess(call)
  if (!isInstalled(serverPackage)) throw new StartError(`trunkline mcp needs a package: npm i ${serverPackage}`)
  const { makeOperatorClient, serveOperator } = await import("@trunkline/mcp")
  const client = makeOperatorClient(access)
  if (typeof client === "string") throw new StartError(client)
  await serveOperator({ client, isReadOnly: call.flags["read-only"] === true, version: "1" })
  return 0
}
