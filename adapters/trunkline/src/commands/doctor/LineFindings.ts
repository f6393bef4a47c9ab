import { Effect } from "effect"
import { isHosted } from "../../assembly/HostedProviders.js"
import { type Finding, finding } from "../../data/Doctor.js"
import type { Environment } from "../../server/ConfigFields.js"
import type { LoadedConfig } from "../../server/LoadConfig.js"

const linesOf = (loadedConfig: LoadedConfig) =>
  loadedConfig.kind === "json" ? loadedConfig.config.connections : loadedConfig.options.lines ?? []

/** Findings about the lines of hosted providers: if each takes our credentials. No call is made. */
export const lineFindings = async (
  loadedConfig: LoadedConfig,
  environment: Environment
): Promise<ReadonlyArray<Finding>> => {
  const lines = linesOf(loadedConfig).filter(({ provider }) => isHosted(provider))
  if (lines.length === 0) return []
  const { checkLine } = await import("@trunkline/carrier-media-websocket")
  return Promise.all(lines.map(async ({ connection_id, options = {}, provider }) => {
    const problem = await Effect.runPromise(checkLine({ provider, options }, environment))
    return problem === null
      ? finding(`line ${connection_id}`, `${provider} takes the credentials`)
      : finding(
        `line ${connection_id}`,
        `${provider}: ${problem}`,
        "compare the options of the line with the account, and check the network"
      )
  }))
}
