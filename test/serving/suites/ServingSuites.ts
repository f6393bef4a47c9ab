import { isFullSize } from "../../setup/Scale.js"
import type { Way } from "../Ways.js"
import { answersSuite } from "./answers.suite.js"
import { boardRoutesSuite } from "./board-routes.suite.js"
import { boardsSuite } from "./boards.suite.js"
import { browserCallsSuite } from "./browser-calls.suite.js"
import { campaignWorkSuite } from "./campaign-work.suite.js"
import { closingSuite } from "./closing.suite.js"
import { cohortsSuite } from "./cohorts.suite.js"
import { faultsSuite } from "./faults.suite.js"
import { limitsSuite } from "./limits.suite.js"
import { modelChecksSuite } from "./model-checks.suite.js"
import { modelsSuite } from "./models.suite.js"
import { pathsSuite } from "./paths.suite.js"
import { refusalsSuite } from "./refusals.suite.js"
import { routesSuite } from "./routes.suite.js"
import { streamsSuite } from "./streams.suite.js"
import { uploadsSuite } from "./uploads.suite.js"
import { voiceChecksSuite } from "./voice-checks.suite.js"
import { voicesSuite } from "./voices.suite.js"
import { wireSuite } from "./wire.suite.js"

/** Suites whose result depends on how the host passes on requests, bodies, streams, broken connections and its shutdown. */
const hostSuites = [
  pathsSuite,
  uploadsSuite,
  streamsSuite,
  browserCallsSuite,
  wireSuite,
  refusalsSuite,
  faultsSuite,
  closingSuite
]

/** Suites whose result depends on the engine only. */
const engineSuites = [
  routesSuite,
  boardsSuite,
  boardRoutesSuite,
  answersSuite,
  campaignWorkSuite,
  cohortsSuite,
  limitsSuite,
  modelsSuite,
  modelChecksSuite,
  voicesSuite,
  voiceChecksSuite
]

/** Suites whose result may depend on a host that reads bodies before it passes on requests. */
const bodySuites = [uploadsSuite, wireSuite]

/** Suites that run for a way to serve when the tests do not run at full size. */
interface Share {
  /** Runs the engine suites; false by default. */
  readonly engine?: boolean
  /** Runs all host suites by default, or only those about bodies, when the same host is also tested without a body parser. */
  readonly host?: "all" | "bodies"
}

/** Runs black-box suites against a way to serve the engine: a share of them, and all at full size. */
export const servingSuites = (way: Way, { engine = false, host = "all" }: Share = {}) => {
  const ofHost = isFullSize || host === "all" ? hostSuites : bodySuites
  for (const suite of [...ofHost, ...(isFullSize || engine ? engineSuites : [])]) suite(way)
}
