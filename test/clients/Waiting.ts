import { type Delta, LanguageModel, messageText, type ModelRequest } from "@trunkline/models"
import { ScriptedModel, type ScriptedRule } from "@trunkline/scripted-model"
import { Effect, Layer, Stream } from "effect"

/** Prompts that make the model wait forever: after its first token, or before a whole response. */
export const waitForever = "Say one word and wait"

/** A model that is waiting. */
export interface Waiting {
  /** It waits. */
  readonly reached: Promise<void>
  /** Completes once no client waits for it any more. */
  readonly left: Promise<void>
}

const isWaiting = ({ messages }: ModelRequest) => messages.some((message) => messageText(message).includes(waitForever))

const firstWord: Delta = { _tag: "Text", text: "One" }

/** A scripted model that can be told to wait; `next` is about the request that comes next. */
export const waitingModel = (rules: ReadonlyArray<ScriptedRule>) => {
  let reach = () => {}
  let leave = () => {}
  const next = (): Waiting => ({
    reached: new Promise((resolve) => reach = resolve),
    left: new Promise((resolve) => leave = resolve)
  })
  const waiting = Effect.zipRight(Effect.sync(() => reach()), Effect.never).pipe(
    Effect.onInterrupt(() => Effect.sync(() => leave()))
  )
  const patient = Effect.map(LanguageModel, ({ generate, stream }) => ({
    generate: (request: ModelRequest) => isWaiting(request) ? waiting : generate(request),
    stream: (request: ModelRequest) =>
      isWaiting(request) ? Stream.concat(Stream.make(firstWord), Stream.fromEffect(waiting)) : stream(request)
  }))
  return { model: Layer.provide(Layer.effect(LanguageModel, patient), ScriptedModel.layer(rules)), next }
}
