import { Data, Effect, type Scope } from "effect"
import { execFile, spawnSync } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

class ToolFailed extends Data.TaggedError("ToolFailed")<{ readonly message: string }> {}

/** True when both programs are installed. */
export const hasFfmpeg = ["ffmpeg", "ffprobe"].every((tool) => spawnSync(tool, ["-version"]).error === undefined)

/** Output of a program for some input. */
const output = (tool: string, args: ReadonlyArray<string>, input = new Uint8Array()) =>
  Effect.async<Uint8Array, ToolFailed>((resume) => {
    const done = (error: Error | null, stdout: Uint8Array) =>
      resume(error === null ? Effect.succeed(new Uint8Array(stdout)) : new ToolFailed({ message: error.message }))
    const child = execFile(tool, args, { encoding: "buffer", maxBuffer: 1 << 28 }, done)
    child.stdin?.on("error", () => undefined)
    child.stdin?.end(input)
  })

const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "codecs-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

const fileOf = (bytes: Uint8Array) =>
  Effect.tap(
    Effect.map(folder, (path) => join(path, "sound")),
    (path) => Effect.promise(() => writeFile(path, bytes))
  )

const floatsOf = (bytes: Uint8Array): Float32Array => new Float32Array(bytes.slice().buffer)

/** Properties of the audio in a file, by ffprobe. */
export const probed = (bytes: Uint8Array) =>
  Effect.scoped(Effect.gen(function*() {
    const args = ["-v", "error", "-show_streams", "-of", "json", yield* fileOf(bytes)]
    const parsed = JSON.parse(new TextDecoder().decode(yield* output("ffprobe", args)))
    const [{ bit_rate, channels, codec_name, duration, sample_rate }] = parsed.streams
    return {
      codec: String(codec_name),
      rate: Number(sample_rate),
      channels: Number(channels),
      seconds: Number(duration),
      kilobits: Number(bit_rate) / 1_000
    }
  }))

/** Samples of a file by ffmpeg, at the rate of the file unless the options say otherwise. */
export const decodedByFfmpeg = (bytes: Uint8Array, options: ReadonlyArray<string> = []) =>
  Effect.scoped(Effect.gen(function*() {
    const file = yield* fileOf(bytes)
    return floatsOf(yield* output("ffmpeg", ["-v", "error", "-i", file, ...options, "-f", "f32le", "-"]))
  }))

/** A file that ffmpeg makes from samples as `f32le`, or from one of its filters. */
export const madeByFfmpeg = (
  from: ReadonlyArray<string>,
  options: ReadonlyArray<string>,
  { extension, input = new Float32Array() }: { readonly extension: string; readonly input?: Float32Array }
) =>
  Effect.scoped(Effect.gen(function*() {
    const file = join(yield* folder, `sound.${extension}`)
    const bytes = new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
    yield* output("ffmpeg", ["-v", "error", ...from, ...options, file], bytes.slice())
    return new Uint8Array(yield* Effect.promise(() => readFile(file)))
  }))

/** Input options of ffmpeg for samples of a rate. */
export const samplesAt = (rate: number) => ["-f", "f32le", "-ar", String(rate), "-ac", "1", "-i", "-"]
