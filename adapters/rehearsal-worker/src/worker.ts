import { parentPort } from "node:worker_threads"
import { serveRehearsals } from "./ServeRehearsals.js"

if (parentPort !== null) serveRehearsals(parentPort)
