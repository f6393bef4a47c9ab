import { decodeConfiguration, type Engine } from "@trunkline/engine"
import { Invalid, type Issue } from "@trunkline/errors"
import { Effect, Either, Layer } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { dirname, extname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { OtelVariables } from "../assembly/telemetry/OtelVariables.js"
import { engineLayer } from "../EngineLayer.js"
import { agentParts } from "../options/agents/AgentParts.js"
import { lineParts } from "../options/CarrierParts.js"
import { InvalidOption } from "../options/InvalidOption.js"
import { loggerLayer } from "../options/LoggerLayer.js"
import type { TrunklineOptions } from "../options/TrunklineOptions.js"
import { makeEndedCalls } from "../promises/CallMethods.js"
import type { Environment } from "./ConfigFields.js"
import { StartError } from "./Explain.js"
import { readConfig, type ServerConfig } from "./ServerConfig.js"
import type { ServerSettings } from "./ServerSettings.js"

/** The configuration of a server: a JSON file, or a module that exports options as `defineConfig` returns them. */
export type LoadedConfig =
  | { readonly kind: "json"; readonly config: ServerConfig }
  | { readonly kind: "module"; readonly options: TrunklineOptions }

/** Reads a text file; throws `StartError`. */
export const readText = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    throw new StartError(`The file ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Throws the problems of a file, one line each. */
const refuse = (file: string, problems: ReadonlyArray<string>): never => {
  throw new StartError([`The configuration file ${file} cannot be used:`, ...problems].join("\n  "))
}

/** Reads a configuration in JSON; throws `StartError` with a line for each problem. */
export const loadJson = async (file: string, environment: Environment): Promise<ServerConfig> => {
  const read = await readConfig(readText(file), environment)
  return Either.isRight(read) ? read.right : refuse(file, read.left)
}

/** An object, which `checkOptions` looks into. */
const isOptions = (value: unknown): value is TrunklineOptions =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const loadModule = async (file: string): Promise<TrunklineOptions> => {
  readText(file)
  const module: unknown = await import(pathToFileURL(file).href).catch((error: unknown) => {
    const hint = /\.[cm]?tsx?$/.test(file) ? ". TypeScript needs a loader: node --import tsx" : ""
    return refuse(file, [`${error instanceof Error ? error.message : String(error)}${hint}`])
  })
  const options: unknown = typeof module === "object" && module !== null ? Reflect.get(module, "default") : undefined
  return isOptions(options)
    ? options
    : refuse(file, ["It has no default export: write export default defineConfig({ … })"])
}

/**
 * Sets the variables of the file `.env` beside a configuration, where it exists. Variables that are set already stay. Needs
 * Node.js 20.12; earlier versions leave the file alone.
 */
export const loadEnvironment = (config: string): void => {
  const file = resolve(dirname(config), ".env")
  if (existsSync(file) && "loadEnvFile" in process) process.loadEnvFile(file)
}

/** Reads the configuration in a file; throws `StartError` with a line for each problem. */
export const loadConfig = async (file: string, environment: Environment): Promise<LoadedConfig> =>
  /^\.jsonc?$/.test(extname(file))
    ? { kind: "json", config: await loadJson(file, environment) }
    : { kind: "module", options: await loadModule(file) }

/** Options with the settings that were given in their places. */
const withSettings = (
  options: TrunklineOptions,
  { data, database, files, logFormat, logLevel, redis, roles, secret }: ServerSettings,
  isGiven: (setting: string) => boolean
): TrunklineOptions => ({
  ...options,
  data: isGiven("data") || typeof options.data !== "string" ? data : options.data,
  ...(database !== null && { database }),
  ...(files !== null && { files }),
  ...(redis !== null && { redis }),
  ...(secret !== null && { secret }),
  ...(isGiven("roles") && { roles }),
  ...(isGiven("log") && { logFormat }),
  ...(isGiven("log-level") && { logLevel })
})

/** Path of an issue in the options, in which connections are called lines. */
const pathOf = ([root, ...rest]: Issue["loc"]): string => [root === "connections" ? "lines" : root, ...rest].join(".")

/** Throws the problems of an `InvalidOption` or `Invalid` as a `StartError`, and everything else as it is. */
const explain = (file: string, error: unknown): never => {
  if (error instanceof InvalidOption) return refuse(file, [error.message.replace(/^createTrunkline: /, "")])
  if (error instanceof Invalid) return refuse(file, error.issues.map(({ loc, msg }) => `${pathOf(loc)}: ${msg}`))
  throw error
}

/** The engine of a module's options, and the options with the settings in their places. Throws `StartError`. */
export const moduleEngine = async (
  file: string,
  engineOptions: TrunklineOptions,
  { isGiven, settings, variables }: {
    readonly settings: ServerSettings
    readonly isGiven: (setting: string) => boolean
    readonly variables: OtelVariables
  }
): Promise<Layer.Layer<Engine, unknown>> => {
  const options = withSettings(engineOptions, settings, isGiven)
  try {
    const layer = await engineLayer(options, makeEndedCalls(), variables)
    const { access, agents = [], lines = [] } = options
    const configuration = {
      agents: agentParts(agents).agents,
      connections: lineParts(lines).connections,
      ...(access !== undefined && { access })
    }
    const result = await Effect.runPromise(Effect.either(decodeConfiguration(configuration)))
    return Either.isLeft(result) ? explain(file, result.left) : Layer.provide(layer, loggerLayer(options))
  } catch (error) {
    return explain(file, error)
  }
}
