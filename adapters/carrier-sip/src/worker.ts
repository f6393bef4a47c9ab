import { parentPort, workerData } from "node:worker_threads"
import { serveMedia } from "./media/MediaThread.js"
import { monotonicMillis, wakeAt } from "./media/MonotonicClock.js"
import { raiseThreadPriority } from "./media/ThreadPriority.js"

if (parentPort !== null) {
  raiseThreadPriority()
  serveMedia(parentPort, workerData, { clock: monotonicMillis, wakeAt, random: Math.random })
}
