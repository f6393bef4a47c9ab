import { type MeterDescriptor, meterDescriptors } from "@trunkline/kernel"
import { Array, Metric, type MetricPair, MetricState } from "effect"

/** Content type of Prometheus's text format. */
export const prometheusType = "text/plain; version=0.0.4; charset=utf-8"

type Labels = ReadonlyArray<readonly [name: string, value: string]>

const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")

const escapeLabel = (text: string): string => escapeHelp(text).replaceAll("\"", "\\\"")

const numberText = (value: number | bigint): string => {
  if (value === Infinity) return "+Inf"
  return value === -Infinity ? "-Inf" : String(value)
}

const sample = (name: string, labels: Labels, value: number | bigint): string => {
  const shownText = labels.map(([label, text]) => `${label}="${escapeLabel(text)}"`).join(",")
  return `${name}${shownText === "" ? "" : `{${shownText}}`} ${numberText(value)}\n`
}

const labelsOf = ({ metricKey }: MetricPair.MetricPair.Untyped): Labels =>
  metricKey.tags.map(({ key, value }) => [key, value] as const)

/** Lines of one series. */
const seriesText = (pair: MetricPair.MetricPair.Untyped): string => {
  const { metricKey: { name }, metricState: state } = pair
  const labels = labelsOf(pair)
  if (MetricState.isCounterState(state)) return sample(name, labels, state.count)
  if (MetricState.isGaugeState(state)) return sample(name, labels, state.value)
  if (!MetricState.isHistogramState(state)) return ""
  const finite = state.buckets.filter(([bound]) => bound < Number.MAX_VALUE)
  const buckets = [...finite, [Infinity, state.count] as const]
  return [
    ...buckets.map(([bound, count]) => sample(`${name}_bucket`, [...labels, ["le", numberText(bound)]], count)),
    sample(`${name}_sum`, labels, state.sum),
    sample(`${name}_count`, labels, state.count)
  ].join("")
}

/** Every combination of the label values of a meter. */
const combinations = ({ labels }: MeterDescriptor): ReadonlyArray<Labels> =>
  Object.entries(labels).reduce<ReadonlyArray<Labels>>(
    (prefixes, [name, values]) =>
      prefixes.flatMap((labels) => values.map((value) => [...labels, [name, value] as const])),
    [[]]
  )

const keyOf = (labels: Labels): string => labels.map((label) => label.join("=")).sort().join(" ")

/** Counters that have not counted yet are 0, so that the first event is a growth that rules see. */
const zerosOf = (meter: MeterDescriptor, pairs: ReadonlyArray<MetricPair.MetricPair.Untyped>): string => {
  if (meter.type !== "counter") return ""
  const keys = new Set(pairs.map((pair) => keyOf(labelsOf(pair))))
  return combinations(meter)
    .filter((labels) => !keys.has(keyOf(labels)))
    .map((labels) => sample(meter.name, labels, 0))
    .join("")
}

/**
 * The metrics of Trunkline in this process, in version 0.0.4 of Prometheus's text format. Other metrics of Effect in the same
 * process are left out.
 */
export const prometheusText = (): string => {
  const series = Array.groupBy(Metric.unsafeSnapshot(), ({ metricKey }) => metricKey.name)
  return meterDescriptors().map((meter) => {
    const pairs = series[meter.name] ?? []
    const lines = `${pairs.map(seriesText).join("")}${zerosOf(meter, pairs)}`
    return lines === ""
      ? ""
      : `# HELP ${meter.name} ${escapeHelp(meter.help)}\n# TYPE ${meter.name} ${meter.type}\n${lines}`
  }).join("")
}
