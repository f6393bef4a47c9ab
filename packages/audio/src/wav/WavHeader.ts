/** How long the header of a WAV file is, in bytes. */
export const WAV_HEADER_BYTES = 44

/** A size that is not known, in the header of a sound that is still being made (specification, voices/clone/stream). */
const UNKNOWN = 0xFF_FF_FF_FF

/**
 * The header of a WAV file of one channel of 16 bit PCM. `samples` is how many follow; null when nobody knows yet, which
 * makes both sizes 0xFFFFFFFF.
 */
export const wavHeader = (
  { rate, samples }: { readonly rate: number; readonly samples: number | null }
): Uint8Array => {
  const header = new Uint8Array(WAV_HEADER_BYTES)
  header.set(new TextEncoder().encode("RIFF....WAVEfmt ....................data"))
  const view = new DataView(header.buffer)
  view.setUint32(4, samples === null ? UNKNOWN : WAV_HEADER_BYTES - 8 + samples * 2, true)
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  view.setUint32(40, samples === null ? UNKNOWN : samples * 2, true)
  return header
}
