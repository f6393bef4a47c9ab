// A thread that misbehaves on a request to import, in the way that its settings name, and ignores requests to end.
import { parentPort, workerData } from "node:worker_threads"

const ways = {
  babbles: () => parentPort.postMessage({ _tag: "Success", value: "+919876543210" }),
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

parentPort.on("message", ({ _tag }) => _tag === "Import" && ways[workerData]())
