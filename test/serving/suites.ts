import { isFullSize } from "../setup/Scale.js"
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
import type { Way } from "./Ways.js"
import { wireSuite } from "./wire.suite.js"

/** Suites whose result depends on the host: how it passes on requests, bodies, streams, broken connections and its end. */
const hostSuites = [pathsSuite, uploadsSuite, streamsSuite, wireSuite, faultsSuite, closingSuite]

/** Suites whose result is the engine's own, whatever serves it. */
const engineSuites = [
  routesSuite,
  boardsSuite,
  answersSuite,
  campaignWorkSuite,
  cohortsSuite,
  limitsSuite,
  modelsSuite,
  voicesSuite
]

/**
 * Black-box suites over a way to serve the engine. Those of the engine itself run where `engine` is true, and over every
 * way at full size.
 */
export const servingSuites = (way: Way, { engine = isFullSize } = {}) => {
  for (const suite of [...hostSuites, ...(engine ? engineSuites : [])]) suite(way)
}
