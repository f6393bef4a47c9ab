import { type Delta, LanguageModel, type Message, type ModelRequest } from "@trunkline/models"
import { ScriptedModel, type ScriptedRule } from "@trunkline/scripted-model"
import { Chunk, Effect, Stream } from "effect"

export type Options = Parameters<typeof ScriptedModel.layer>[1]

export const system = (content: string): Message => ({ role: "system", content })
export const user = (content: string): Message => ({ role: "user", content })
export const agent = (content: string): Message => ({ role: "assistant", content, toolRequests: [] })
export const asking = (...names: ReadonlyArray<string>): Message => ({
  role: "assistant",
  content: null,
  toolRequests: names.map((name) => ({ id: `id of ${name}`, name, arguments: "{}" }))
})
export const result = (name: string, content: string): Extract<Message, { readonly role: "tool" }> => ({
  role: "tool",
  toolRequestId: `id of ${name}`,
  name,
  content
})

/** A request to a model that nobody knows and that therefore does not think. */
export const request = (...messages: ReadonlyArray<Message>): ModelRequest => ({ model: "mine", messages })

/** The whole answer. */
export const ask = (request: ModelRequest, rules: ReadonlyArray<ScriptedRule> = [], options: Options = {}) =>
  Effect.flatMap(LanguageModel, (model) => model.generate(request)).pipe(
    Effect.provide(ScriptedModel.layer(rules, options))
  )

/** The answer in pieces, as far as it comes, and the failure that it ends with. */
export const piecesOf = (request: ModelRequest, rules: ReadonlyArray<ScriptedRule> = [], options: Options = {}) =>
  Effect.gen(function*() {
    const { stream } = yield* LanguageModel
    const pieces: Array<Delta> = []
    const failure = yield* stream(request).pipe(
      Stream.runForEachChunk((chunk) => Effect.sync(() => pieces.push(...Chunk.toReadonlyArray(chunk)))),
      Effect.match({ onFailure: (failure) => failure, onSuccess: () => null })
    )
    return { pieces, failure }
  }).pipe(Effect.provide(ScriptedModel.layer(rules, options)))
