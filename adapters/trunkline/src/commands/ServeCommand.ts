import type { Engine } from "@trunkline/engine"
import { Either, type Layer } from "effect"
import { resolve } from "node:path"
import { engineOf } from "../server/EngineOf.js"
import { StartError } from "../server/Explain.js"
import { loadConfig, type LoadedConfig, loadEnvironment, moduleEngine } from "../server/LoadConfig.js"
import { consolePage, loadConsole, openUrl, pageUrl } from "../server/Page.js"
import { firstDoor } from "../server/Pasteable.js"
import { printedSchema } from "../server/PrintedSchema.js"
import { runServer } from "../server/RunServer.js"
import { fileSettings, readSettings, type ServerSettings } from "../server/ServerSettings.js"
import { otelVariables, serverTelemetry } from "../server/ServerTelemetry.js"
import { speechLine } from "../server/speech/Speech.js"
import type { CommandCall } from "./Call.js"

/** Configuration file that is used where none is named. */
const defaultFile = "trunkline.config.json"

/** Settings of a configuration file that has them. */
const settingsIn = (loadedConfig: LoadedConfig): Readonly<Record<string, unknown>> =>
  loadedConfig.kind === "json"
    ? Object.fromEntries(Object.entries(loadedConfig.config).filter(([name]) => name in fileSettings))
    : {}

/** The engine of a configuration, and lines for the operator that are printed once it runs. */
interface Prepared {
  readonly settings: ServerSettings
  readonly engine: Layer.Layer<Engine, unknown>
  readonly lines: (url: string, hasConsole: boolean) => Promise<ReadonlyArray<string>>
}

const prepare = async (file: string, { environment, flags, folder }: CommandCall): Promise<Prepared> => {
  const loadedConfig = await loadConfig(file, environment)
  const read = readSettings({ flags, environment, file: settingsIn(loadedConfig), folder })
  if (Either.isLeft(read)) throw new StartError(["The settings cannot be used:", ...read.left].join("\n  "))
  const settings = read.right
  if (loadedConfig.kind === "module") {
    const isGiven = (setting: string) =>
      flags[setting] !== undefined || Boolean(environment[`TRUNKLINE_${setting.toUpperCase().replaceAll("-", "_")}`])
    const engine = await moduleEngine(file, loadedConfig.options, {
      settings,
      isGiven,
      variables: otelVariables(environment)
    })
    return { settings, engine, lines: () => Promise.resolve([]) }
  }
  const { config } = loadedConfig
  const address = { url: config.mail?.public_url ?? null }
  const telemetry = await serverTelemetry(config, environment)
  const engine = engineOf(config, { ...settings, telemetry }, {
    boardUrl: ({ org_id, workspace_id }, board) =>
      address.url && pageUrl(address.url, { org: org_id, workspace: workspace_id, board })
  })
  return {
    settings,
    engine,
    lines: async (url, hasConsole) => {
      address.url ??= url
      const door = firstDoor(config)
      return [
        await speechLine(config.speech),
        ...(door === undefined
          ? ["No key of the configuration opens a workspace. npx trunkline keys create makes one."]
          : hasConsole
          ? ["Open the console in a browser:", "", openUrl(url, door)]
          : settings.console.mode === "off"
          ? []
          : ["For a console in the browser: npm i @trunkline/console"])
      ]
    }
  }
}

/** `trunkline serve`: serves a configuration until the process is told to stop. */
export const serve = async (call: CommandCall): Promise<number> => {
  if (call.flags["print-schema"] === true) {
    call.print(JSON.stringify(printedSchema(), null, 2))
    return 0
  }
  const configFile = call.flags["config"] ?? (call.environment["TRUNKLINE_CONFIG"] || defaultFile)
  const file = resolve(call.folder, String(configFile))
  loadEnvironment(file)
  const { engine, lines, settings } = await prepare(file, call)
  if (call.flags["check"] === true) {
    call.print(`The configuration ${file} is fine.`)
    return 0
  }
  const page = settings.roles.includes("api") ? await loadConsole(settings.console, call.print) : null
  const { metricsUrl, url } = await runServer(engine, {
    ...settings,
    ...(page !== null && { page: consolePage(page) }),
    onStop: () => call.print("Finishing the calls that are going on, then stopping; once more to stop at once")
  })
  call.print(`trunkline ready ${url}`)
  if (metricsUrl !== null) call.print(`Metrics: ${metricsUrl}`)
  for (const line of await lines(url, page !== null)) call.print(line)
  return 0
}
