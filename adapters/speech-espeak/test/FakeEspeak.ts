import { Effect } from "effect"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const script = fileURLToPath(new URL("./fakes/espeak.mjs", import.meta.url))

const voices = {
  british: " 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)",
  indian: " 2  en-in           --/M      English_(India)    gmw/en-IN            (en 3)"
}

const program = (way: string, folder: string): string =>
  `#!/bin/sh
case "$1" in
  --version) echo search >> "${folder}/searches"; echo "eSpeak NG text-to-speech: 1.99-test  Data at: /nowhere" ;;
  --voices=en) echo "${way === "indian" ? voices.indian : voices.british}" ;;
  *) exec "${process.execPath}" "${script}" ${way} "${folder}" "$@" ;;
esac
`

/** A program that behaves like espeak-ng in one of the ways of `fakes/espeak.mjs`. */
export const fakeEspeak = (way: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "trunkline-espeak-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    ),
    (folder) => {
      const binary = join(folder, "espeak-ng")
      writeFileSync(binary, program(way, folder))
      chmodSync(binary, 0o755)
      const path = (name: string) => join(folder, name)
      return {
        binary,
        path,
        /** Lines that it has written to a log. */
        noted: (name: string): ReadonlyArray<string> =>
          existsSync(path(name)) ? readFileSync(path(name), "utf8").trimEnd().split("\n") : []
      }
    }
  )

/** Completes once a condition holds. */
export const until = (condition: () => boolean): Effect.Effect<void> =>
  Effect.async((resume) => {
    const timer = setInterval(() => {
      if (!condition()) return
      clearInterval(timer)
      resume(Effect.void)
    }, 2)
    return Effect.sync(() => clearInterval(timer))
  })
