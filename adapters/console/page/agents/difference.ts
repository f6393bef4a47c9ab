export interface Line {
  readonly kind: "same" | "added" | "removed"
  readonly text: string
}

/** Lines that differ between two texts, by their longest common subsequence. Meant for definitions of some hundred lines. */
export const differenceOf = (before: string, after: string): ReadonlyArray<Line> => {
  const [a, b] = [before.split("\n"), after.split("\n")]
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    const row = lengths[i]
    if (row === undefined) continue
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i] === b[j]
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: Array<Line> = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: "same", text: a[i] ?? "" })
      i++
      j++
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "removed", text: a[i++] ?? "" })
    } else lines.push({ kind: "added", text: b[j++] ?? "" })
  }
  return lines
}

/** Lines that are shown around a change. */
const context = 3

/** A line of a difference, or how many lines were left out. */
export interface ShownLine {
  readonly kind: Line["kind"] | "left out"
  readonly text: string
}

/** The changes with some lines around each; nothing when there is none. Longer runs of the same are one line that counts them. */
export const shortOf = (lines: ReadonlyArray<Line>): ReadonlyArray<ShownLine> => {
  const changes = lines.flatMap(({ kind }, index) => (kind === "same" ? [] : [index]))
  if (changes.length === 0) return []
  const isNear = new Uint8Array(lines.length)
  for (const index of changes) isNear.fill(1, Math.max(0, index - context), index + context + 1)
  const shown: Array<ShownLine> = []
  for (let index = 0; index < lines.length;) {
    const line = lines[index]
    const next = isNear.indexOf(1, index)
    const count = (next < 0 ? lines.length : next) - index
    if (count > 0) shown.push({ kind: "left out", text: `${count} ${count === 1 ? "line" : "lines"}` })
    else if (line !== undefined) shown.push(line)
    index += Math.max(1, count)
  }
  return shown
}
