import { parentPort, workerData } from "node:worker_threads"
import { loadEspeak, serveEspeak } from "./EspeakModule.js"

if (parentPort !== null) serveEspeak(parentPort, await loadEspeak(), workerData)
