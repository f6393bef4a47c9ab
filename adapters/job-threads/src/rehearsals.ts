import { parentPort } from "node:worker_threads"
import { serveRehearsals } from "./rehearsals/RehearsalThread.js"

if (parentPort !== null) serveRehearsals(parentPort)
