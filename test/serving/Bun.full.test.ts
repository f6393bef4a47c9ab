import { describe } from "@effect/vitest"
import { bunRuns } from "../setup/Bun.js"
import { servingSuites } from "./suites/ServingSuites.js"
import { bun } from "./ways/Bun.js"

describe.runIf(bunRuns)("with Bun", () => {
  servingSuites(bun)
})
