import { parentPort, workerData } from "node:worker_threads"
import { serveImports } from "./ServeImports.js"

if (parentPort !== null) serveImports(parentPort, workerData)
