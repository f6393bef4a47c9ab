const magic = [0x49, 0x44, 0x33]

/** The bytes behind the ID3 tag that some files begin with; its size is written 7 bits a byte. */
export const afterTag = (bytes: Uint8Array): Uint8Array => {
  if (bytes.length < 10 || magic.some((byte, at) => bytes[at] !== byte)) return bytes
  const footer = ((bytes[5] ?? 0) & 0x10) === 0 ? 0 : 10
  return bytes.subarray(bytes.subarray(6, 10).reduce((size, byte) => size * 128 + (byte & 0x7F), 0) + 10 + footer)
}
