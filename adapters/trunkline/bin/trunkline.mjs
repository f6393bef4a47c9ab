#!/usr/bin/env node
import { existsSync } from "node:fs"

/** Runs programs of the repository from their TypeScript source; absent from the published package. */
const runner = new URL("../../../tools/run.mjs", import.meta.url)

/** The published tool, or a bundle of its present source in the repository. */
const load = async () => {
  if (!existsSync(runner)) return import("@trunkline/cli")
  const { bundled } = await import(runner.href)
  return import(await bundled("adapters/cli/src/index.ts"))
}

const { main } = await load()
await main()
