import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { build } from "tsup"

/** A file beside this one. */
export const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/**
 * Builds the packages and these programs of the bench, so that what runs is what is published, without anything that
 * compiles. The programs are then in `dist`.
 */
export const publish = async (...programs: ReadonlyArray<string>): Promise<void> => {
  const { status } = spawnSync(process.execPath, ["build.mjs"], {
    cwd: here(".."),
    stdio: ["ignore", "ignore", "inherit"]
  })
  if (status !== 0) throw new Error("The packages could not be built")
  await build({
    config: false,
    entry: programs.map(here),
    outDir: here("dist"),
    format: "esm",
    target: "node20",
    skipNodeModulesBundle: true,
    silent: true
  })
}
