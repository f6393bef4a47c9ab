import { servingSuites } from "./suites/ServingSuites.js"
import { expressAfter, expressBefore } from "./ways/Express.js"

servingSuites(expressBefore)
servingSuites(expressAfter, { host: "bodies" })
