import { type AttemptId, Bus, BusinessTime, retryForever, Transactions } from "@trunkline/kernel"
import { Context, Deferred, Duration, Effect, Layer, type Option } from "effect"
import { type CallEvent, CallEventStore, type CallNews } from "./CallEventStore.js"

/** The news that decides whether a call connects: it was answered, or it ended. */
export type Decision = Exclude<CallNews, { readonly _tag: "Ringing" }>
type Ended = Extract<CallNews, { readonly _tag: "Ended" }>

/** Polling of the provider as a fallback for missing events. */
export interface Polling {
  /** Polling interval, in business time. */
  readonly every: Duration.DurationInput
  /** Asks the provider; null when there is no news or the request failed. */
  readonly ask: Effect.Effect<CallNews | null>
}

/**
 * Receives events from providers, stores each once, and lets callers wait for them. Waiting also finds events that
 * arrived earlier, since an event can overtake the response to the dial. Where processes share the store, each hears of the
 * events that others have stored, and looks for some that it has not heard of.
 */
export class CallEvents extends Context.Tag("@trunkline/telephony/CallEvents")<CallEvents, {
  /** Stores events in one transaction and returns the new ones. */
  readonly receive: (
    provider: string,
    events: ReadonlyArray<CallEvent>
  ) => Effect.Effect<ReadonlyArray<CallEvent>>
  /** Waits until the call was answered or has ended; an end takes precedence over an answer regardless of order. */
  readonly decided: (provider: string, providerCallId: string, polling?: Polling) => Effect.Effect<Decision>
  /** Waits until the call has ended. */
  readonly ended: (provider: string, providerCallId: string, polling?: Polling) => Effect.Effect<Ended>
  /** The provider's call id of an attempt, if an event reported it. */
  readonly callOf: (provider: string, id: AttemptId) => Effect.Effect<Option.Option<string>>
}>() {
  /** Uses the event store; events are removed after `keptFor` (default 7 days of business time). */
  static readonly layer = (options: { readonly keptFor?: Duration.DurationInput } = {}) =>
    Layer.scoped(CallEvents, make(Duration.toMillis(options.keptFor ?? "7 days")))
}

/** Interval between removals of old events, in technical time, and batch size of a removal. */
const sweepEvery = Duration.hours(1)
const sweepBatch = 500

/** Topic of stored events; the payload is the key of their call. */
const eventTopic = "provider-event"

/** First and longest time after which a waiting call of a shared store looks for events itself. */
const firstLook = 2_000
const maxLook = 16_000

const make = (keptFor: number) =>
  Effect.gen(function*() {
    const bus = yield* Bus
    const store = yield* CallEventStore
    const transactions = yield* Transactions
    const waiting = new Map<string, Set<Deferred.Deferred<void>>>()

    const wake = (key: string) =>
      Effect.suspend(() =>
        Effect.forEach(waiting.get(key) ?? [], (signal) => Deferred.succeed(signal, undefined), { discard: true })
      )
    const wakeAll = Effect.suspend(() => Effect.forEach(Array.from(waiting.keys()), wake, { discard: true }))

    /** Wakes the callers of this process and of the others. */
    const announce = (provider: string, events: ReadonlyArray<CallEvent>) =>
      Effect.suspend(() => {
        const keys = new Set(events.map(({ provider_call_id }) => keyOf(provider, provider_call_id)))
        return Effect.forEach(keys, (key) => Effect.zipRight(wake(key), bus.publish(eventTopic, key)), {
          discard: true
        })
      })
    if (bus.isShared) {
      const news = yield* bus.subscribe(eventTopic)
      const hear = Effect.flatMap(news, (key) => key === null ? wakeAll : wake(key))
      yield* Effect.forkScoped(Effect.forever(hear))
    }

    /** Waits for a signal; where others store events too, no longer than until the next look. */
    const awaitSignal = (signal: Deferred.Deferred<void>, look: number) =>
      bus.isShared ? Effect.timeoutOption(Deferred.await(signal), look) : Deferred.await(signal)

    /** A signal for the next event of a call, registered until the scope closes. */
    const signalOf = (key: string) =>
      Effect.acquireRelease(
        Effect.map(Deferred.make<void>(), (signal) => {
          waiting.set(key, (waiting.get(key) ?? new Set()).add(signal))
          return signal
        }),
        (signal) =>
          Effect.sync(() => {
            const signals = waiting.get(key)
            signals?.delete(signal)
            if (signals?.size === 0) {
              waiting.delete(key)
            }
          })
      )

    /** Waits for the first matching news among stored and future events. */
    const awaitNews = <A extends CallNews>(
      provider: string,
      id: string,
      choose: (news: ReadonlyArray<CallNews>) => A | undefined,
      look = firstLook
    ): Effect.Effect<A> =>
      Effect.flatMap(
        Effect.scoped(Effect.gen(function*() {
          const signal = yield* signalOf(keyOf(provider, id))
          const choice = choose((yield* store.ofCall(provider, id)).map(({ news }) => news))
          if (choice === undefined) yield* awaitSignal(signal, look)
          return choice
        })),
        (choice) =>
          choice === undefined
            ? awaitNews(provider, id, choose, Math.min(look * 2, maxLook))
            : Effect.succeed(choice)
      )

    const pollUntil = <A extends CallNews>(
      { ask, every }: Polling,
      choose: (news: ReadonlyArray<CallNews>) => A | undefined
    ): Effect.Effect<A> =>
      BusinessTime.sleep(every).pipe(
        Effect.zipRight(ask),
        Effect.flatMap((news) => {
          const choice = news === null ? undefined : choose([news])
          return choice === undefined ? pollUntil({ ask, every }, choose) : Effect.succeed(choice)
        })
      )

    const wait =
      <A extends CallNews>(choose: (news: ReadonlyArray<CallNews>) => A | undefined) =>
      (provider: string, id: string, polling?: Polling): Effect.Effect<A> =>
        polling === undefined
          ? awaitNews(provider, id, choose)
          : Effect.raceFirst(awaitNews(provider, id, choose), pollUntil(polling, choose))

    const sweep: Effect.Effect<void> = Effect.flatMap(
      BusinessTime.now,
      (now) => store.removeBefore(now - keptFor, sweepBatch)
    ).pipe(
      Effect.flatMap((count) => count < sweepBatch ? Effect.sleep(sweepEvery) : Effect.void),
      Effect.forever
    )
    yield* sweep.pipe(
      retryForever({ message: "Could not remove old call events", initialDelay: "1 second", maxDelay: "1 minute" }),
      Effect.forkScoped
    )

    return CallEvents.of({
      receive: Effect.fn("CallEvents.receive")(function*(provider, events) {
        const now = yield* BusinessTime.now
        // Waiters are woken even when the request is interrupted, and for events received before.
        return yield* Effect.uninterruptible(
          Effect.tap(
            transactions.runGuarded(store.insert(provider, events, now)),
            () => announce(provider, events)
          )
        )
      }),
      decided: wait(decisionOf),
      ended: wait(endOf),
      callOf: store.callOf
    })
  })

const keyOf = (provider: string, id: string) => `${provider}\n${id}`

const endOf = (news: ReadonlyArray<CallNews>): Ended | undefined => news.find((one) => one._tag === "Ended")

const decisionOf = (news: ReadonlyArray<CallNews>): Decision | undefined =>
  endOf(news) ?? news.find((one) => one._tag === "Answered")
