import { type AttemptId, BusinessTime, steadily, Transactions } from "@trunkline/kernel"
import { Context, Deferred, Duration, Effect, Layer, type Option } from "effect"
import { type CallEvent, CallEventStore, type CallNews } from "./CallEventStore.js"

/** The end of a call, or that somebody has picked up. */
export type Decision = Exclude<CallNews, { readonly _tag: "Ringing" }>
type Ended = Extract<CallNews, { readonly _tag: "Ended" }>

/** Asks the provider itself, for when it tells nothing. */
export interface Polling {
  /** How often, in business time. */
  readonly every: Duration.DurationInput
  /** What the provider says now; null when it says nothing new, or cannot be asked. */
  readonly ask: Effect.Effect<CallNews | null>
}

/**
 * What providers tell of calls, kept once each however often they tell it. It is found by whoever asks for it, before
 * or after it came: an event may well overtake the answer to the request that placed its call.
 */
export class CallEvents extends Context.Tag("@trunkline/telephony/CallEvents")<CallEvents, {
  /** Keeps what a provider told, in one transaction; completes once it is kept. Answers with what was new. */
  readonly receive: (
    provider: string,
    events: ReadonlyArray<CallEvent>
  ) => Effect.Effect<ReadonlyArray<CallEvent>>
  /** Waits until somebody has picked up or the call is over; over wins, whatever was told first. */
  readonly decided: (provider: string, providerCallId: string, polling?: Polling) => Effect.Effect<Decision>
  /** Waits until the call is over. */
  readonly ended: (provider: string, providerCallId: string, polling?: Polling) => Effect.Effect<Ended>
  /** The provider's id of the call of an attempt, when the provider told of one. */
  readonly callOf: (provider: string, id: AttemptId) => Effect.Effect<Option.Option<string>>
}>() {
  /** Over the store; what is older than `keptFor` (default 7 days of business time) goes. */
  static readonly layer = (options: { readonly keptFor?: Duration.DurationInput } = {}) =>
    Layer.scoped(CallEvents, make(Duration.toMillis(options.keptFor ?? "7 days")))
}

/** How often old events are looked for, in technical time, and how many go in one statement. */
const SWEEP_EVERY = Duration.hours(1)
const SWEEP_BATCH = 500

const make = (keptFor: number) =>
  Effect.gen(function*() {
    const store = yield* CallEventStore
    const transactions = yield* Transactions
    const waiting = new Map<string, Set<Deferred.Deferred<void>>>()

    const wake = (provider: string, event: CallEvent) =>
      Effect.suspend(() =>
        Effect.forEach(waiting.get(keyOf(provider, event.provider_call_id)) ?? [], (bell) =>
          Deferred.succeed(bell, undefined), { discard: true })
      )

    /** A bell that rings at the next event of a call, from now until the scope closes. */
    const signalOf = (key: string) =>
      Effect.acquireRelease(
        Effect.map(Deferred.make<void>(), (bell) => {
          waiting.set(key, (waiting.get(key) ?? new Set()).add(bell))
          return bell
        }),
        (bell) =>
          Effect.sync(() => {
            const bells = waiting.get(key)
            bells?.delete(bell)
            if (bells?.size === 0) {
              waiting.delete(key)
            }
          })
      )

    /** The first news that is wanted, among what was told and what will be. */
    const awaitNews = <A extends CallNews>(
      provider: string,
      id: string,
      choose: (news: ReadonlyArray<CallNews>) => A | undefined
    ): Effect.Effect<A> =>
      Effect.flatMap(
        Effect.scoped(Effect.gen(function*() {
          const bell = yield* signalOf(keyOf(provider, id))
          const found = choose((yield* store.ofCall(provider, id)).map(({ news }) =>
            news
          ))
          if (found === undefined) yield* Deferred.await(bell)
          return found
        })),
        (found) => found === undefined ? awaitNews(provider, id, choose) : Effect.succeed(found)
      )

    const pollUntil = <A extends CallNews>(
      { ask, every }: Polling,
      choose: (news: ReadonlyArray<CallNews>) => A | undefined
    ): Effect.Effect<A> =>
      BusinessTime.sleep(every).pipe(
        Effect.zipRight(ask),
        Effect.flatMap((news) => {
          const found = news === null ? undefined : choose([news])
          return found === undefined ? pollUntil({ ask, every }, choose) : Effect.succeed(found)
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
      (now) => store.removeBefore(now - keptFor, SWEEP_BATCH)
    ).pipe(
      Effect.flatMap((removed) => removed < SWEEP_BATCH ? Effect.sleep(SWEEP_EVERY) : Effect.void),
      Effect.forever
    )
    yield* sweep.pipe(
      steadily({ message: "Old events of calls could not be removed", first: "1 second", longest: "1 minute" }),
      Effect.forkScoped
    )

    return CallEvents.of({
      receive: Effect.fn("CallEvents.receive")(function*(provider, events) {
        const now = yield* BusinessTime.now
        // Who asked may leave in between; whoever waits for the events is woken all the same, also for those told before.
        return yield* Effect.uninterruptible(
          Effect.tap(
            transactions.run(store.insert(provider, events, now)),
            () => Effect.forEach(events, (event) => wake(provider, event), { discard: true })
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
