import { directSuite } from "./suites/Direct.suite.js"
import { pathsSuite } from "./suites/Paths.suite.js"
import { servingSuites } from "./suites/ServingSuites.js"
import { fetchAlone, hono } from "./ways/Fetch.js"

servingSuites(hono)
pathsSuite(fetchAlone)
directSuite()
