import { HttpSender } from "@trunkline/webhooks"
import { Effect, Layer } from "effect"
import { GuardedHttp, type GuardOptions } from "./GuardedHttp.js"

/** An `HttpSender` that reaches public `https:` receivers only, unless the options say otherwise. */
export const layer = (options: GuardOptions = {}): Layer.Layer<HttpSender> =>
  Layer.effect(HttpSender, Effect.map(GuardedHttp, ({ post }) => HttpSender.of({ post }))).pipe(
    Layer.provide(GuardedHttp.layer(options))
  )
