import { Effect, Option } from "effect"
import { findBinary, type FoundBinary } from "../binary/FindBinary.js"
import { espeakPackage } from "../wasm/EspeakModule.js"
import { findPackage, type FoundPackage } from "../wasm/FindPackage.js"

/** The espeak that there is. */
export type FoundEspeak =
  | { readonly kind: "binary" } & FoundBinary
  | { readonly kind: "wasm" } & FoundPackage
  | { readonly kind: "none" }

/** Looks for the program, which takes little memory and none of this process's, and then for the package. */
export const findEspeak = (binary: string | null): Effect.Effect<FoundEspeak> =>
  Effect.gen(function*() {
    const program = binary === null ? Option.none() : yield* findBinary(binary)
    if (Option.isSome(program)) return { kind: "binary", ...program.value }
    return Option.match(yield* findPackage, {
      onNone: () => ({ kind: "none" }),
      onSome: (found) => ({ kind: "wasm", ...found })
    })
  })

/** Which espeak there is. */
export interface EspeakDescription {
  /** A program of the system, WebAssembly in threads of this process, or none. */
  readonly kind: "binary" | "wasm" | "none"
  /** Of espeak-ng for a program, of the package for WebAssembly; null for none. */
  readonly version: string | null
  /** The same in words, for start-up lines; where there is none, what to install. */
  readonly message: string
}

/** An espeak in words. */
export const describeEspeak = (found: FoundEspeak): EspeakDescription => {
  const { kind } = found
  switch (kind) {
    case "binary":
      return { kind, version: found.version, message: `espeak-ng ${found.version}, the program ${found.binary}` }
    case "wasm":
      return { kind, version: found.version, message: `espeak-ng as WebAssembly, ${espeakPackage} ${found.version}` }
    case "none":
      return { kind, version: null, message: missing }
  }
}

const missing =
  `There is no espeak-ng: install the program espeak-ng (apt install espeak-ng, brew install espeak-ng), or ` +
  `the package ${espeakPackage}, which is under the GPL`
