type Tone = "ok" | "warn" | "bad" | "info" | "quiet"

const tones: Readonly<Record<string, Tone>> = {
  active: "ok",
  committed: "ok",
  completed: "ok",
  delivered: "ok",
  answered: "ok",
  connected: "ok",
  ok: "ok",
  registered: "ok",
  finished: "ok",
  scheduled: "info",
  processing: "info",
  calling: "info",
  ringing: "info",
  talking: "ok",
  running: "info",
  probing: "warn",
  partial: "warn",
  busy: "warn",
  no_answer: "warn",
  paused: "warn",
  pending: "quiet",
  waiting: "quiet",
  ended: "quiet",
  failed: "bad",
  cancelled: "bad",
  missing: "bad",
  unknown: "bad"
}

/** A code as words: `no_answer` is "No answer". */
export const wordsOf = (code: string): string => {
  const text = code.replaceAll("_", " ")
  return text.charAt(0).toUpperCase() + text.slice(1)
}

interface Props {
  readonly code: string
  readonly live?: boolean
}

/** A state, in its colour and in words. */
export const Badge = ({ code, live = false }: Props) => (
  <span class={`badge ${tones[code] ?? "quiet"}${live ? " pulse" : ""}`}>{wordsOf(code)}</span>
)
