import { describe } from "@effect/vitest"
import { bunRuns } from "../../adapters/bun/test/BunServer.js"
import { answersSuite } from "./answers.suite.js"
import { boardsSuite } from "./boards.suite.js"
import { campaignWorkSuite } from "./campaign-work.suite.js"
import { closingSuite } from "./closing.suite.js"
import { cohortsSuite } from "./cohorts.suite.js"
import { faultsSuite } from "./faults.suite.js"
import { limitsSuite } from "./limits.suite.js"
import { modelsSuite } from "./models.suite.js"
import { pathsSuite } from "./paths.suite.js"
import { routesSuite } from "./routes.suite.js"
import { streamsSuite } from "./streams.suite.js"
import { uploadsSuite } from "./uploads.suite.js"
import { voicesSuite } from "./voices.suite.js"
import { bun } from "./ways/Bun.js"
import { wireSuite } from "./wire.suite.js"

describe.runIf(bunRuns)("with Bun", () => {
  routesSuite(bun)
  boardsSuite(bun)
  answersSuite(bun)
  pathsSuite(bun)
  campaignWorkSuite(bun)
  cohortsSuite(bun)
  uploadsSuite(bun, { heavy: true })
  streamsSuite(bun)
  limitsSuite(bun)
  modelsSuite(bun)
  voicesSuite(bun, { heavy: false })
  wireSuite(bun)
  faultsSuite(bun)
  closingSuite(bun)
})
