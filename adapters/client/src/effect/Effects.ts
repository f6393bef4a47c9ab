import type { Effect, Stream } from "effect"
import type { Calls, StartedCall } from "../Calls.js"
import type { TrunklineClient } from "../Client.js"
import type { LiveEvent } from "../generated/Types.js"
import type { Live } from "../Live.js"
import type { ByteStream, CallOptions, EventStream } from "../Results.js"
import type { Failure } from "./Failures.js"

/** Bytes that arrive as they are made. */
export interface Bytes {
  /** Content type, such as `audio/wav`. */
  readonly contentType: string
  readonly bytes: Stream.Stream<Uint8Array, Failure>
}

/** A page of a list; `items` reads all its items, and those of the pages that follow. */
export interface PageEffect<Page> extends Effect.Effect<Page, Failure> {
  readonly items: Stream.Stream<Page extends { readonly items: ReadonlyArray<infer Item> } ? Item : never, Failure>
}

/** A call that was started. `ended` completes with its record when it has ended. */
export interface StartedEffect {
  readonly attempt_id: string
  readonly ended: Effect.Effect<Awaited<StartedCall["ended"]>, Failure>
}

type ResultOf<Result> = Result extends Promise<infer Page> & AsyncIterable<unknown> ? PageEffect<Page>
  : Result extends Promise<infer Value> ? Effect.Effect<Value extends ByteStream ? Bytes : Value, Failure>
  : never

type Method<Plain> = Plain extends (...args: infer Given) => infer Result ? (...args: Given) => ResultOf<Result>
  : never

type Resource<Plain> = { readonly [Name in keyof Plain]: Method<Plain[Name]> }

type Streaming<Body, Event> = (body: Body, options?: CallOptions) => Promise<EventStream<Event>>

/** A method that answers at once, and as `stream` in events as they come. */
type Conversation<Plain> = Plain extends {
  (body: infer _, options?: CallOptions): Promise<EventStream<infer Event>>
  (body: infer Body, options?: CallOptions): infer Result
} ? ((body: Body, options?: CallOptions) => ResultOf<Result>) & {
    readonly stream: (
      body: Omit<Parameters<Streaming<Body, Event>>[0], "stream">,
      options?: CallOptions
    ) => Stream.Stream<Event, Failure>
  }
  : never

type Conversations<Plain> = { readonly [Name in keyof Plain]: Conversation<Plain[Name]> }

type Others = Omit<TrunklineClient, "calls" | "chat" | "live" | "responses">

/**
 * The API of a server in effects, with the names of the client's methods. Chats and responses in events are
 * `chat.create.stream(body)`, and the items of all pages `campaigns.list().items`.
 */
export type EffectClient = { readonly [Name in keyof Others]: Resource<Others[Name]> } & {
  readonly calls: {
    readonly create: (...args: Parameters<Calls["create"]>) => Effect.Effect<StartedEffect, Failure>
  }
  readonly chat: Conversations<TrunklineClient["chat"]>
  readonly responses: Conversations<TrunklineClient["responses"]>
  readonly live: (...args: Parameters<Live>) => Stream.Stream<LiveEvent, Failure>
}
