import { Metric } from "effect"

/**
 * The reading of a meter of this process: the sum of a counter or gauge over all labels that are not given, or the number of
 * values of a histogram. 0 where nothing has been counted.
 */
export const meterReading = (name: string, labels: Readonly<Record<string, string>> = {}): number => {
  let sum = 0
  for (const { metricKey, metricState } of Metric.unsafeSnapshot()) {
    const isWanted = metricKey.name === name &&
      Object.entries(labels).every(([key, value]) =>
        metricKey.tags.some((tag) => tag.key === key && tag.value === value)
      )
    if (!isWanted) continue
    sum += Number("count" in metricState ? metricState.count : "value" in metricState ? metricState.value : 0)
  }
  return sum
}
