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
import { nodeHttp } from "./ways/NodeHttp.js"
import { wireSuite } from "./wire.suite.js"

routesSuite(nodeHttp)

boardsSuite(nodeHttp)
answersSuite(nodeHttp)
pathsSuite(nodeHttp)
campaignWorkSuite(nodeHttp)
cohortsSuite(nodeHttp)
uploadsSuite(nodeHttp, { heavy: true })
streamsSuite(nodeHttp)
limitsSuite(nodeHttp)
modelsSuite(nodeHttp)
voicesSuite(nodeHttp, { heavy: true })
wireSuite(nodeHttp)
faultsSuite(nodeHttp)
closingSuite(nodeHttp)
