import type { MessagePort } from "node:worker_threads"
import { decode } from "../decode/Decode.js"
import { encode } from "../encode/Encode.js"
import type { Answer, Job } from "./Messages.js"

const kindOf = (error: unknown): string => error instanceof Error ? error.name : typeof error

const answerTo = async (job: Job): Promise<Answer> => {
  try {
    return job._tag === "Read" ? await decode(job.reading) : { _tag: "Written", bytes: await encode(job.writing) }
  } catch (error) {
    return { _tag: "Broken", kind: kindOf(error) }
  }
}

/** The life of a thread: it does what it is asked for over the port, one job after the other. */
export const serveJobs = (port: MessagePort): void => {
  // What decoders say of a damaged clip may go on until the thread is ended, and nobody reads it.
  console.error = () => undefined
  console.warn = () => undefined
  port.on("message", async (job: Job) => port.postMessage(await answerTo(job)))
  port.postMessage({ _tag: "Ready" } satisfies Answer)
}
