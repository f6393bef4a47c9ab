import { assert, describe, it } from "@effect/vitest"
import { fakeServer, formOf, type Step } from "@trunkline/http-client/testing"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { bun, bunRuns } from "../../../../test/setup/Bun.js"

/** Runs the script with Bun and parses its output, one JSON value per line. */
const written = (baseUrl: string) =>
  Effect.async<ReadonlyArray<unknown>>((resume) => {
    const path = fileURLToPath(new URL("BunScript.ts", import.meta.url))
    const child = spawn(bun, ["--conditions=@trunkline/source", path, baseUrl], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let text = ""
    child.stdout.on("data", (piece) => {
      text += String(piece)
    })
    child.on("close", () => resume(Effect.sync(() => text.trim().split("\n").map((line) => JSON.parse(line)))))
    return Effect.sync(() => child.kill())
  })

const answers: Readonly<Record<string, ReadonlyArray<Step>>> = {
  "/whole": ["continue", "hint", "continue", { write: new Uint8Array(1_001) }, { write: new Uint8Array(1_000) }, "end"],
  "/cut": [{ write: new Uint8Array(1_001) }, "cut"],
  "/short": [{ status: 200, headers: { "content-length": "2000" } }, { write: new Uint8Array(1_001) }, "cut"],
  "/stall": [{ write: new Uint8Array(1_001) }, "hang"],
  "/refused": [{ status: 401 }, "end"],
  "/moved": [{ status: 307, headers: { location: "/whole" } }, "end"]
}

describe.skipIf(!bunRuns)("under Bun", () => {
  it.scopedLive(
    "responses arrive, are truncated, are rejected and are interrupted as under Node.js",
    () =>
      Effect.gen(function*() {
        const server = yield* fakeServer(({ path }) => answers[path] ?? ["hang"])
        assert.deepStrictEqual(yield* written(server.origin), [
          { form: 2_001 },
          { json: 2_001 },
          { "/cut": "The speech server's answer broke off. Try again." },
          { "/short": "The speech server's answer broke off. Try again." },
          { "/stall": "The speech server took too long: its answer did not go on within 200ms" },
          { "/refused": "The speech server refused our key; check that it is complete and was not revoked" },
          { "/moved": "The speech server failed. Try again." },
          { silent: "interrupted" }
        ])
        const [first] = server.requests
        const clip = yield* Effect.promise(async () => first && (await formOf(first)).get("clip"))
        assert.strictEqual(clip instanceof File && clip.size, 100_000)
        yield* Effect.promise(async () => server.requests.at(-1)?.closed)
      })
  )
})
