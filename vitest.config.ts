import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { bundledPrograms } from "./test/programs/Plugin.js"
import { Sequencer } from "./test/setup/Sequencer.js"

const conditions = ["@trunkline/source"]

/** Tests in real time or of whole programs, databases and other runtimes, which `npm run test:full` runs. */
const full = "{packages,adapters,examples}/*/test/**/*.full.test.ts"

const workers = availableParallelism() + 1

/** A large package that `test/clients` installs for tests of an adapter elsewhere. */
const alias = [{
  find: /^gpt-tokenizer\/(.+)$/,
  replacement: fileURLToPath(new URL("test/clients/node_modules/gpt-tokenizer/esm/$1.js", import.meta.url))
}]

export default defineConfig({
  resolve: { alias, conditions },
  ssr: { resolve: { conditions } },
  test: {
    // A test that hangs is ended; one that is only slow, on a machine with a hundred times the load, is not.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // One more than there are cores, since tests of programs wait for them. With fewer at least than at most, tinypool ends
    // an idle worker while vitest replaces it for the next project, and the run dies.
    maxWorkers: workers,
    minWorkers: workers,
    // Effect makes many objects that die young: with room for them there is less to collect. Workers keep all cores busy, so
    // that more threads to collect with only add work.
    poolOptions: { forks: { execArgv: ["--max-semi-space-size=128", "--single-threaded-gc"] } },
    // A worker loads each file of source once for all its tests: loading it for each takes several times as long as testing.
    isolate: false,
    sequence: { sequencer: Sequencer },
    setupFiles: ["test/setup/Layers.ts", "test/setup/Options.ts", "test/setup/Properties.ts", "test/setup/Turns.ts"],
    projects: [
      {
        extends: true,
        plugins: [bundledPrograms("everyday")],
        test: {
          name: "everyday",
          include: ["{packages,adapters,examples}/*/test/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [full, "test/**/*.full.test.ts", "test/*/node_modules/**"]
        }
      },
      {
        extends: true,
        plugins: [bundledPrograms("full")],
        test: {
          name: "full",
          include: [full, "test/**/*.full.test.ts"],
          exclude: ["test/*/node_modules/**"],
          // Some take minutes on an idle machine, and run again where it was late.
          testTimeout: 1_200_000,
          hookTimeout: 1_200_000
        }
      }
    ]
  }
})
