import { crashableTransactions, type EffectTransform, Ids, VirtualClock } from "@trunkline/kernel"
import { CallEvents, CallRegistry, CallSlots } from "@trunkline/telephony"
import { Outbox } from "@trunkline/webhooks"
import { Context, Effect, Exit, Fiber, FiberRef, GlobalValue, Layer, Logger, LogLevel, Option, Random } from "effect"
import { Recovery } from "../../../src/index.js"
import { scope } from "../../Fixtures.js"
import type { HistoryEvent } from "../history/History.js"
import { agentLayer } from "./Agent.js"
import { Crashes, type Passage } from "./Crashes.js"
import { driverLayer, providerName } from "./Driver.js"
import { Journal } from "./Journal.js"
import type { Life } from "./Life.js"
import { Operators } from "./Operators.js"
import { type EngineEnvironment, processOf, type Running } from "./Process.js"
import { Provider } from "./Provider.js"
import { Receiver } from "./Receiver.js"
import type { PlannedAction, PlannedCampaign, PlannedCrash, Scenario } from "./Scenario.js"
import { type StoreCall, stores, wrapWrites } from "./Stores.js"
import { World } from "./World.js"

/** Result of a run. */
export interface Run {
  readonly seed: number
  readonly events: ReadonlyArray<HistoryEvent>
  /** The history as JSON lines, identical for identical runs. */
  readonly text: string
  /** Passes of each crash point. */
  readonly passed: ReadonlyMap<string, number>
  /** Crash points that the last process passed. */
  readonly passages: number
  /** Errors that the engine logged. */
  readonly errors: ReadonlyArray<string>
}

/** Fault that is injected into a run. */
export interface FaultInjection {
  /** Replaces parts of the environment with faulty ones. */
  readonly environment?: (given: EngineEnvironment) => EngineEnvironment
  /** Lets a crashed process go on. */
  readonly keepsRunning?: boolean
  /** Keeps the writes of transactions that a crash interrupted. */
  readonly keepsPartialWrites?: boolean
}

/** Transaction of a fiber. */
const CurrentTransaction: FiberRef.FiberRef<{ open: boolean } | null> = GlobalValue.globalValue(
  "@trunkline/engine/test/CurrentTransaction",
  () => FiberRef.unsafeMake<{ open: boolean } | null>(null)
)

const minuteMillis = 60_000

const crashesAt = (planned: PlannedCrash | undefined) => ({ name, nth, total }: Passage): boolean => {
  switch (planned?._tag) {
    case "Point":
      return planned.name === name && planned.nth === nth
    case "Passage":
      return planned.total === total
    default:
      return false
  }
}

class Simulation {
  readonly #journal: Journal
  readonly #provider: Provider
  readonly #receiver: Receiver
  readonly #crashes: Crashes
  readonly #operators: Operators
  readonly #errors: Array<string> = []
  #lives = 0
  #killTransactions = () => {}
  #engine: Context.Context<Running> | null = null

  constructor(
    readonly world: World,
    readonly scenario: Scenario,
    readonly parts: {
      readonly stores: EngineEnvironment["stores"]
      readonly ids: EngineEnvironment["ids"]
      readonly injection: FaultInjection
    }
  ) {
    const { connections, maxConcurrentCalls, receiverDown, conditions } = scenario
    const channels = connections.flatMap(({ connection_id, max_channels }) =>
      max_channels === undefined ? [] : [[connection_id, max_channels]]
    )
    world.add({
      kind: "limits",
      workspace: maxConcurrentCalls,
      channels: Object.fromEntries(channels),
      dedupe: conditions.dedupe
    })
    this.#journal = new Journal(world, parts.stores, scenario.numbers)
    this.#operators = new Operators(world, this.#journal, scenario)
    this.#receiver = new Receiver(world, conditions, receiverDown)
    this.#provider = new Provider(
      world,
      conditions,
      (event) => this.#deliver(Effect.flatMap(CallEvents, ({ receive }) => receive(providerName, [event])), 8)
    )
    this.#crashes = new Crashes(
      (passage) => crashesAt(scenario.crashes[this.#lives - 1])(passage),
      (where) => this.#die(where)
    )
  }

