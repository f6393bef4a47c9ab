import { longServingSuites } from "./suites/ServingSuites.js"
import { nodeHttp } from "./ways/NodeHttp.js"

longServingSuites(nodeHttp)
