import type { AgentVersion } from "../api/types.js"
import { graphOf, nodeSize, placeNodes } from "./graph.js"

const { height, width } = nodeSize

const short = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** The steps or states of a version as a drawing, with what leads from one to the next. */
export const StateGraph = ({ version }: { readonly version: AgentVersion }) => {
  const graph = graphOf(version)
  const placed = placeNodes(graph)
  if (placed.length === 0) return <p class="muted">One prompt, no states.</p>
  const at = new Map(placed.map((node) => [node.id, node]))
  const size = {
    x: Math.max(...placed.map(({ x }) => x)) + width + 70,
    y: Math.max(...placed.map(({ y }) => y)) + height + 20
  }
  return (
    <div class="graph" tabIndex={0} role="region" aria-label="States">
      <svg width={size.x} height={size.y} role="img" aria-label={`${placed.length} states and ${graph.edges.length} ways between them`}>
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 8 4 0 8z" fill="var(--edge)" />
          </marker>
        </defs>
        {graph.edges.map(({ from, label, to }, index) => {
          const [a, b] = [at.get(from), at.get(to)]
          if (a === undefined || b === undefined) return null
          const isDown = b.y > a.y
          const start = { x: a.x + width / 2, y: a.y + height }
          const end = { x: b.x + width / 2 + (isDown ? 0 : 14), y: b.y + (isDown ? 0 : height) }
          const bend = isDown ? (end.y - start.y) / 2 : 34
          const path = isDown
            ? `M${start.x} ${start.y}C${start.x} ${start.y + bend} ${end.x} ${end.y - bend} ${end.x} ${end.y - 2}`
            : `M${start.x} ${start.y}C${start.x} ${start.y + bend} ${end.x} ${Math.max(start.y, end.y) + bend} ${end.x} ${end.y + 2}`
          return (
            <g key={index}>
              <path d={path} fill="none" stroke="var(--edge)" marker-end="url(#arrow)" />
              <title>{label}</title>
              {isDown && <text x={end.x + 8} y={end.y - 8} class="edge-label">{short(label, 26)}</text>}
            </g>
          )
        })}
        {placed.map(({ detail, id, x, y }) => (
          <g key={id}>
            <title>{detail}</title>
            <rect x={x + 1} y={y + 1} width={width - 2} height={height - 2} rx="8" fill="var(--raised)" stroke="var(--line)" />
            <text x={x + 12} y={y + 25} class="node-name">{short(id, 20)}</text>
            <text x={x + 12} y={y + 45} class="node-detail">{short(detail, 25)}</text>
          </g>
        ))}
      </svg>
    </div>
  )
}
