import { directSuite } from "./suites/direct.suite.js"
import { pathsSuite } from "./suites/paths.suite.js"
import { servingSuites } from "./suites/ServingSuites.js"
import { fetchAlone, hono } from "./ways/Fetch.js"

servingSuites(hono)
pathsSuite(fetchAlone)
directSuite()
