import { parentPort, workerData } from "node:worker_threads"
import { serveImports } from "./imports/ImportServer.js"

if (parentPort !== null) serveImports(parentPort, workerData)
