import { type Extraction, makeCounter, makeHistogram } from "@trunkline/kernel"

const outcomes = ["done", "failed", "skipped"] as const

const total = makeCounter({
  name: "trunkline_after_call_total",
  help: "Ended calls whose summary and variables were asked for, by the outcome",
  labels: { status: outcomes }
})

const requests = makeCounter({
  name: "trunkline_after_call_tries_total",
  help: "Requests to the model for ended calls"
})

const durations = makeHistogram({
  name: "trunkline_after_call_duration_seconds",
  help: "Time from the end of a call to its summary and variables",
  bounds: [0.5, 1, 2, 5, 10, 30, 60, 300, 900, 3_600]
})

/** Adds the work on a call that has come to its end to the metrics. */
export const countExtraction = ({ duration_seconds, status, tries }: Extraction): void => {
  if (status === "pending") return
  total.add(1, { status })
  requests.add(tries)
  if (duration_seconds !== null) durations.record(duration_seconds)
}
