import { Effect, Option, Stream } from "effect"
import { type ClientOptions, createClient } from "./Client.js"
import type { EffectClient, StartedEffect } from "./effect/Effects.js"
import { type Failure, failureOf } from "./effect/Failures.js"
import { routes } from "./generated/Routes.js"
import { type Route, routeOf } from "./Invocation.js"
import type { ByteStream } from "./Results.js"

type Given = ReadonlyArray<unknown>
type Run = (...args: Given) => unknown

/** Runs an operation; fails with what it failed with, and dies of mistakes. */
const effectOf = <A>(run: () => Promise<A>): Effect.Effect<A, Failure> =>
  Effect.tryPromise({ try: run, catch: (thrown) => ({ failure: failureOf(thrown), thrown }) }).pipe(
    Effect.catchAll(({ failure, thrown }) => failure === undefined ? Effect.die(thrown) : Effect.fail(failure))
  )

/** Runs a request that interruption aborts; `use` makes what it succeeds with, whose end may abort it, too. */
const request = <A, B>(run: (signal: AbortSignal) => Promise<A>, use: (value: A, abort: () => void) => B) =>
  Effect.suspend(() => {
    const aborting = new AbortController()
    const abort = () => aborting.abort()
    return effectOf(() => run(aborting.signal)).pipe(
      Effect.onInterrupt(() => Effect.sync(abort)),
      Effect.map((value) => use(value, abort))
    )
  })

/**
 * Stream of the items of an iterable. The end of the stream aborts its source at once: the end of an iterator would wait for an item that it
 * was asked for before.
 */
const streamOf = <A>(items: AsyncIterable<A>, abort: () => void): Stream.Stream<A, Failure> =>
  Stream.unwrapScoped(
    Effect.map(
      Effect.acquireRelease(Effect.sync(() => items[Symbol.asyncIterator]()), (iterator) =>
        Effect.sync(() => {
          abort()
          iterator.return?.().catch(() => undefined)
        })),
      (iterator) =>
        Stream.repeatEffectOption(
          effectOf(() => iterator.next()).pipe(
            Effect.mapError(Option.some),
            Effect.flatMap(({ done, value }) => done === true ? Effect.fail(Option.none()) : Effect.succeed(value))
          )
        )
    )
  )

/** The stream of what a request answers with. */
const streamFrom = <A>(run: (signal: AbortSignal) => Promise<AsyncIterable<A>>): Stream.Stream<A, Failure> =>
  Stream.unwrap(request(run, streamOf))

/** Arguments of a method with a signal in its options, which end them, at a place. The signal of the caller aborts it, too. */
const withSignal = (args: Given, at: number, signal: AbortSignal): Given => {
  const options = Object(args[at])
  const callerSignal: unknown = options.signal
  const either = callerSignal instanceof AbortSignal ? AbortSignal.any([callerSignal, signal]) : signal
  return [...Array.from({ length: at }, (_, index) => args[index]), { ...options, signal: either }]
}

const optionsAt = ({ body, hasQuery, ids }: Route): number =>
  ids.length + (body === "none" ? 0 : 1) + (hasQuery ? 1 : 0)

const isBytes = (value: unknown): value is ByteStream =>
  typeof value === "object" && value !== null && "contentType" in value && "bytes" in value

/** The method of an operation, from that of the client. */
const methodOf = (run: Run, route: Route) => {
  const at = optionsAt(route)
  const start = (args: Given) => (signal: AbortSignal): Promise<unknown> =>
    Promise.resolve(run(...withSignal(args, at, signal)))
  const effect = (args: Given) =>
    request(
      start(args),
      (value, abort) => isBytes(value) ? { contentType: value.contentType, bytes: streamOf(value, abort) } : value
    )
  if (route.isPaged) {
    return (...args: Given) =>
      Object.assign(effect(args), {
        items: streamFrom(async (signal) => {
          const pages = run(...withSignal(args, at, signal)) as AsyncIterable<unknown>
          // A promise of pages would be awaited here.
          return { [Symbol.asyncIterator]: () => pages[Symbol.asyncIterator]() }
        })
      })
  }
  const stream = (body: object, options?: unknown) =>
    streamFrom(async (signal) => await start([{ ...body, stream: true }, options])(signal) as AsyncIterable<unknown>)
  return Object.assign((...args: Given) => effect(args), route.body === "json" && { stream })
}

/**
 * Makes a client whose methods are effects: they fail with tagged errors, and interruption aborts their requests. Throws
 * `TypeError` for options that are missing, unknown or wrong; dies of mistakes in arguments.
 *
 * @example
 * ```ts
 * const trunkline = makeClient({ baseUrl: "http://127.0.0.1:8787", apiKey: "sk_live_desk_…" })
 * const names = trunkline.campaigns.list().items.pipe(Stream.map(({ name }) => name), Stream.runCollect)
 * ```
 */
export const makeClient = (options: ClientOptions): EffectClient => {
  const client = createClient(options)
  const resources = Object.entries(routes).map(([resource, methods]) => [
    resource,
    Object.fromEntries(
      Object.entries(methods).map(([method, route]) => {
        const run: Run = Reflect.get(Reflect.get(client, resource), method)
        return [method, methodOf(run, routeOf(route))]
      })
    )
  ])
  const calls: EffectClient["calls"] = {
    create: (call, options) =>
      request((signal) => client.calls.create(call, { ...options, signal }), (startedCall, abort): StartedEffect => ({
        attempt_id: startedCall.attempt_id,
        ended: Effect.onInterrupt(Effect.suspend(() => effectOf(() => startedCall.ended)), () => Effect.sync(abort))
      }))
  }
  const live: EffectClient["live"] = (options) =>
    streamFrom(async (signal) =>
      client.live({ ...options, signal: Object(withSignal([options], 0, signal)[0]).signal })
    )
  return { ...Object.fromEntries(resources), calls, live } as EffectClient
}

export type { ClientOptions } from "./Client.js"
export type { Bytes, EffectClient, PageEffect } from "./effect/Effects.js"
export { type Failure, Invalid, LimitReached, NoAnswer, NotAllowed, NotFound, Unavailable } from "./effect/Failures.js"
