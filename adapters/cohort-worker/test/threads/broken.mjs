// A thread that answers a request to import in the way that its settings name, and hears no request to end.
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
