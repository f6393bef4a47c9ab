import { useEffect, useRef } from "preact/hooks"
import uPlot from "uplot"
import "uplot/dist/uPlot.min.css"

export interface Series {
  readonly label: string
  /** Name of a colour of the theme, such as `--accent`. */
  readonly color: string
}

interface Props {
  /** Times in seconds, then the values of each series. */
  readonly data: ReadonlyArray<ReadonlyArray<number>>
  readonly series: ReadonlyArray<Series>
  readonly height?: number
  /** What the picture shows, for screen readers. */
  readonly label: string
}

const styleOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

/** A moment of the axis; seconds only where they count. */
const timeText = (second: number) =>
  new Date(second * 1000).toLocaleTimeString(undefined, {
    hour: "numeric",
    minute: "2-digit",
    ...(second % 60 !== 0 && { second: "2-digit" })
  })

/** Steps of the axis of counts, which have no halves. */
const wholeSteps = [1, 2, 5].flatMap((step) => [step, step * 10, step * 100, step * 1000, step * 10_000]).sort((a, b) => a - b)

const optionsOf = (series: ReadonlyArray<Series>, width: number, height: number): uPlot.Options => {
  const axis = { stroke: styleOf("--muted"), grid: { stroke: styleOf("--line"), width: 1 }, ticks: { show: false }, font: "12px system-ui" }
  return {
    width,
    height,
    legend: { show: false },
    // Room for half of the first and of the last moment of the axis.
    padding: [8, 32, 0, 12],
    cursor: { y: false, points: { show: false } },
    scales: { y: { range: (_, __, max) => [0, Math.max(max * 1.15, 1)] } },
    axes: [{ ...axis, size: 30, space: 92, values: (_, moments) => moments.map(timeText) }, { ...axis, size: 44, incrs: wholeSteps }],
    series: [
      {},
      ...series.map(({ color, label }) => ({
        label,
        stroke: styleOf(color),
        width: 2,
        fill: `${styleOf(color)}1f`,
        points: { show: false }
      }))
    ]
  }
}

/** Lines over time that move with their data. */
export const LiveLine = ({ data, height = 180, label, series }: Props) => {
  const host = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  useEffect(() => {
    const element = host.current
    if (element === null) return
    const draw = () => {
      plot.current?.destroy()
      plot.current = new uPlot(optionsOf(series, element.clientWidth, height), data.map((each) => [...each]) as uPlot.AlignedData, element)
    }
    draw()
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }))
    resized.observe(element)
    const themed = new MutationObserver(draw)
    themed.observe(document.documentElement, { attributeFilter: ["data-theme"] })
    return () => {
      resized.disconnect()
      themed.disconnect()
      plot.current?.destroy()
      plot.current = null
    }
  }, [series.map((each) => each.label).join()])
  useEffect(() => plot.current?.setData(data.map((each) => [...each]) as uPlot.AlignedData), [data])
  return (
    <figure class="tight">
      <div ref={host} role="img" aria-label={label} style={{ height: `${height}px` }} />
      <figcaption class="row small muted">
        {series.map(({ color, label: name }) => (
          <span key={name} class="row" style={{ gap: "5px" }}>
            <i style={{ width: "10px", height: "3px", background: `var(${color})` }} />
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
