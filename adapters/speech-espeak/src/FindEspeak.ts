import { Effect, Option, Predicate } from "effect"
import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { espeakPackage } from "./EspeakModule.js"

/** Variables by which espeak finds itself and its data. The rest of the environment, with its secrets, is not passed on. */
const environmentNames = ["PATH", "HOME", "ESPEAK_DATA_PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot"]

/** Environment of a process of espeak. */
export const espeakEnvironment = (): Record<string, string> =>
  Object.fromEntries(environmentNames.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }))

/** An installed program espeak-ng. */
export interface EspeakBinary {
  readonly binary: string
  readonly version: string
  /** Its voice for English. */
  readonly english: string
}

/** Time limit of a query for version or voices, in milliseconds. */
const queryMillis = 5_000

/** Output of a program; empty when it cannot be run, fails or takes too long. */
const outputOf = (binary: string, argument: string): Effect.Effect<string> =>
  Effect.async((resume) => {
    const options = {
      env: espeakEnvironment(),
      timeout: queryMillis,
      killSignal: "SIGKILL",
      windowsHide: true
    } as const
    const child = execFile(
      binary,
      [argument],
      options,
      (error, output) => resume(Effect.succeed(error === null ? output : ""))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Voice for English: releases after 1.52 have one of India. It is named by its file, as other names ignore variants. */
const englishIn = (voices: string): string => /\s(\w+\/en-in)\s/i.exec(voices)?.[1] ?? "en"

/** Finds a program, if it is installed and identifies itself as espeak-ng. */
export const findBinary = (binary: string): Effect.Effect<Option.Option<EspeakBinary>> =>
  Effect.gen(function*() {
    const version = /eSpeak NG text-to-speech: (\S+)/.exec(yield* outputOf(binary, "--version"))?.[1]
    if (version === undefined) return Option.none()
    return Option.some({ binary, version, english: englishIn(yield* outputOf(binary, "--voices=en")) })
  })

/** The installed package with espeak as WebAssembly. */
export interface EspeakPackage {
  readonly version: string
}

/** Finds the package, if this one can resolve it. */
export const findPackage: Effect.Effect<Option.Option<EspeakPackage>> = Effect.try((): unknown =>
  createRequire(import.meta.url)(`${espeakPackage}/package.json`)
).pipe(
  Effect.option,
  Effect.map(Option.filter(Predicate.hasProperty("version"))),
  Effect.map(Option.map(({ version }) => ({ version: String(version) })))
)

/** An espeak that was found, or none. */
export type FoundEspeak =
  | { readonly kind: "binary" } & EspeakBinary
  | { readonly kind: "wasm" } & EspeakPackage
  | { readonly kind: "none" }

/** Looks for the program, which needs the least memory, and then for the package. */
export const findEspeak = (binary: string | null): Effect.Effect<FoundEspeak> =>
  Effect.gen(function*() {
    const program = binary === null ? Option.none() : yield* findBinary(binary)
    if (Option.isSome(program)) return { kind: "binary", ...program.value }
    return Option.match(yield* findPackage, {
      onNone: () => ({ kind: "none" }),
      onSome: (espeak) => ({ kind: "wasm", ...espeak })
    })
  })

/** Description of the espeak that is used. */
export interface EspeakDescription {
  /** `binary`: the program. `wasm`: WebAssembly in threads of this process. */
  readonly kind: "binary" | "wasm" | "none"
  /** Version of the program or of the package; null for none. */
  readonly version: string | null
  /** The same as text for a start-up message; for none, it says what to install. */
  readonly message: string
}

/** Describes an espeak. */
export const describeEspeak = (espeak: FoundEspeak): EspeakDescription => {
  const { kind } = espeak
  switch (kind) {
    case "binary":
      return { kind, version: espeak.version, message: `espeak-ng ${espeak.version}, the program ${espeak.binary}` }
    case "wasm":
      return { kind, version: espeak.version, message: `espeak-ng as WebAssembly, ${espeakPackage} ${espeak.version}` }
    case "none":
      return { kind, version: null, message: missing }
  }
}

const missing =
  `espeak-ng is not installed: install the program espeak-ng (apt install espeak-ng, brew install espeak-ng), or ` +
  `the package ${espeakPackage}, which is under the GPL`
