import { parentPort, workerData } from "node:worker_threads"
import { serveRehearsal } from "./ServeRehearsal.js"

if (parentPort !== null) serveRehearsal(parentPort, workerData)
