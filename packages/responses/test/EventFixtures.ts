import { assert } from "@effect/vitest"
import { ModelFailed } from "@trunkline/errors"
import { Cause, Effect } from "effect"
import {
  args,
  bodyWith,
  eventsFor,
  finish,
  pieceOf,
  reasoning,
  refusal,
  scripted,
  start,
  text,
  whole
} from "./Fixtures.js"

type Event = Readonly<Record<string, unknown>>

export type Events = ReadonlyArray<Event>

const pieces = [
  reasoning("Hm"),
  text("Yes"),
  refusal("No"),
  start(0, "a"),
  args(0, "{\"x\":"),
  args(0, "1}"),
  start(1, "b"),
  finish("tool_calls")
]

export const correct = Effect.provide(eventsFor(bodyWith()), scripted({ chunks: whole(pieces) }))

export const cut = Effect.provide(
  eventsFor(bodyWith()),
  scripted({ chunks: whole([text("Hi"), start(0, "a"), finish("length")]) })
)

export const broken = Effect.provide(
  eventsFor(bodyWith()),
  scripted({ chunks: [[pieceOf(text("Hi"))]], ending: Cause.fail(new ModelFailed({ message: "It broke" })) })
)

export const numbered = (events: Events): Events => events.map((event, index) => ({ ...event, sequence_number: index }))

export const indexOf = (events: Events, type: string, nth = 0) => {
  const places = events.flatMap((event, index) => event["type"] === `response.${type}` ? [index] : [])
  const place = places.at(nth)
  assert.isDefined(place, type)
  return place ?? -1
}

export const without = (type: string, nth = 0) => (events: Events) =>
  numbered(events.filter((_, index) => index !== indexOf(events, type, nth)))

export const twice = (type: string) => (events: Events) =>
  numbered(events.flatMap((event) => event["type"] === `response.${type}` ? [event, event] : [event]))

export const moved = (type: string, to: (events: Events) => number) => (events: Events) => {
  const from = indexOf(events, type)
  const rest = events.filter((_, index) => index !== from)
  const at = to(rest)
  return numbered([...rest.slice(0, at), ...events.slice(from, from + 1), ...rest.slice(at)])
}

/** Changes one field of one event, by its path. */
export const changed = (type: string, path: ReadonlyArray<string>, value: unknown, nth = 0) => (events: Events) => {
  const at = indexOf(events, type, nth)
  const copy = structuredClone(events.at(at))
  let parent: Record<string, unknown> = { ...copy }
  const root = parent
  for (const key of path.slice(0, -1)) {
    const child: Record<string, unknown> = Array.isArray(parent[key])
      ? Object.assign([...parent[key]])
      : { ...Object(parent[key]) }
    parent[key] = child
    parent = child
  }
  parent[path.at(-1) ?? ""] = value
  return events.map((event, index) => index === at ? root : event)
}
