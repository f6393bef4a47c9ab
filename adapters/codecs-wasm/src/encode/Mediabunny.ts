import type * as Mediabunny from "mediabunny"

/** A sound in a codec of mediabunny, which writes it in a thread of its own. */
export interface MediabunnySound {
  readonly codec: "flac" | "aac"
  readonly rate: number
  /** At least one; floats from -1 to 1 where the codec is lossy. */
  readonly samples: Int16Array<ArrayBuffer> | Float32Array<ArrayBuffer>
  /** Bits per second, where the codec is lossy. */
  readonly bitrate?: number
  readonly file: (library: typeof Mediabunny) => Mediabunny.OutputFormat
}

/** Writes a whole sound, a second at a time. */
export const encodeByMediabunny = async (
  { bitrate, codec, file, rate, samples }: MediabunnySound
): Promise<Uint8Array> => {
  const library = await import("mediabunny")
  const { AudioSample, AudioSampleSource, BufferTarget, Output, Quality } = library
  const target = new BufferTarget()
  const output = new Output({ format: file(library), target })
  const source = new AudioSampleSource({
    codec,
    ...(bitrate === undefined ? {} : { quality: new Quality({ bitrate }) })
  })
  output.addAudioTrack(source)
  await output.start()
  for (let at = 0; at < samples.length; at += rate) {
    const piece = new AudioSample({
      data: samples.subarray(at, at + rate),
      format: samples instanceof Int16Array ? "s16" : "f32",
      numberOfChannels: 1,
      sampleRate: rate,
      timestamp: at / rate
    })
    await source.add(piece)
    piece.close()
  }
  await output.finalize()
  return new Uint8Array(target.buffer ?? [])
}
