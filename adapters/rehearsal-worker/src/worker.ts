import { parentPort } from "node:worker_threads"
import { serveRehearsals } from "./RehearsalThread.js"

if (parentPort !== null) serveRehearsals(parentPort)
