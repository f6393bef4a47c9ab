import { answersSuite } from "./answers.suite.js"
import { boardsSuite } from "./boards.suite.js"
import { campaignWorkSuite } from "./campaign-work.suite.js"
import { closingSuite } from "./closing.suite.js"
import { cohortsSuite } from "./cohorts.suite.js"
import { directSuite } from "./direct.suite.js"
import { faultsSuite } from "./faults.suite.js"
import { limitsSuite } from "./limits.suite.js"
import { modelsSuite } from "./models.suite.js"
import { pathsSuite } from "./paths.suite.js"
import { routesSuite } from "./routes.suite.js"
import { streamsSuite } from "./streams.suite.js"
import { uploadsSuite } from "./uploads.suite.js"
import { voicesSuite } from "./voices.suite.js"
import { fetchAlone, hono } from "./ways/Fetch.js"
import { wireSuite } from "./wire.suite.js"

routesSuite(hono)

boardsSuite(hono)
answersSuite(hono)
pathsSuite(hono)
campaignWorkSuite(hono)
cohortsSuite(hono)
uploadsSuite(hono, { heavy: true })
streamsSuite(hono)
limitsSuite(hono)
modelsSuite(hono)
voicesSuite(hono, { heavy: false })
wireSuite(hono)
faultsSuite(hono)
closingSuite(hono)

pathsSuite(fetchAlone)

directSuite()
