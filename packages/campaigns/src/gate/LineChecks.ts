import type { Check } from "./Check.js"
import { hold } from "./Decision.js"

/** None of the campaign's connections is configured. */
export const lineMissing: Check = {
  name: "line configured",
  check: ({ line, now }) => line._tag === "Missing" ? hold("line_missing", now, null) : null
}

/** Every line that is configured is paused since most of its calls failed: `not_before` is when the first is tried again. */
export const linePaused: Check = {
  name: "line health",
  check: ({ line, now }) => line._tag === "Paused" && line.until > now ? hold("line_paused", now, line.until) : null
}

/** Every line is in use; nobody knows for how long. */
export const capacity: Check = {
  name: "capacity",
  check: ({ line, now }) => line._tag === "Busy" ? hold("no_capacity", now, null) : null
}

/** The rate allows no dial yet. */
export const rate: Check = {
  name: "rate",
  check: ({ nextDialAt, now }) => nextDialAt > now ? hold("rate", now, nextDialAt) : null
}
