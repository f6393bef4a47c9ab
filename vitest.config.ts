import { defineConfig } from "vitest/config"
import { SlowestFirst } from "./test/SlowestFirst.js"

const conditions = ["@trunkline/source"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["test/**/*.test.ts", "{packages,adapters,examples}/*/test/**/*.test.ts"],
    globalSetup: "test/programs/setup.ts",
    // Far more than any test takes alone: a busy machine is no failure.
    testTimeout: 60_000,
    hookTimeout: 30_000,
    // Most of a file's time is loading it: every core helps, also in CI.
    maxWorkers: "100%",
    sequence: { sequencer: SlowestFirst }
  }
})
