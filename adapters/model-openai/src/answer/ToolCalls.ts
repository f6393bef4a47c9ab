import { isJsonObject, type JsonEndDetector, type JsonObject, makeJsonEndDetector } from "@trunkline/kernel"
import type { Delta } from "@trunkline/models"
import { makeSurrogateBuffer, textIn, wellFormed } from "./Fields.js"

/** One entry of `tool_calls`, or a legacy `function_call`. */
interface Fragment {
  /** Empty if there is none. */
  readonly id: string
  readonly index: number | null
  readonly name: string
  readonly text: string
}

interface Call {
  readonly id: string
  readonly index: number | null
  name: string
  /** Index among the emitted calls; null before it has a name. */
  position: number | null
  /** All of its arguments so far. */
  text: string
  /** Arguments that are not emitted yet. */
  pending: string
  readonly buffer: ReturnType<typeof makeSurrogateBuffer>
  readonly end: JsonEndDetector
}

/** Assembles the tool calls of one answer, whatever an upstream does to their indexes and ids. */
export interface ToolCalls {
  /** Reads a fragment and appends its deltas; returns false if there was nothing new in it. */
  readonly push: (entry: unknown, deltas: Array<Delta>) => boolean
  /**
   * Appends the remaining deltas; returns false if a call never got a name. A call that was cut short stays as it is.
   */
  readonly end: (cutShort: boolean, deltas: Array<Delta>) => boolean
  /** Number of emitted calls. */
  readonly count: () => number
}

const argumentsIn = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value)

const fragmentOf = (entry: JsonObject): Fragment => {
  const callFields = isJsonObject(entry.function) ? entry.function : entry
  return {
    id: typeof entry.id === "number" ? String(entry.id) : wellFormed(textIn(entry.id)).trim(),
    index: typeof entry.index === "number" ? entry.index : null,
    name: wellFormed(textIn(callFields.name)),
    text: argumentsIn(callFields.arguments)
  }
}

const sameIndex = (call: Call, { index }: Fragment): boolean =>
  index === null || call.index === null || index === call.index

const sameName = (call: Call, { name }: Fragment): boolean => name === "" || call.name === "" || name === call.name

/**
 * Makes the assembler of one answer. A fragment belongs to the call with its id; one with a new name begins a call; any
 * other continues the latest call of its index, or else the latest of all. The name may come after the id, and may be
 * repeated with every fragment. Ids that are missing or already used in the conversation are replaced by `call_1` and
 * so on, continuing the count of its earlier calls.
 */
export const makeToolCalls = (earlierIds: ReadonlyArray<string>): ToolCalls => {
  const calls: Array<Call> = []
  const byId = new Map<string, Call>()
  const byIndex = new Map<number, Call>()
  const usedIds = new Set(earlierIds)
  let latest: Call | undefined
  let callCount = 0

  const callOf = (fragment: Fragment): Call | undefined => {
    const { id, index, name } = fragment
    const same = byId.get(id)
    if (same !== undefined && sameIndex(same, fragment) && sameName(same, fragment)) return same
    if (id !== "" && name !== "") return undefined
    const atIndex = index === null ? undefined : byIndex.get(index)
    if (id !== "" && atIndex === undefined) return undefined
    const near = atIndex ?? latest
    if (near === undefined || name === "" || near.name === "") return near
    return name === near.name && sameIndex(near, fragment) && !near.end.isAtEnd() ? near : undefined
  }

  const begin = ({ id, index }: Fragment): Call => {
    const call: Call = {
      id,
      index,
      name: "",
      position: null,
      text: "",
      pending: "",
      buffer: makeSurrogateBuffer(),
      end: makeJsonEndDetector()
    }
    calls.push(call)
    return call
  }

  const idOf = ({ id }: Call): string => {
    let number = earlierIds.length + callCount
    let free = id
    while (free === "" || usedIds.has(free)) free = `call_${++number}`
    usedIds.add(free)
    return free
  }

  const emit = (call: Call, deltas: Array<Delta>) => {
    if (call.name === "") return
    if (call.position === null) {
      const id = idOf(call)
      call.position = callCount++
      deltas.push({ _tag: "ToolStart", index: call.position, id, name: call.name })
    }
    if (call.pending !== "") deltas.push({ _tag: "ToolArgs", index: call.position, text: call.pending })
    call.pending = ""
  }

  return {
    push: (entry, deltas) => {
      if (!isJsonObject(entry)) return false
      const fragment = fragmentOf(entry)
      const existing = callOf(fragment)
      const call = existing ?? begin(fragment)
      latest = call
      if (fragment.id !== "") byId.set(fragment.id, call)
      if (fragment.index !== null) byIndex.set(fragment.index, call)
      if (call.name === "") call.name = fragment.name
      call.text += fragment.text
      call.end.push(fragment.text)
      call.pending += call.buffer.push(fragment.text)
      emit(call, deltas)
      return existing === undefined || fragment.text !== ""
    },
    end: (cutShort, deltas) => {
      for (const call of calls) {
        if (call.name === "" && !cutShort) return false
        call.pending += call.buffer.flush()
        if (call.text.trim() === "" && !cutShort) call.pending += "{}"
        emit(call, deltas)
      }
      return true
    },
    count: () => callCount
  }
}
