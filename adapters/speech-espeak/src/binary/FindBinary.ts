import { Effect, Option } from "effect"
import { execFile } from "node:child_process"
import { environment } from "./Environment.js"

/** A program that is espeak-ng. */
export interface FoundBinary {
  readonly binary: string
  readonly version: string
  readonly english: string
}

/** How long it may take to say what it is, in milliseconds. */
const limit = 5_000

/** What a program prints; empty when it cannot be run, fails or takes too long. */
const printed = (binary: string, argument: string): Effect.Effect<string> =>
  Effect.async((resume) => {
    const options = { env: environment(), timeout: limit, killSignal: "SIGKILL", windowsHide: true } as const
    const child = execFile(binary, [argument], options, (error, output) =>
      resume(Effect.succeed(error === null ? output : "")))
    return Effect.sync(() =>
      child.kill("SIGKILL")
    )
  })

/** Releases after 1.52 have an English of India. A voice is named by its file, since a variant is lost on other names. */
const englishIn = (voices: string): string => /\s(\w+\/en-in)\s/i.exec(voices)?.[1] ?? "en"

/** Whether a program is there and is espeak-ng: what it says of itself. */
export const findBinary = (binary: string): Effect.Effect<Option.Option<FoundBinary>> =>
  Effect.gen(function*() {
    const version = /eSpeak NG text-to-speech: (\S+)/.exec(yield* printed(binary, "--version"))?.[1]
    if (version === undefined) return Option.none()
    return Option.some({ binary, version, english: englishIn(yield* printed(binary, "--voices=en")) })
  })
