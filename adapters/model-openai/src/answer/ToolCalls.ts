import type { Delta } from "@trunkline/models"
import { isObject, type JsonObject, textIn } from "../Json.js"
import { type JsonEnd, makeJsonEnd } from "./JsonEnd.js"
import { makePairKeeper, wellFormed } from "./PairKeeper.js"

/** One entry of `tool_calls`, or a `function_call` of old. */
interface Fragment {
  /** Empty where there is none. */
  readonly id: string
  readonly index: number | null
  readonly name: string
  readonly text: string
}

interface Call {
  readonly id: string
  readonly index: number | null
  name: string
  /** Its place among the calls that were shown; null before it has a name. */
  place: number | null
  /** All of its arguments. */
  text: string
  /** What may not be shown yet. */
  unshown: string
  readonly keeper: ReturnType<typeof makePairKeeper>
  readonly end: JsonEnd
}

/** Puts the calls of one answer together, whatever an upstream does to their indexes and ids. */
export interface ToolCalls {
  /** Takes a fragment in, adds what follows from it to the deltas, and tells whether there was anything new in it. */
  readonly push: (entry: unknown, deltas: Array<Delta>) => boolean
  /** Adds what is left at the end; false when a call never had a name. A call that was cut short stays as it is. */
  readonly end: (cutShort: boolean, deltas: Array<Delta>) => boolean
  /** How many there are. */
  readonly count: () => number
}

const argumentsIn = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

const fragmentOf = (entry: JsonObject): Fragment => {
  const named = isObject(entry.function) ? entry.function : entry
  return {
    id: typeof entry.id === "number" ? String(entry.id) : wellFormed(textIn(entry.id)).trim(),
    index: typeof entry.index === "number" ? entry.index : null,
    name: wellFormed(textIn(named.name)),
    text: argumentsIn(named.arguments)
  }
}

const sameIndex = (call: Call, { index }: Fragment): boolean =>
  index === null || call.index === null || index === call.index

const sameName = (call: Call, { name }: Fragment): boolean => name === "" || call.name === "" || name === call.name

/**
 * The calls of one answer. A fragment belongs to the call with its id; one with a name that is new begins a call;
 * any other goes on with the latest call of its index, or else with the latest of all. The name may come after the id,
 * and may be said again with every fragment. Ids that are missing, or that the conversation has already, are made:
 * `call_1` and so on, counted on from its earlier calls.
 */
export const makeToolCalls = (earlierIds: ReadonlyArray<string>): ToolCalls => {
  const calls: Array<Call> = []
  const byId = new Map<string, Call>()
  const byIndex = new Map<number, Call>()
  const shownIds = new Set(earlierIds)
  let latest: Call | undefined
  let shown = 0

  const callOf = (fragment: Fragment): Call | undefined => {
    const { id, index, name } = fragment
    const same = byId.get(id)
    if (same !== undefined && sameIndex(same, fragment) && sameName(same, fragment)) return same
    if (id !== "" && name !== "") return undefined
    const atIndex = index === null ? undefined : byIndex.get(index)
    if (id !== "" && atIndex === undefined) return undefined
    const near = atIndex ?? latest
    if (near === undefined || name === "" || near.name === "") return near
    return name === near.name && sameIndex(near, fragment) && !near.end.isWhole() ? near : undefined
  }

  const begin = ({ id, index }: Fragment): Call => {
    const call: Call = {
      id,
      index,
      name: "",
      place: null,
      text: "",
      unshown: "",
      keeper: makePairKeeper(),
      end: makeJsonEnd()
    }
    calls.push(call)
    return call
  }

  const idOf = ({ id }: Call): string => {
    let number = earlierIds.length + shown
    let free = id
    while (free === "" || shownIds.has(free)) free = `call_${++number}`
    shownIds.add(free)
    return free
  }

  const show = (call: Call, deltas: Array<Delta>) => {
    if (call.name === "") return
    if (call.place === null) {
      const id = idOf(call)
      call.place = shown++
      deltas.push({ _tag: "ToolStart", index: call.place, id, name: call.name })
    }
    if (call.unshown !== "") deltas.push({ _tag: "ToolArgs", index: call.place, text: call.unshown })
    call.unshown = ""
  }

  return {
    push: (entry, deltas) => {
      if (!isObject(entry)) return false
      const fragment = fragmentOf(entry)
      const known = callOf(fragment)
      const call = known ?? begin(fragment)
      latest = call
      if (fragment.id !== "") byId.set(fragment.id, call)
      if (fragment.index !== null) byIndex.set(fragment.index, call)
      if (call.name === "") call.name = fragment.name
      call.text += fragment.text
      call.end.push(fragment.text)
      call.unshown += call.keeper.push(fragment.text)
      show(call, deltas)
      return known === undefined || fragment.text !== ""
    },
    end: (cutShort, deltas) => {
      for (const call of calls) {
        if (call.name === "" && !cutShort) return false
        call.unshown += call.keeper.flush()
        if (call.text.trim() === "" && !cutShort) call.unshown += "{}"
        show(call, deltas)
      }
      return true
    },
    count: () => shown
  }
}
