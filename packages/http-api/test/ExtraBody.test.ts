import { assert, describe, it } from "@effect/vitest"
import { ChatBody } from "@trunkline/chat"
import { Answers } from "@trunkline/models"
import { ResponseBody, Responses } from "@trunkline/responses"
import { ScriptedModel } from "@trunkline/scripted-model"
import { Effect, Layer } from "effect"

const responses = Responses.layer.pipe(Layer.provide(Answers.layer), Layer.provide(ScriptedModel.layer()))

const definedFields = new Set([...Object.keys(ChatBody.v2.fields), ...Object.keys(ResponseBody.fields)])

describe("extra_body of responses", () => {
  it.effect("rejects fields that responses or chat completions define", () =>
    Effect.gen(function*() {
      const { read } = yield* Responses
      for (const name of definedFields) {
        const failure = yield* Effect.flip(
          read({ model: "core-105b", input: "Hello", extra_body: { [name]: null, min_p: 0.1 } })
        )
        assert.deepStrictEqual(
          failure._tag === "Invalid" ? failure.issues.map(({ loc }) => loc) : [],
          [["body", "extra_body", name]]
        )
      }
    }).pipe(Effect.provide(responses)))
})
