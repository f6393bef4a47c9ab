/** Settings of a chart, as JSON. */
export type Settings = Readonly<Record<string, unknown>>

/** Chart settings from their text. */
export const settingsOf = (text: string): Settings => {
  const refused = "The chart settings are no JSON object."
  try {
    const parsed: unknown = JSON.parse(text || "{}")
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw new Error(refused)
    return { ...parsed }
  } catch {
    throw new Error(refused)
  }
}

/** Settings with the axes that bars and lines need: the first column of the query across, and all others up. */
export const withAxes = (kind: string, settings: Settings, columns: ReadonlyArray<string>): Settings => {
  const [first, ...others] = columns
  if ((kind !== "bar" && kind !== "line") || first === undefined) return settings
  return { x_axis: first, y_axis: others, ...settings }
}
