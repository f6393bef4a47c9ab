// A thread that handles each request in the way that the request names.
import { parentPort, workerData } from "node:worker_threads"

const ways = {
  babbles: () => parentPort.postMessage("+919876543210"),
  counts: () => [1, 2, 3].forEach((value) => parentPort.postMessage({ value })),
  echoes: ({ bytes }) => parentPort.postMessage({ value: bytes.length }),
  ends: () => parentPort.close(),
  exits: () => process.exit(3),
  loops: () => {
    for (;;);
  },
  prints: () => {
    console.error("+919876543210")
    parentPort.postMessage({ value: 1 })
  },
  swallows: () => {
    const kept = []
    for (;;) kept.push([kept.length])
  },
  throws: () => {
    throw new TypeError("+919876543210")
  }
}

if (workerData === "dies") throw new RangeError("+919876543210")

parentPort.on("message", (request) => ways[request.way](request))
parentPort.postMessage("ready")
