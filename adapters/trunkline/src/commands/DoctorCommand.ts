import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { diagnose, type Finding } from "../data/Doctor.js"
import { InvalidOption } from "../options/InvalidOption.js"
import { StartError } from "../server/Explain.js"
import type { CommandCall } from "./Call.js"
import { databaseUrl, dataFolder } from "./DataFolders.js"

/** Configuration file that is looked for where none is named. */
const defaultFile = "trunkline.config.json"

/**
 * Calls the model, the voices and the transcriber of the configuration once each, the MCP servers and the providers of phone lines,
 * where there is one.
 */
const configuredFindings = async ({ environment, flags, folder }: CommandCall): Promise<ReadonlyArray<Finding>> => {
  const configPath = flags["config"] ?? (environment["TRUNKLINE_CONFIG"] || undefined)
  const file = resolve(folder, String(configPath ?? defaultFile))
  if (configPath === undefined && !existsSync(file)) return []
  // Loaded here, since a doctor without a configuration calls nobody.
  const { loadConfig, loadEnvironment } = await import("../server/LoadConfig.js")
  const { configuredParts } = await import("./doctor/ConfiguredParts.js")
  const { lineFindings } = await import("./doctor/LineFindings.js")
  const { priceFinding } = await import("./doctor/PriceFindings.js")
  const { serverFindings } = await import("./doctor/McpFindings.js")
  const { probe } = await import("./doctor/ProviderProbes.js")
  loadEnvironment(file)
  try {
    const loadedConfig = await loadConfig(file, environment)
    const findings: Array<Finding> = []
    for (const part of configuredParts(loadedConfig, environment)) findings.push(await probe(part))
    return [
      ...findings,
      ...await serverFindings(loadedConfig, environment),
      ...await lineFindings(loadedConfig, environment),
      priceFinding(loadedConfig, environment)
    ]
  } catch (error) {
    if (!(error instanceof StartError || error instanceof InvalidOption)) throw error
    const detail = error.message.split("\n").map((line) => line.trim()).join(" ")
    return [{
      name: "configuration",
      ok: false,
      detail,
      advice: "correct it, and check it with trunkline serve --check"
    }]
  }
}

/**
 * `trunkline doctor`: checks a data folder or database, calls the services of the configuration, and says what to do. Exits with 1
 * when something needs work.
 */
export const doctor = async (call: CommandCall): Promise<number> => {
  const { environment, flags, print } = call
  const findings = [
    ...await diagnose({
      data: dataFolder(call),
      database: databaseUrl(call),
      port: Number(environment["PORT"] || 8787)
    }),
    ...await configuredFindings(call)
  ]
  if (flags["json"] === true) print(JSON.stringify(findings, null, 2))
  else {
    const width = Math.max(...findings.map(({ name }) => name.length))
    for (const { advice, detail, name, ok } of findings) {
      print(`${ok ? "ok  " : "FAIL"} ${name.padEnd(width)}  ${detail}${advice === null ? "" : `: ${advice}`}`)
    }
  }
  return findings.every(({ ok }) => ok) ? 0 : 1
}
