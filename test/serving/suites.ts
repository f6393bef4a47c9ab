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

/** Suites whose result may depend on what a host reads of a body before it hands the request on. */
const bodySuites = [uploadsSuite, wireSuite]

/** Which suites a way is tried with, below full size. */
interface Share {
  /** Default: false. */
  readonly engine?: boolean
  /** Only `bodies` where the same host is tried without a parser of bodies as well; default all. */
  readonly host?: "all" | "bodies"
}

/** Black-box suites over a way to serve the engine: a share of them, and all at full size. */
export const servingSuites = (way: Way, { engine = false, host = "all" }: Share = {}) => {
  const ofHost = isFullSize || host === "all" ? hostSuites : bodySuites
  for (const suite of [...ofHost, ...(isFullSize || engine ? engineSuites : [])]) suite(way)
}
