/** Samples of Prometheus's text: their values by name and labels as they are written. */
export const samplesOf = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).map((line) => {
      const space = line.lastIndexOf(" ")
      return [line.slice(0, space), Number(line.slice(space + 1))]
    })
  )

/** Growth of samples since another text, of those that have grown. */
export const growthOf = (before: string, after: string): Readonly<Record<string, number>> => {
  const old = samplesOf(before)
  const grown = [...samplesOf(after)].map(([name, value]) => [name, value - (old.get(name) ?? 0)] as const)
  return Object.fromEntries(grown.filter(([, growth]) => growth !== 0))
}
