import type { Engine } from "@trunkline/engine"
import type { Layer } from "effect"

const files = {
  browser: () => import("./Browser.js"),
  failing: () => import("./Failing.js"),
  limited: () => import("./Limited.js"),
  probed: () => import("./Probed.js"),
  standard: () => import("./Standard.js")
} satisfies Record<string, () => Promise<{ readonly engine: Layer.Layer<Engine, unknown> }>>

/** Engines that the suites serve, by name. */
export type EngineName = keyof typeof files

/** File of an engine, for the process that serves it. */
export const engineFile = (name: EngineName): URL =>
  new URL(`${name.charAt(0).toUpperCase()}${name.slice(1)}.ts`, import.meta.url)

/** Loads an engine in this process. Other processes import its file themselves. */
export const loadEngine = async (name: EngineName): Promise<Layer.Layer<Engine, unknown>> =>
  (await files[name]()).engine
