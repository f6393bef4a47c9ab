import { defineConfig } from "vitest/config"
import { bundledPrograms } from "./test/programs/plugin.js"

const conditions = ["@trunkline/source"]

/** Tests of packages that reach the outside world: a process, a socket, a thread or a file. */
const world = "packages/*/test/**/*.world.test.ts"

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // A test that hangs is ended; one that is only slow, on a machine with a hundred times the load, is not.
    testTimeout: 1_200_000,
    hookTimeout: 1_200_000,
    maxWorkers: "100%",
    // A worker loads each file of source once for all its tests: loading it for each takes several times as long as testing.
    isolate: false,
    setupFiles: ["test/setup/layers.ts", "test/setup/properties.ts", "test/setup/turns.ts"],
    projects: [
      { extends: true, test: { name: "unit", include: ["packages/*/test/**/*.test.ts"], exclude: [world] } },
      {
        extends: true,
        plugins: [bundledPrograms()],
        test: { name: "world", include: [world, "test/**/*.test.ts", "{adapters,examples}/*/test/**/*.test.ts"] }
      }
    ]
  }
})
