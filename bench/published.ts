import { build } from "esbuild"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

/** The path of a file relative to this folder. */
export const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/**
 * Builds the packages and the given bench programs, so that the bench runs published code without a compiler in the
 * process. The programs are then in `dist`.
 */
export const publish = async (...programs: ReadonlyArray<string>): Promise<void> => {
  const { status } = spawnSync(process.execPath, ["build.mjs", "--bundles"], {
    cwd: here(".."),
    stdio: ["ignore", "ignore", "inherit"]
  })
  if (status !== 0) throw new Error("The packages could not be built")
  await build({
    entryPoints: programs.map(here),
    outdir: here("dist"),
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20"
  })
}
