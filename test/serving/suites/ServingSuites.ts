import { isFullSize } from "../../setup/Scale.js"
import type { Way } from "../Ways.js"
import { answersSuite } from "./Answers.suite.js"
import { boardRoutesSuite } from "./BoardRoutes.suite.js"
import { boardsSuite } from "./Boards.suite.js"
import { browserCallsSuite } from "./BrowserCalls.suite.js"
import { campaignWorkSuite } from "./CampaignWork.suite.js"
import { closingSuite } from "./Closing.suite.js"
import { cohortsSuite } from "./Cohorts.suite.js"
import { faultsSuite } from "./Faults.suite.js"
import { limitsSuite } from "./Limits.suite.js"
import { modelChecksSuite } from "./ModelChecks.suite.js"
import { modelsSuite } from "./Models.suite.js"
import { pathsSuite } from "./Paths.suite.js"
import { refusalsSuite } from "./Refusals.suite.js"
import { routesSuite } from "./Routes.suite.js"
import { streamsSuite } from "./Streams.suite.js"
import { uploadsSuite } from "./Uploads.suite.js"
import { voiceChecksSuite } from "./VoiceChecks.suite.js"
import { voicesSuite } from "./Voices.suite.js"
import { wireSuite } from "./Wire.suite.js"

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

/** Quick suites whose result depends on the engine only. */
const engineSuites = [
  routesSuite,
  boardsSuite,
  boardRoutesSuite,
  answersSuite,
  campaignWorkSuite,
  modelsSuite,
  modelChecksSuite
]

/** Suites whose result depends on the engine only, and that take longer. */
const longEngineSuites = [cohortsSuite, limitsSuite, voicesSuite, voiceChecksSuite]

/** Suites whose result may depend on a host that reads bodies before it passes on requests. */
const bodySuites = [uploadsSuite, wireSuite]

/** Suites that run for a way to serve when the tests do not run at full size. */
interface Share {
  /** Runs the quick engine suites; false by default. */
  readonly engine?: boolean
  /** Runs all host suites by default, or only those about bodies, when the same host is also tested without a body parser. */
  readonly host?: "all" | "bodies"
}

/** Runs black-box suites against a way to serve the engine: a share of them, and all at full size. */
export const servingSuites = (way: Way, { engine = false, host = "all" }: Share = {}) => {
  const ofHost = isFullSize || host === "all" ? hostSuites : bodySuites
  for (const suite of [...ofHost, ...(isFullSize || engine ? engineSuites : [])]) suite(way)
  if (isFullSize) longServingSuites(way)
}

/** Runs the suites that depend on the engine only, and that take longer, against a way to serve it. */
export const longServingSuites = (way: Way) => longEngineSuites.forEach((suite) => suite(way))
