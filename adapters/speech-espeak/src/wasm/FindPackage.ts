import { Effect, Option, Predicate } from "effect"
import { createRequire } from "node:module"
import { espeakPackage } from "./EspeakModule.js"

/** The package that has espeak as WebAssembly. */
export interface FoundPackage {
  readonly version: string
}

/** Whether the package is installed where this one finds it. */
export const findPackage: Effect.Effect<Option.Option<FoundPackage>> = Effect.try((): unknown =>
  createRequire(import.meta.url)(`${espeakPackage}/package.json`)
).pipe(
  Effect.option,
  Effect.map(Option.filter(Predicate.hasProperty("version"))),
  Effect.map(Option.map(({ version }) => ({ version: String(version) })))
)
