import type { Evidence } from "../Evidence.js"
import type { Breach, Rule } from "../Rule.js"

/** Checks the concurrent calls of unfinished attempts at the provider, at every new dial. */
const overLimit = (evidence: Evidence, limitOf: (connections: ReadonlyArray<string>) => string | null) => {
  const live = new Map<string, { readonly attempt: string; readonly connection: string }>()
  const settled = new Set<string>()
  const breaches: Array<Breach> = []
  for (const event of evidence.events) {
    if (event.kind === "ended") settled.add(event.attempt)
    if (event.kind === "hung up") live.delete(event.call)
    if (event.kind !== "dialled" || settled.has(event.attempt)) continue
    live.set(event.call, event)
    const current = [...live.values()].filter(({ attempt }) => !settled.has(attempt))
    const excess = limitOf(current.map(({ connection }) => connection))
    if (excess !== null) breaches.push({ seq: event.seq, message: excess })
  }
  return breaches
}

const workspace: Rule = {
  name: "a workspace stays within its limit of concurrent calls",
  breaches: (evidence) => {
    const limit = evidence.limits?.workspace ?? Number.POSITIVE_INFINITY
    return overLimit(evidence, ({ length }) => length > limit ? `${length} calls at once, of ${limit}` : null)
  }
}

const channels: Rule = {
  name: "a connection stays within its channels",
  breaches: (evidence) =>
    Object.entries(evidence.limits?.channels ?? {}).flatMap(([connection, limit]) =>
      overLimit(evidence, (connections) => {
        const count = connections.filter((one) => one === connection).length
        return count > limit ? `${count} calls at once on ${connection}, of ${limit}` : null
      })
    )
}

/** Rules about concurrent calls. */
export const capacityRules: ReadonlyArray<Rule> = [workspace, channels]
