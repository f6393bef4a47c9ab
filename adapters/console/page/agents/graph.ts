import type { AgentVersion } from "../api/types.js"

export interface Edge {
  readonly from: string
  readonly to: string
  readonly label: string
}

export interface Graph {
  readonly nodes: ReadonlyArray<{ readonly id: string; readonly detail: string }>
  readonly edges: ReadonlyArray<Edge>
}

const textOf = (say: string | Readonly<Record<string, string>>) =>
  typeof say === "string" ? say : say["English"] ?? Object.values(say)[0] ?? ""

/** Ways between the same two steps as one, with all that leads along it. */
const mergeEdges = (edges: ReadonlyArray<Edge>): ReadonlyArray<Edge> => {
  const merged = new Map<string, Edge>()
  for (const edge of edges) {
    const name = `${edge.from} ${edge.to}`
    const label = [merged.get(name)?.label, edge.label].filter(Boolean).join(", ")
    merged.set(name, { ...edge, label })
  }
  return [...merged.values()]
}

/** Steps of a script, or states of an agent, with where each leads. */
export const graphOf = ({ script, states }: AgentVersion): Graph => {
  if (script !== undefined) {
    const ids = script.map(({ id }) => id)
    const edges = script.flatMap((step, index): ReadonlyArray<Edge> => {
      const answers = (step.expect ?? []).map(({ go, match }) => ({
        from: step.id,
        to: go ?? ids[index + 1] ?? "goodbye",
        label: labelOf(match)
      }))
      const isPassed = step.listen === false || step.expect === undefined
      const other = step.otherwise ?? (isPassed ? ids[index + 1] ?? "goodbye" : "goodbye")
      return [...answers, { from: step.id, to: other, label: isPassed ? "" : "otherwise" }]
    })
    const ends = [...new Set(edges.map(({ to }) => to))].filter((to) => !ids.includes(to))
    return {
      nodes: [...script.map(({ id, say }) => ({ id, detail: textOf(say) })), ...ends.map((id) => ({ id, detail: "" }))],
      edges: mergeEdges(edges)
    }
  }
  return { nodes: (states ?? []).map(({ name, prompt = "" }) => ({ id: name, detail: prompt })), edges: [] }
}

const labelOf = (
  match: ReadonlyArray<string> | Readonly<Record<string, ReadonlyArray<string>>> | undefined
): string => {
  if (match === undefined) return "any reply"
  const phrases = Array.isArray(match) ? match : Object.values(match)[0] ?? []
  return phrases.slice(0, 3).join(", ")
}

export interface PlacedNode {
  readonly id: string
  readonly detail: string
  readonly x: number
  readonly y: number
}

export const nodeSize = { width: 190, height: 64, gapX: 46, gapY: 56 }

/** Layers by distance from the first node; nodes that nothing leads to come first. */
export const placeNodes = ({ edges, nodes }: Graph): ReadonlyArray<PlacedNode> => {
  const layers = new Map<string, number>()
  const first = nodes[0]?.id
  const queue = first === undefined ? [] : [first]
  if (first !== undefined) layers.set(first, 0)
  for (const id of queue) {
    for (const { from, to } of edges) {
      if (from !== id || layers.has(to)) continue
      layers.set(to, (layers.get(id) ?? 0) + 1)
      queue.push(to)
    }
  }
  const counts = new Map<number, number>()
  return nodes.map(({ detail, id }) => {
    const layer = layers.get(id) ?? 0
    const column = counts.get(layer) ?? 0
    counts.set(layer, column + 1)
    return { id, detail, x: column * (nodeSize.width + nodeSize.gapX), y: layer * (nodeSize.height + nodeSize.gapY) }
  })
}
