import { parentPort, workerData } from "node:worker_threads"
import { loadEspeak } from "./wasm/EspeakModule.js"
import { serveSpeaking } from "./wasm/ServeSpeaking.js"

if (parentPort !== null) serveSpeaking(parentPort, await loadEspeak(), workerData)
