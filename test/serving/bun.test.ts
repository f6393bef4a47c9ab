import { describe } from "@effect/vitest"
import { bunRuns } from "../../adapters/bun/test/BunServer.js"
import { servingSuites } from "./suites/ServingSuites.js"
import { bun } from "./ways/Bun.js"

describe.runIf(bunRuns)("with Bun", () => {
  servingSuites(bun)
})
