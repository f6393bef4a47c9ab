import { parentPort, workerData } from "node:worker_threads"
import { sizeIn } from "./thread/Messages.js"
import { serveDrawings } from "./thread/ServeDrawings.js"

if (parentPort !== null) serveDrawings(parentPort, sizeIn(workerData))