  /** Runs the scenario from the first start to the end. */
  get run(): Effect.Effect<Run> {
    const { scenario, world } = this
    return Effect.gen(this, function*() {
      this.#begin()
      yield* Effect.all([
        Effect.forEach(scenario.campaigns, (planned) => this.#campaign(planned), { concurrency: "unbounded" }),
        Effect.forEach(scenario.actions, (planned) =>
          Effect.zipRight(
            Effect.sleep(Math.max(0, planned.at - world.elapsed)),
            Effect.suspend(() => this.#perform(planned))
          ))
      ], { concurrency: "unbounded", discard: true })
      while (!this.#isIdle && world.elapsed < scenario.longest) yield* Effect.sleep(minuteMillis)
      world.add({ kind: "over", undelivered: [] })
      return {
        seed: world.seed,
        events: world.events,
        text: world.history.text,
        passed: this.#crashes.passed,
        passages: this.#crashes.total,
        errors: this.#errors
      }
    })
  }

  get #isIdle(): boolean {
    if (this.#engine === null || this.#journal.unfinished > 0) return false
    return Effect.runSync(Context.get(this.parts.stores, Outbox).counts(scope, null)).pending === 0
  }

  #begin(): void {
    const { scenario, world } = this
    const life = world.begin()
    this.#lives += 1
    this.#crashes.begin()
    const { crash, transactions } = crashableTransactions({
      around: this.#aroundTransaction,
      onCommit: () => this.#journal.onCommit(life.number)
    })
    this.#killTransactions = crash
    const { injection, stores } = this.parts
    const given: EngineEnvironment = {
      stores: wrapWrites(stores, this.#watch(life)),
      transactions,
      ids: this.parts.ids,
      connections: scenario.connections,
      carriers: driverLayer(this.#provider),
      agent: agentLayer(this.#provider),
      sender: this.#receiver.sender,
      faults: this.#crashes.points,
      slots: CallSlots.layer({ maxConcurrentCalls: scenario.maxConcurrentCalls }),
      carried: CallRegistry.layer,
      recovery: Recovery.layer
    }
    const environment = injection.environment?.(given) ?? given
    const ready = (engine: Context.Context<Running>) => {
      if (!life.isOver) this.#engine = engine
      return Effect.never
    }
    const alive = Effect.scoped(Effect.flatMap(Layer.build(processOf(environment)), ready))
    world.fork(life, this.#withLogCapture(alive)).addObserver((exit) =>
      this.#errors.push(`the engine stopped: ${String(exit)}`)
    )
    const planned = scenario.crashes[this.#lives - 1]
    if (planned?._tag === "Moment") {
      world.after(planned.after, () => {
        if (world.life === life) this.#die("some moment")
      })
    }
  }

  #die(where: string): void {
    const { scenario, world } = this
    this.#engine = null
    const { keepsPartialWrites = false, keepsRunning = false } = this.parts.injection
    if (!keepsRunning && !keepsPartialWrites) this.#killTransactions()
    this.#journal.onRollback()
    world.end(where, keepsRunning)
    this.#provider.dropConnectedCalls()
    world.after(scenario.downtimes[this.#lives - 1] ?? 1_000, () => this.#begin())
  }

  /** Reports transactions to the journal, and crashes after commits. */
  readonly #aroundTransaction: EffectTransform = (effect) =>
    Effect.suspend(() => {
      const present = { open: true }
      return effect.pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => {
            present.open = false
            if (Exit.isFailure(exit)) this.#journal.onRollback()
          })
        ),
        Effect.locally(CurrentTransaction, present),
        this.#crashes.after("commit")
      )
    })

  /** Reports writes to the journal, and crashes after writes. A write outside of a transaction is committed at once. */
  readonly #watch = (life: Life) => (call: StoreCall): EffectTransform => (effect) =>
    effect.pipe(
      Effect.tap(() => {
        this.#journal.onWrite(call)
        return Effect.map(FiberRef.get(CurrentTransaction), (present) => {
          if (present?.open !== true) this.#journal.onCommit(life.number)
        })
      }),
      this.#crashes.after("write")
    )

  #withLogCapture<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    const listener = Logger.make<unknown, void>(({ logLevel, message }) => {
      if (LogLevel.greaterThanEqual(logLevel, LogLevel.Error)) this.#errors.push(JSON.stringify(message))
    })
    return effect.pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, listener)),
      Effect.withTracerEnabled(false),
      Effect.withRandom(Random.make(`${this.world.seed} ${this.#lives}`))
    )
  }

  /** Runs an effect in the engine; none when the engine is down or crashes before it completes. */
  #ask<A, E>(effect: Effect.Effect<A, E, Running>): Effect.Effect<Option.Option<Exit.Exit<A, E>>> {
    return Effect.suspend(() => {
      const { life } = this.world
      if (life === null || this.#engine === null) return Effect.succeedNone
      const running = this.world.fork(life, this.#withLogCapture(Effect.provide(effect, this.#engine)))
      const died = Effect.async<void>((resume) => this.world.whenOver(life, () => resume(Effect.void)))
      return Effect.raceFirst(Effect.asSome(Fiber.await(running)), Effect.as(died, Option.none()))
    })
  }

  #perform(planned: PlannedAction): Effect.Effect<unknown> {
    return this.#ask<void, unknown>(this.#operators.act(planned))
  }

  /** Retries until the engine responds. */
  #askUntilAnswered<A, E>(effect: () => Effect.Effect<A, E, Running>): Effect.Effect<Option.Option<A>> {
    return Effect.flatMap(
      Effect.suspend(() => this.#ask(effect())),
      (answered) =>
        Option.isNone(answered) && this.world.elapsed < this.scenario.longest
          ? Effect.zipRight(Effect.sleep("10 seconds"), this.#askUntilAnswered(effect))
          : Effect.succeed(
            Option.flatMap(answered, Exit.match({ onFailure: () => Option.none(), onSuccess: Option.some }))
          )
    )
  }

  /** Delivers an event to the engine, with a limited number of tries while it is down. */
  #deliver<A, E>(effect: Effect.Effect<A, E, Running>, tries: number): void {
    const { life } = this.world
    if (life !== null && this.#engine !== null) {
      this.world.fork(life, this.#withLogCapture(Effect.provide(effect, this.#engine)))
    } else if (tries > 1) this.world.after(20_000, () => this.#deliver(effect, tries - 1))
  }

  #campaign(planned: PlannedCampaign): Effect.Effect<void> {
    return Effect.gen(this, function*() {
      yield* Effect.sleep(planned.at)
      const created = yield* this.#askUntilAnswered(() => this.#operators.create(planned))
      if (Option.isNone(created)) return
      yield* Effect.forEach(planned.cohorts, ({ after, numbers }) =>
        Effect.zipRight(
          Effect.sleep(after),
          this.#askUntilAnswered(() => this.#operators.addCohort(created.value, "cohort", numbers))
        ), { concurrency: "unbounded" })
    })
  }
}

/** Simulates a scenario in virtual time. The same seed and scenario give the same run. */
export const simulate = (seed: number, scenario: Scenario, injection: FaultInjection = {}): Effect.Effect<Run> =>
  VirtualClock.run(
    Effect.scoped(Effect.gen(function*() {
      const world = yield* World.make(seed)
      const kept = yield* Layer.build(stores)
      const ids = Context.get(yield* Layer.build(Ids.layerSeeded(`ids ${seed}`)), Ids)
      return yield* new Simulation(world, scenario, { stores: kept, ids, injection }).run
    })),
    { start: scenario.start }
  )
