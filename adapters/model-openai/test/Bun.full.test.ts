import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { bun, bunRuns } from "../../../test/setup/Bun.js"
import { fakeUpstream } from "./fixtures/FakeUpstream.js"
import { chunk, event, events, json, usageChunk, whole, words } from "./fixtures/Wire.js"

/** Runs a script with Bun and parses its output, one JSON value per line. */
const written = (script: string, baseUrl: string) =>
  Effect.async<ReadonlyArray<unknown>>((resume) => {
    const path = fileURLToPath(new URL(script, import.meta.url))
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

describe.skipIf(!bunRuns)("under Bun", () => {
  it.scopedLive("a model completes, streams, fails and is interrupted as under Node.js", () =>
    Effect.gen(function*() {
      const elsewhere = yield* fakeUpstream(json(whole({ content: "Hi" })))
      const upstream = yield* fakeUpstream(({ body }) => {
        switch (body.model) {
          case "whole":
            return json(whole({ content: "नमस्ते" }))
          case "stream":
            return [
              { write: event(words("one")) },
              { pause: 50 },
              { write: events(words(" two"), words(" three")) },
              { write: events(chunk({}, "stop"), usageChunk(), "[DONE]") },
              "end"
            ]
          case "cut":
            return [{ write: event(words("one")) }, { pause: 50 }, "cut"]
          case "stall":
            return [{ write: event(words("one")) }, "hang"]
          case "busy":
            return json({ error: { message: "busy" } }, 429, { "retry-after": "3" })
          case "moved":
            return json({}, 307, { location: `${elsewhere.baseUrl}/chat/completions` })
          default:
            return ["hang"]
        }
      })
      assert.deepStrictEqual(yield* written("fixtures/BunScript.ts", upstream.baseUrl), [
        { whole: "नमस्ते" },
        { stream: ["one", " two three", "Finish"] },
        { cut: "ModelFailed: The model's answer broke off. Try again." },
        { stall: "ModelTimedOut: The model took too long: its next token did not come within 200ms" },
        { busy: "ModelRateLimited: The model's provider has had enough requests for now" },
        { moved: "ModelFailed: The model's provider failed. Try again." },
        { refused: "ModelUnavailable: The model cannot be reached: the connection was refused" },
        { silent: "interrupted" },
        { unread: "interrupted" }
      ])
      assert.lengthOf(elsewhere.requests, 0, "no redirect is followed")
      const closed = yield* Effect.promise(() => Promise.all(upstream.requests.slice(-2).map(({ closed }) => closed)))
      assert.lengthOf(closed, 2, "what was interrupted was broken off")
    }))
})
