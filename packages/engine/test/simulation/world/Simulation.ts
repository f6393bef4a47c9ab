import { type Around, Ids, VirtualClock } from "@trunkline/kernel"
import { crashableTransactions } from "@trunkline/kernel/testing"
import { CallEvents, CallSlots, CarriedCalls } from "@trunkline/telephony"
import { Outbox } from "@trunkline/webhooks"
import { Context, Effect, Exit, Fiber, FiberRef, GlobalValue, Layer, Logger, LogLevel, Option, Random } from "effect"
import { Recovery } from "../../../src/index.js"
import { scope } from "../../fixtures.js"
import type { Happening } from "../history/History.js"
import { agentLayer } from "./Agent.js"
import { Crashes, type Passage } from "./Crashes.js"
import { driverLayer, PROVIDER } from "./Driver.js"
import { Journal } from "./Journal.js"
import type { Life } from "./Life.js"
import { Operators } from "./Operators.js"
import { processOf, type Running, type Surroundings } from "./Process.js"
import { Provider } from "./Provider.js"
import { Receiver } from "./Receiver.js"
import type { PlannedCampaign, PlannedCrash, PlannedDeed, Scenario } from "./Scenario.js"
import { type StoreCall, stores, watched } from "./Stores.js"
import { World } from "./World.js"

/** What a run has left. */
export interface Run {
  readonly seed: number
  readonly happenings: ReadonlyArray<Happening>
  /** The history as lines: the same bytes each time. */
  readonly text: string
  /** How often each moment was passed at which the engine may die. */
  readonly passed: ReadonlyMap<string, number>
  /** How many of them the first life passed, where it was the only one. */
  readonly passages: number
  /** What the engine logged as errors. */
  readonly errors: ReadonlyArray<string>
}

/** A fault that is planted into a run. */
export interface Planting {
  /** Puts something faulty in place of a part of the engine's surroundings. */
  readonly surroundings?: (given: Surroundings) => Surroundings
  /** A life that has ended goes on all the same. */
  readonly undead?: boolean
  /** What a transaction had stored when its life ended stays. */
  readonly keepsHalves?: boolean
}

/** The transaction that a fiber is in. */
const Present: FiberRef.FiberRef<{ open: boolean } | null> = GlobalValue.globalValue(
  "@trunkline/engine/test/Present",
  () => FiberRef.unsafeMake<{ open: boolean } | null>(null)
)

const MINUTE = 60_000

