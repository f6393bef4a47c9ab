import { servingSuites } from "./suites/ServingSuites.js"
import { nodeHttp } from "./ways/NodeHttp.js"

servingSuites(nodeHttp, { engine: true })
