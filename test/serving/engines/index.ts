import type { Engine } from "@trunkline/engine"
import type { Layer } from "effect"

const files = {
  failing: () => import("./failing.js"),
  limited: () => import("./limited.js"),
  probed: () => import("./probed.js"),
  standard: () => import("./standard.js")
} satisfies Record<string, () => Promise<{ readonly engine: Layer.Layer<Engine, unknown> }>>

/** The engines that the suites serve, by their files' names. */
export type EngineName = keyof typeof files

/** The engine of a file; a process of its own loads the file by itself. */
export const loadEngine = async (name: EngineName): Promise<Layer.Layer<Engine, unknown>> =>
  (await files[name]()).engine
