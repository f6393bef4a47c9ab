import { parentPort } from "node:worker_threads"
import { serveJobs } from "./thread/ServeJobs.js"

if (parentPort !== null) serveJobs(parentPort)
