import { defineConfig } from "vitest/config"

const conditions = ["@trunkline/source"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["test/**/*.test.ts", "{packages,adapters,examples}/*/test/**/*.test.ts"],
    testTimeout: 20_000,
    // Most of a file's time is loading it: every core helps, also in CI.
    maxWorkers: "100%"
  }
})
