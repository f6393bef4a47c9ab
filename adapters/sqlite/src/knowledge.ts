import { parentPort } from "node:worker_threads"
import { PassageFiles } from "./knowledge/child/PassageFiles.js"
import type { PassageRequest } from "./knowledge/Messages.js"

if (parentPort !== null) {
  const port = parentPort
  const files = new PassageFiles()
  port.on("message", (request: PassageRequest) => port.postMessage(files.perform(request)))
}
