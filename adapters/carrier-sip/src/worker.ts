import { parentPort, workerData } from "node:worker_threads"
import { serveMedia } from "./media/MediaThread.js"
import { monotonicMillis, wakeAt } from "./media/MonotonicClock.js"

if (parentPort !== null) serveMedia(parentPort, workerData, { clock: monotonicMillis, wakeAt, random: Math.random })
