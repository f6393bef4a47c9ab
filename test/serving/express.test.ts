import { servingSuites } from "./suites.js"
import { expressAfter, expressBefore } from "./ways/Express.js"

servingSuites(expressBefore)
servingSuites(expressAfter, { host: "bodies" })
