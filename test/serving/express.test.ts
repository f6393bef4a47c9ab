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
import { expressAfter, expressBefore } from "./ways/Express.js"
import { wireSuite } from "./wire.suite.js"

routesSuite(expressBefore)

boardsSuite(expressBefore)
answersSuite(expressBefore)
pathsSuite(expressBefore)
campaignWorkSuite(expressBefore)
cohortsSuite(expressBefore)
uploadsSuite(expressBefore, { heavy: false })
streamsSuite(expressBefore)
limitsSuite(expressBefore)
modelsSuite(expressBefore)
voicesSuite(expressBefore, { heavy: false })
wireSuite(expressBefore)
faultsSuite(expressBefore)
closingSuite(expressBefore)

routesSuite(expressAfter)

boardsSuite(expressAfter)
pathsSuite(expressAfter)
campaignWorkSuite(expressAfter)
cohortsSuite(expressAfter)
uploadsSuite(expressAfter, { heavy: false })
limitsSuite(expressAfter)
modelsSuite(expressAfter)
voicesSuite(expressAfter, { heavy: false })
wireSuite(expressAfter)
