import type { Bus } from "@trunkline/kernel"
import { Effect, Either, Random, Schema, type Scope } from "effect"
import { LiveEvent } from "./LiveEvent.js"
import type { Watchers } from "./Watchers.js"

/** Topic of the workspaces that a process watches. */
const watchedTopic = "live-watched"

/** Topic of the events of workspaces that other processes watch. */
const eventsTopic = "live-events"

/** Time between two announcements of the watched workspaces. */
const announceEvery = "5 seconds"

/** Announcements that may be missing before a workspace counts as unwatched. */
const keptFor = 3

/** Characters of an event in one hint, so that it fits whatever they are: six bytes each at most. */
const partLength = 1_000

const eventJson = Schema.parseJson(LiveEvent)
const encodeEvent = Schema.encodeSync(eventJson)
const decodeEvent = Schema.decodeUnknownEither(eventJson)

/** A part of an event as it travels; events of a sender are numbered within a workspace. */
const PartJson = Schema.parseJson(Schema.Struct({
  sender: Schema.Number,
  workspace: Schema.String,
  event: Schema.Int,
  part: Schema.Int,
  parts: Schema.Int,
  text: Schema.String
}))
type Part = typeof PartJson.Type
const encodePart = Schema.encodeSync(PartJson)
const decodePart = Schema.decodeUnknownEither(PartJson)

/** Puts the events of one sender together, and counts those that were lost on the way. */
class Assembly {
  #next: number
  #texts: Array<string> = []

  constructor(next: number) {
    this.#next = next
  }

  /** Adds a part; returns what a watcher is to be told. */
  add({ event, part, parts, text }: Part): ReadonlyArray<LiveEvent> {
    const gap = event - this.#next
    if (gap !== 0) {
      this.#next = event
      this.#texts = []
    }
    const events: Array<LiveEvent> = gap > 0 ? [{ type: "missed", count: gap }] : []
    if (part !== this.#texts.length) return events
    this.#texts.push(text)
    if (this.#texts.length < parts) return events
    const complete = decodeEvent(this.#texts.join(""))
    this.#next = event + 1
    this.#texts = []
    events.push(Either.getOrElse(complete, () => ({ type: "missed", count: 1 })))
    return events
  }
}

/** Live events from and to the other processes of the stores. */
export interface OtherProcesses {
  /** Checks for watchers of a workspace in other processes. */
  readonly isWatched: (workspace: string) => boolean
  /** Sends an event to the processes that watch its workspace. */
  readonly send: (workspace: string, event: LiveEvent) => Effect.Effect<void>
  /** Asks the other processes for the events of a workspace, from now on while it has watchers. */
  readonly ask: (workspace: string) => Effect.Effect<void>
}

/**
 * Exchanges live events with the other processes, over the bus and only for workspaces that somebody watches. Watchers are
 * told how many events were lost on the way, together with the next one that was not.
 */
export const exchangeEvents = (
  bus: Bus.Service,
  watchers: Watchers
): Effect.Effect<OtherProcesses, never, Scope.Scope> =>
  Effect.gen(function*() {
    const sender = yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)
    const watchedElsewhere = new Map<string, number>()
    const sequences = new Map<string, number>()
    const assemblies = new Map<string, Map<number, Assembly>>()

    const ask = (workspace: string) => bus.publish(watchedTopic, workspace)
    const askForAll = Effect.suspend(() => Effect.forEach(watchers.workspaces, ask, { discard: true }))

    /** Forgets workspaces that are watched no more, here and elsewhere. */
    const forget = Effect.sync(() => {
      for (const [workspace, rounds] of watchedElsewhere) {
        if (rounds > 1) watchedElsewhere.set(workspace, rounds - 1)
        else watchedElsewhere.delete(workspace)
      }
      for (const workspace of assemblies.keys()) if (!watchers.has(workspace)) assemblies.delete(workspace)
    })

    const receive = (part: Part) => {
      const { event, sender, workspace } = part
      if (!watchers.has(workspace)) return void assemblies.delete(workspace)
      const senders = assemblies.get(workspace) ?? new Map<number, Assembly>()
      assemblies.set(workspace, senders)
      const assembly = senders.get(sender) ?? new Assembly(event)
      senders.set(sender, assembly)
      for (const events of assembly.add(part)) watchers.deliver(workspace, events)
    }

    const hear = (topic: string, onHint: (hint: string | null) => Effect.Effect<void>) =>
      Effect.flatMap(bus.subscribe(topic), (next) => Effect.forkScoped(Effect.forever(Effect.flatMap(next, onHint))))

    yield* hear(watchedTopic, (workspace) => {
      if (workspace === null) return askForAll
      watchedElsewhere.set(workspace, keptFor)
      return Effect.void
    })
    yield* hear(eventsTopic, (hint) => Effect.sync(() => Either.map(decodePart(hint), receive)))
    yield* Effect.forkScoped(
      Effect.forever(Effect.zipRight(Effect.sleep(announceEvery), Effect.zipRight(forget, askForAll)))
    )

    return {
      isWatched: (workspace) => watchedElsewhere.has(workspace),
      send: (workspace, event) =>
        Effect.suspend(() => {
          const number = (sequences.get(workspace) ?? 0) + 1
          sequences.set(workspace, number)
          const json = encodeEvent(event)
          const parts = Math.ceil(json.length / partLength)
          return Effect.forEach(
            Array.from({ length: parts }, (_, part) => part),
            (part) => {
              const text = json.slice(part * partLength, (part + 1) * partLength)
              return bus.publish(eventsTopic, encodePart({ sender, workspace, event: number, part, parts, text }))
            },
            { discard: true }
          )
        }),
      ask
    }
  })
