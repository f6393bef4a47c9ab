/** Which characters a font has, by their numbers in Unicode. */
export type FontCoverage = ReadonlySet<number>

/** Where the table of this name is in the file. */
const tableAt = (view: DataView, name: string): number => {
  const tables = view.getUint16(4)
  for (let entry = 12; entry < 12 + tables * 16; entry += 16) {
    const tag = [0, 1, 2, 3].map((each) => String.fromCharCode(view.getUint8(entry + each))).join("")
    if (tag === name) return view.getUint32(entry + 8)
  }
  throw new RangeError(`The font has no table ${name}`)
}

/** Format 4: stretches of characters of 16 bits. */
const addStretches = (view: DataView, at: number, into: Set<number>): void => {
  const bytes = view.getUint16(at + 6)
  for (let each = 0; each < bytes; each += 2) {
    const last = view.getUint16(at + 14 + each)
    const first = view.getUint16(at + 16 + bytes + each)
    const delta = view.getUint16(at + 16 + 2 * bytes + each)
    const offsetAt = at + 16 + 3 * bytes + each
    const offset = view.getUint16(offsetAt)
    for (let character = first; character <= last && character < 0xFFFF; character++) {
      const glyph = offset === 0
        ? (character + delta) & 0xFFFF
        : view.getUint16(offsetAt + offset + 2 * (character - first))
      if (glyph !== 0) into.add(character)
    }
  }
}

/** Format 12: groups of characters of 32 bits. */
const addGroups = (view: DataView, at: number, into: Set<number>): void => {
  const end = at + 16 + view.getUint32(at + 12) * 12
  for (let group = at + 16; group < end; group += 12) {
    for (let character = view.getUint32(group); character <= view.getUint32(group + 4); character++) into.add(character)
  }
}

/** Reads which characters a TrueType font has from its table `cmap` (OpenType 1.9, formats 4 and 12). */
export const coverageOf = (font: Uint8Array): FontCoverage => {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength)
  const cmap = tableAt(view, "cmap")
  const covered = new Set<number>()
  for (let table = 0; table < view.getUint16(cmap + 2); table++) {
    const at = cmap + view.getUint32(cmap + 4 + table * 8 + 4)
    const format = view.getUint16(at)
    if (format === 4) addStretches(view, at, covered)
    if (format === 12) addGroups(view, at, covered)
  }
  return covered
}
