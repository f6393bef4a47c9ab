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
