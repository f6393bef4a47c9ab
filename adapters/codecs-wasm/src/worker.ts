import { parentPort } from "node:worker_threads"
import type { CodecJob, CompressedCodec, EncodeJob, Reply } from "./CodecThreads.js"
import { decodeClip } from "./decode/Decode.js"
import { encodeAac, encodeFlac } from "./encode/Mediabunny.js"
import { encodeMp3 } from "./encode/Mp3.js"
import { encodeOpus } from "./Opus.js"

const encoders: Readonly<Record<CompressedCodec, (job: EncodeJob) => Promise<Uint8Array>>> = {
  mp3: encodeMp3,
  flac: encodeFlac,
  opus: encodeOpus,
  aac: encodeAac
}

/** Encodes audio, clamped to full scale. */
const encode = (job: EncodeJob): Promise<Uint8Array> => {
  const { codec, samples } = job
  for (let at = 0; at < samples.length; at++) samples[at] = Math.max(-1, Math.min(1, samples[at] ?? 0))
  return encoders[codec](job)
}

const replyTo = async (request: CodecJob): Promise<Reply> => {
  try {
    return request._tag === "Decode"
      ? await decodeClip(request.job)
      : { _tag: "Encoded", bytes: await encode(request.job) }
  } catch (error) {
    return { _tag: "Broken", kind: error instanceof Error ? error.name : typeof error }
  }
}

if (parentPort !== null) {
  const port = parentPort
  // Decoders may complain about a damaged clip without end, and nothing reads it.
  console.error = () => undefined
  console.warn = () => undefined
  port.on("message", async (request: CodecJob) => port.postMessage(await replyTo(request)))
  port.postMessage("ready")
}
