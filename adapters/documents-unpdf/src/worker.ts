import { Either } from "effect"
import { parentPort } from "node:worker_threads"
import type { ReadJob, ReadReply } from "./Messages.js"
import { readFile } from "./ReadFile.js"

const replyTo = async ({ current, ...file }: ReadJob): Promise<ReadReply> => {
  try {
    return Either.match(await readFile(file, current), {
      onLeft: ({ message }): ReadReply => ({ _tag: "Refused", message }),
      onRight: (document): ReadReply => ({ _tag: "Read", document })
    })
  } catch (error) {
    return { _tag: "Broken", kind: error instanceof Error ? error.name : typeof error }
  }
}

if (parentPort !== null) {
  const port = parentPort
  // The library may complain about a damaged file without end, and nothing reads it.
  console.error = () => undefined
  console.warn = () => undefined
  console.log = () => undefined
  port.on("message", async (job: ReadJob) => port.postMessage(await replyTo(job)))
}
