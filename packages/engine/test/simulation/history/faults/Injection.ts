import type { EventData, EventOf, HistoryEvent } from "../History.js"

/** A fault that is injected into a correct history, and the rule that must detect it. */
export interface HistoryFault {
  readonly name: string
  readonly rule: string
  /** Returns the history with the fault; the unchanged history when the fault does not apply. */
  readonly inject: (good: ReadonlyArray<HistoryEvent>) => ReadonlyArray<HistoryEvent>
}

type Test<K extends EventData["kind"]> = (event: EventOf<K>, index: number) => boolean
type Kind = EventData["kind"]

export const always = () => true

/** Replaces the first event of a kind that passes a test. */
export const first = <K extends Kind>(
  kind: K,
  test: Test<K>,
  change: (event: EventOf<K>) => ReadonlyArray<HistoryEvent>
) =>
(good: ReadonlyArray<HistoryEvent>): ReadonlyArray<HistoryEvent> => {
  const place = good.findIndex((event, index) => isOf(event, kind) && test(event, index))
  const found = good[place]
  if (found === undefined || !isOf(found, kind)) return good
  return numbered([...good.slice(0, place), ...change(found), ...good.slice(place + 1)])
}

const isOf = <K extends Kind>(event: HistoryEvent, kind: K): event is EventOf<K> => event.kind === kind

export const numbered = (events: ReadonlyArray<HistoryEvent>) => events.map((event, seq) => ({ ...event, seq }))

export const drop = <K extends Kind>(kind: K, test: Test<K> = always) => first(kind, test, () => [])
export const twice = <K extends Kind>(kind: K, test: Test<K> = always) => first(kind, test, (found) => [found, found])
export const follow = <K extends Kind>(kind: K, test: Test<K>, next: (found: EventOf<K>) => EventData) =>
  first(kind, test, (found) => [found, { ...found, ...next(found) }])
export const ofAttempt = (id: string) => ({ attempt }: { readonly attempt: string }) => attempt === id
export const hour = 3_600_000

/** Moves the dial of an attempt in business time. */
export const shift = (id: string, by: number): HistoryFault["inject"] => (good) =>
  good.map((event) =>
    event.kind === "requested" && event.attempt === id
      ? { ...event, at: event.at + by }
      : event
  )
