import type { Evidence } from "../Evidence.js"
import type { Breach, Rule } from "../Rule.js"

/** The calls that live at the provider and belong to attempts without a result, whenever there is one more. */
const crowds = (evidence: Evidence, limitOf: (connections: ReadonlyArray<string>) => string | null) => {
  const live = new Map<string, { readonly attempt: string; readonly connection: string }>()
  const settled = new Set<string>()
  const breaches: Array<Breach> = []
  for (const happening of evidence.happenings) {
    if (happening.kind === "ended") settled.add(happening.attempt)
    if (happening.kind === "hung up") live.delete(happening.call)
    if (happening.kind !== "dialled" || settled.has(happening.attempt)) continue
    live.set(happening.call, happening)
    const ours = [...live.values()].filter(({ attempt }) => !settled.has(attempt))
    const crowded = limitOf(ours.map(({ connection }) => connection))
    if (crowded !== null) breaches.push({ seq: happening.seq, what: crowded })
  }
  return breaches
}

const workspace: Rule = {
  name: "a workspace holds no more calls than it may",
  breaches: (evidence) => {
    const limit = evidence.limits?.workspace ?? Number.POSITIVE_INFINITY
    return crowds(evidence, ({ length }) => length > limit ? `${length} calls at once, of ${limit}` : null)
  }
}

const channels: Rule = {
  name: "a connection carries no more calls than it has channels",
  breaches: (evidence) =>
    Object.entries(evidence.limits?.channels ?? {}).flatMap(([connection, limit]) =>
      crowds(evidence, (connections) => {
        const count = connections.filter((one) => one === connection).length
        return count > limit ? `${count} calls at once on ${connection}, of ${limit}` : null
      })
    )
}

/** What must hold of how many calls there are at once. */
export const capacityRules: ReadonlyArray<Rule> = [workspace, channels]
