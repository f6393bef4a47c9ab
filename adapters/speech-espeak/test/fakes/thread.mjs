// A thread that handles a request to speak in the way that its text names.
import { parentPort } from "node:worker_threads"

const ways = {
  babbles: () => parentPort.postMessage("नमस्ते"),
  exits: () => process.exit(3),
  loops: () => {
    for (;;);
  },
  speaks: () => {
    parentPort.postMessage({ _tag: "Audio", samples: new Int16Array(5) })
    parentPort.postMessage({ _tag: "Done" })
  },
  throws: () => {
    throw new TypeError("नमस्ते")
  },
  traps: () => parentPort.postMessage({ _tag: "Broken", kind: "RuntimeError" })
}

parentPort.on("message", ({ text }) => ways[text]())
