import type { Engine } from "@trunkline/engine"
import type { Layer } from "effect"

const files = {
  browser: () => import("./browser.js"),
  failing: () => import("./failing.js"),
  limited: () => import("./limited.js"),
  probed: () => import("./probed.js"),
  standard: () => import("./standard.js")
} satisfies Record<string, () => Promise<{ readonly engine: Layer.Layer<Engine, unknown> }>>

/** Engines that the suites serve, by file name. */
export type EngineName = keyof typeof files

/** Loads an engine in this process. Other processes import its file themselves. */
export const loadEngine = async (name: EngineName): Promise<Layer.Layer<Engine, unknown>> =>
  (await files[name]()).engine
