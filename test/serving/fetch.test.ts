import { directSuite } from "./direct.suite.js"
import { pathsSuite } from "./paths.suite.js"
import { servingSuites } from "./suites.js"
import { fetchAlone, hono } from "./ways/Fetch.js"

servingSuites(hono)
pathsSuite(fetchAlone)
directSuite()
