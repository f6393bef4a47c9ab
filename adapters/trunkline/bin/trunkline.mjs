#!/usr/bin/env node
// The command line of the repository, from a bundle of its present source. The published package has a bundle of its own.
import { bundled } from "../../../tools/run.mjs"

const { main } = await import(await bundled("adapters/trunkline/src/commands/Main.ts"))
await main()
