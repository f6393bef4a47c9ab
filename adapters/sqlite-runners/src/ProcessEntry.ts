import { fileURLToPath } from "node:url"

/** A module that child processes run, and the options of Node.js that it needs. */
export interface ProcessEntry {
  readonly path: string
  readonly execArgv: ReadonlyArray<string>
}

/**
 * The module behind an export of a package, such as `runner`, for child processes: beside the given module (its
 * `import.meta.url`) when that one is bundled, and `<name>.source.mjs`, which runs TypeScript, as long as it is in
 * TypeScript itself.
 */
export const entryBeside = (module: string, name: string): ProcessEntry =>
  module.endsWith(".ts")
    ? {
      path: fileURLToPath(new URL(`./${name}.source.mjs`, module)),
      execArgv: ["--conditions=@trunkline/source"]
    }
    : { path: fileURLToPath(new URL(`./${name}.js`, module)), execArgv: [] }