const dies = (planned: PlannedCrash | undefined) => ({ name, nth, total }: Passage): boolean => {
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
  #killing = () => {}
  #engine: Context.Context<Running> | null = null

  constructor(
    readonly world: World,
    readonly scenario: Scenario,
    readonly parts: {
      readonly stores: Surroundings["stores"]
      readonly ids: Surroundings["ids"]
      readonly plant: Planting
    }
  ) {
    const { connections, maxConcurrentCalls, receiverDown, weather } = scenario
    const channels = connections.flatMap(({ connection_id, max_channels }) =>
      max_channels === undefined ? [] : [[connection_id, max_channels]]
    )
    world.add({
      kind: "limits",
      workspace: maxConcurrentCalls,
      channels: Object.fromEntries(channels),
      dedupe: weather.dedupe
    })
    this.#journal = new Journal(world, parts.stores, scenario.numbers)
    this.#operators = new Operators(world, this.#journal, scenario)
    this.#receiver = new Receiver(world, weather, receiverDown)
    this.#provider = new Provider(
      world,
      weather,
      (event) => this.#deliver(Effect.flatMap(CallEvents, ({ receive }) => receive(PROVIDER, [event])), 8)
    )
    this.#crashes = new Crashes(
      (passage) => dies(scenario.crashes[this.#lives - 1])(passage),
      (where) => this.#die(where)
    )
  }

  /** Runs it all, from the first life to the last word. */
  get run(): Effect.Effect<Run> {
    const { scenario, world } = this
    return Effect.gen(this, function*() {
      this.#begin()
      yield* Effect.all([
        Effect.forEach(scenario.campaigns, (planned) => this.#campaign(planned), { concurrency: "unbounded" }),
        Effect.forEach(scenario.deeds, (planned) =>
          Effect.zipRight(
            Effect.sleep(Math.max(0, planned.at - world.elapsed)),
            Effect.suspend(() => this.#do(planned))
          ))
      ], { concurrency: "unbounded", discard: true })
      while (!this.#isQuiet && world.elapsed < scenario.longest) yield* Effect.sleep(MINUTE)
      world.add({ kind: "over", undelivered: [] })
      return {
        seed: world.seed,
        happenings: world.happenings,
        text: world.history.text,
        passed: this.#crashes.passed,
        passages: this.#crashes.total,
        errors: this.#errors
      }
    })
  }

  get #isQuiet(): boolean {
    if (this.#engine === null || this.#journal.unfinished > 0) return false
    return Effect.runSync(Context.get(this.parts.stores, Outbox).counts(scope, null)).pending === 0
  }

  #begin(): void {
    const { scenario, world } = this
    const life = world.begin()
    this.#lives += 1
    this.#crashes.begin()
    const { crash, transactions } = crashableTransactions({
      around: this.#around,
      onCommit: () => this.#journal.kept(life.number)
    })
    this.#killing = crash
    const { plant, stores } = this.parts
    const given: Surroundings = {
      stores: watched(stores, this.#watch(life)),
      transactions,
      ids: this.parts.ids,
      connections: scenario.connections,
      carriers: driverLayer(this.#provider),
      agent: agentLayer(this.#provider),
      sender: this.#receiver.sender,
      faults: this.#crashes.points,
      slots: CallSlots.layer({ maxConcurrentCalls: scenario.maxConcurrentCalls }),
      carried: CarriedCalls.layer,
      recovery: Recovery.layer
    }
    const surroundings = plant.surroundings?.(given) ?? given
    const ready = (engine: Context.Context<Running>) => {
      if (!life.isOver) this.#engine = engine
      return Effect.never
    }
    const alive = Effect.scoped(Effect.flatMap(Layer.build(processOf(surroundings)), ready))
    world.fork(life, this.#quietly(alive)).addObserver((exit) =>
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
    const { keepsHalves = false, undead = false } = this.parts.plant
    if (!undead && !keepsHalves) this.#killing()
    this.#journal.undone()
    world.end(where, undead)
    this.#provider.lostOurVoice()
    world.after(scenario.downtimes[this.#lives - 1] ?? 1_000, () => this.#begin())
  }

  /** A transaction as the journal and the crashes see it. */
  readonly #around: Around = (effect) =>
    Effect.suspend(() => {
      const present = { open: true }
      return effect.pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => {
            present.open = false
            if (Exit.isFailure(exit)) this.#journal.undone()
          })
        ),
        Effect.locally(Present, present),
        this.#crashes.after("commit")
      )
    })

  /** A write as the journal and the crashes see it: outside of a transaction it is kept at once. */
  readonly #watch = (life: Life) => (call: StoreCall): Around => (effect) =>
    effect.pipe(
      Effect.tap(() => {
        this.#journal.wrote(call)
        return Effect.map(FiberRef.get(Present), (present) => {
          if (present?.open !== true) this.#journal.kept(life.number)
        })
      }),
      this.#crashes.after("write")
    )

  #quietly<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    const listener = Logger.make<unknown, void>(({ logLevel, message }) => {
      if (LogLevel.greaterThanEqual(logLevel, LogLevel.Error)) this.#errors.push(JSON.stringify(message))
    })
    return effect.pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, listener)),
      Effect.withTracerEnabled(false),
      Effect.withRandom(Random.make(`${this.world.seed} ${this.#lives}`))
    )
  }

  /** Asks the engine for something; none when it does not live to answer. */
  #ask<A, E>(effect: Effect.Effect<A, E, Running>): Effect.Effect<Option.Option<Exit.Exit<A, E>>> {
    return Effect.suspend(() => {
      const { life } = this.world
      if (life === null || this.#engine === null) return Effect.succeedNone
      const asked = this.world.fork(life, this.#quietly(Effect.provide(effect, this.#engine)))
      const died = Effect.async<void>((resume) => this.world.whenOver(life, () => resume(Effect.void)))
      return Effect.raceFirst(Effect.asSome(Fiber.await(asked)), Effect.as(died, Option.none()))
    })
  }

  #do(planned: PlannedDeed): Effect.Effect<unknown> {
    return this.#ask<void, unknown>(this.#operators.act(planned))
  }

  /** Asks until it is answered. */
  #insist<A, E>(effect: () => Effect.Effect<A, E, Running>): Effect.Effect<Option.Option<A>> {
    return Effect.flatMap(
      Effect.suspend(() => this.#ask(effect())),
      (answered) =>
        Option.isNone(answered) && this.world.elapsed < this.scenario.longest
          ? Effect.zipRight(Effect.sleep("10 seconds"), this.#insist(effect))
          : Effect.succeed(
            Option.flatMap(answered, Exit.match({ onFailure: () => Option.none(), onSuccess: Option.some }))
          )
    )
  }

  /** Tells the engine something, so often at most. */
  #deliver<A, E>(effect: Effect.Effect<A, E, Running>, tries: number): void {
    const { life } = this.world
    if (life !== null && this.#engine !== null) {
      this.world.fork(life, this.#quietly(Effect.provide(effect, this.#engine)))
    } else if (tries > 1) this.world.after(20_000, () => this.#deliver(effect, tries - 1))
  }

  #campaign(planned: PlannedCampaign): Effect.Effect<void> {
    return Effect.gen(this, function*() {
      yield* Effect.sleep(planned.at)
      const created = yield* this.#insist(() => this.#operators.create(planned))
      if (Option.isNone(created)) return
      yield* Effect.forEach(planned.cohorts, ({ after, numbers }) =>
        Effect.zipRight(
          Effect.sleep(after),
          this.#insist(() => this.#operators.addCohort(created.value, "cohort", numbers))
        ), { concurrency: "unbounded" })
    })
  }
}

/** Plays a scenario through in virtual time. The same seed and scenario give the same run. */
export const simulate = (seed: number, scenario: Scenario, plant: Planting = {}): Effect.Effect<Run> =>
  VirtualClock.run(
    Effect.scoped(Effect.gen(function*() {
      const world = yield* World.make(seed)
      const kept = yield* Layer.build(stores)
      const ids = Context.get(yield* Layer.build(Ids.layerSeeded(`ids ${seed}`)), Ids)
      return yield* new Simulation(world, scenario, { stores: kept, ids, plant }).run
    })),
    { start: scenario.start }
  )
