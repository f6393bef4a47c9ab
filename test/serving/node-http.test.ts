import { servingSuites } from "./suites.js"
import { nodeHttp } from "./ways/NodeHttp.js"

servingSuites(nodeHttp, { engine: true })
