import { fromLinear16 } from "@trunkline/audio"
import { ModelFailed, ModelUnavailable } from "@trunkline/errors"
import { concatBytes } from "@trunkline/kernel"
import { Duration, Effect, Either } from "effect"
import { spawn } from "node:child_process"
import { makeAudioFeed } from "./AudioFeed.js"
import { type EspeakBackend, espeakRate, type EspeakRequest, type Synthesis } from "./Engine.js"
import { type EspeakBinary, espeakEnvironment } from "./FindEspeak.js"

/** Offsets in the WAV header of espeak: 16 bit PCM of one channel, with sizes that are not valid. */
const header = { bytes: 44, channels: 22, rate: 24, bits: 34 }

const tagOf = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

const isHeader = (bytes: Uint8Array): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return tagOf(bytes, 0) === "RIFF" && tagOf(bytes, 8) === "WAVE" && tagOf(bytes, 36) === "data" &&
    view.getUint16(header.channels, true) === 1 && view.getUint32(header.rate, true) === espeakRate &&
    view.getUint16(header.bits, true) === 16
}

/**
 * Makes a parser of the output of espeak, in chunks of any length: a WAV header, then samples. The parser returns the
 * samples that are complete after one more chunk, or `NoWav` for any other output.
 */
export const makeWavParser = (): (chunk: Uint8Array) => Either.Either<Float32Array, "NoWav"> => {
  let rest = new Uint8Array()
  let hasHeader = false
  return (chunk) => {
    let bytes = rest.length === 0 ? chunk : concatBytes([rest, chunk])
    if (!hasHeader && bytes.length >= header.bytes) {
      if (!isHeader(bytes)) return Either.left("NoWav")
      bytes = bytes.subarray(header.bytes)
      hasHeader = true
    }
    const whole = hasHeader ? bytes.length - bytes.length % 2 : 0
    rest = bytes.slice(whole)
    return Either.right(fromLinear16(bytes.subarray(0, whole)))
  }
}

/** Options of an espeak-ng process. */
export interface EspeakProcessOptions {
  readonly binary: string
  /** Time without audio while the reader waits, in milliseconds. */
  readonly audioMillis: number
  /** Called when the process has exited. */
  readonly onDone: () => void
}

/** Samples that are read ahead from the process. Clauses are shorter, so that most processes exit before they are played. */
const readAhead = 24 * espeakRate

const argumentsOf = ({ pitch, voice, wordsPerMinute }: EspeakRequest): ReadonlyArray<string> => {
  const options = ["-v", voice, "-p", String(pitch), "-s", String(wordsPerMinute)]
  // The text is UTF-8 in any locale, and no pause follows it.
  return [...options, "-b", "1", "-z", "--stdin", "--stdout"]
}

const codeOf = (error: unknown): string => error instanceof Error && "code" in error ? String(error.code) : "unknown"

const startError = (error: unknown) =>
  ["EAGAIN", "EMFILE", "ENFILE", "ENOMEM"].includes(codeOf(error))
    ? new ModelUnavailable({
      message: "The machine has no resources for another process of espeak-ng",
      retryAfter: Duration.seconds(1)
    })
    : new ModelUnavailable({ message: `espeak-ng could not be started: ${codeOf(error)}`, lasting: true })

const exitError = (code: number | null, signal: string | null) =>
  new ModelFailed({ message: `espeak-ng ended with ${signal ?? `code ${code}`} before the whole text was spoken` })

const unknownOutput = new ModelFailed({ message: "espeak-ng gave output that is not the expected audio" })

const start = (request: EspeakRequest, { audioMillis, binary, onDone }: EspeakProcessOptions): Synthesis => {
  const child = spawn(binary, argumentsOf(request), {
    env: espeakEnvironment(),
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true
  })
  const feed = makeAudioFeed({
    timeoutMillis: audioMillis,
    onTaken: () => feed.waiting() < readAhead && child.stdout.resume()
  })
  const parse = makeWavParser()

  const exit = new Promise<void>((resolve) => {
    const finish = () => {
      onDone()
      resolve()
    }
    child.once("exit", finish)
    child.once("error", (error) => {
      feed.end(startError(error))
      if (child.pid === undefined) finish()
    })
  })
  const kill = () => {
    child.kill("SIGKILL")
    child.stdin.destroy()
    child.stdout.destroy()
  }

  child.once("close", (code, signal) => feed.end(code === 0 ? null : exitError(code, signal)))
  if (child.pid !== undefined) {
    child.stdout.on("data", (bytes: Buffer) => {
      const samples = parse(bytes)
      if (Either.isLeft(samples)) {
        feed.end(unknownOutput)
        kill()
      } else if (samples.right.length > 0) {
        feed.push(samples.right)
        if (feed.waiting() >= readAhead) child.stdout.pause()
      }
    })
    // The process may exit before it has read all of the text.
    child.stdin.on("error", () => undefined)
    child.stdin.end(request.text)
  }

  return {
    audio: feed.audio,
    end: Effect.promise(() => {
      if (child.pid !== undefined) kill()
      return exit
    })
  }
}

/**
 * Starts a process that speaks a text, and that is killed to stop it. The text goes through a pipe, so that other users of
 * the machine cannot see it.
 */
const beginProcess = (
  request: EspeakRequest,
  options: EspeakProcessOptions
): Effect.Effect<Synthesis, ModelUnavailable> => Effect.try({ try: () => start(request, options), catch: startError })

/** The program as a backend, with a process for each utterance. */
export const binaryBackend = ({ binary, english }: EspeakBinary, audioMillis: number): EspeakBackend => ({
  english,
  begin: (request, onDone) => beginProcess(request, { binary, audioMillis, onDone })
})
