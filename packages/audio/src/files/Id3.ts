/** Size of an ID3 tag's header, and of its footer where it has one, in bytes. */
const headerBytes = 10

/** Size of a leading ID3 tag, or 0. The tag stores its size in 7 bits per byte (ID3v2.4, section 3.1). */
export const id3Length = (bytes: Uint8Array): number => {
  const [i, d, three] = bytes
  if (i !== 0x49 || d !== 0x44 || three !== 0x33 || bytes.length < headerBytes) return 0
  const footer = ((bytes[5] ?? 0) & 0x10) === 0 ? 0 : headerBytes
  return bytes.subarray(6, headerBytes).reduce((size, byte) => size * 128 + (byte & 0x7F), 0) + headerBytes + footer
}
