// A thread that misbehaves on each request, in the way that its settings name.
import { parentPort, workerData } from "node:worker_threads"

const ways = {
  babbles: () => parentPort.postMessage({ _tag: "Rendered", bytes: "+919876543210" }),
  exits: () => process.exit(3),
  loops: () => {
    for (;;);
  },
  swallows: () => {
    const kept = []
    for (;;) kept.push([kept.length])
  },
  throws: () => {
    throw new TypeError("+919876543210")
  }
}

parentPort.on("message", () => ways[workerData]())
