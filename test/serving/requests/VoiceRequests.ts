import { assert } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { type SendOptions, sendRequest, type TestResponse } from "../Client.js"
import { voiceForm, type VoiceParts } from "../Clips.js"
import type { Served } from "../Ways.js"

export const creating = "/voices/create"

export const streaming = "/voices/clone/stream"

export const generating = "/voices/clone"

export const said = "Namaste"

export const post = (
  server: Pick<Served, "url">,
  path: string,
  parts: VoiceParts,
  { key = testKeys.beta, ...rest }: SendOptions = {}
) => sendRequest(server, path, { method: "POST", body: voiceForm(parts), key, ...rest })

export const refuses = (answer: TestResponse, status: number, message: RegExp, code = "invalid_request_error") => {
  assert.strictEqual(answer.status, status, answer.text.slice(0, 300))
  assert.deepStrictEqual(Object.keys(answer.json.error).sort(), ["code", "message", "request_id"])
  assert.strictEqual(answer.json.error.code, code)
  assert.match(answer.json.error.message, message)
  assert.strictEqual(answer.json.error.request_id, answer.headers.get("x-request-id"))
}
