const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24
  for (let bit = 0; bit < 8; bit++) remainder = remainder < 0 ? (remainder << 1) ^ 0x04_C1_1D_B7 : remainder << 1
  return remainder
})

/** Where a page has its checksum. */
export const crcAt = 22

/** The checksum of an Ogg page, whose own field for it counts as zeros (RFC 3533, 6). */
export const oggCrc = (page: Uint8Array): number => {
  let sum = 0
  for (let at = 0; at < page.length; at++) {
    const byte = at >= crcAt && at < crcAt + 4 ? 0 : page[at] ?? 0
    sum = (sum << 8) ^ (table[(sum >>> 24) ^ byte] ?? 0)
  }
  return sum >>> 0
}
