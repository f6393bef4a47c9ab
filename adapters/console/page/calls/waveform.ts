/** Loudness of a recording, by channel, in equal parts of its time; 0 to 1. */
export const peaksOf = async (sound: Blob, parts: number): Promise<ReadonlyArray<ReadonlyArray<number>>> => {
  const context = new OfflineAudioContext(1, 1, 8000)
  const decoded = await context.decodeAudioData(await sound.arrayBuffer())
  return Array.from({ length: decoded.numberOfChannels }, (_, channel) => {
    const samples = decoded.getChannelData(channel)
    const size = Math.max(1, Math.floor(samples.length / parts))
    const step = Math.max(1, Math.floor(size / 64))
    return Array.from({ length: parts }, (__, part) => {
      let peak = 0
      for (let at = part * size; at < Math.min(samples.length, (part + 1) * size); at += step) {
        peak = Math.max(peak, Math.abs(samples[at] ?? 0))
      }
      return peak
    })
  })
}

/** Draws channels above each other, agent and person in their colours. */
export const drawPeaks = (canvas: HTMLCanvasElement, channels: ReadonlyArray<ReadonlyArray<number>>): void => {
  const ratio = devicePixelRatio
  const { clientHeight, clientWidth } = canvas
  canvas.width = clientWidth * ratio
  canvas.height = clientHeight * ratio
  const pen = canvas.getContext("2d")
  if (pen === null) return
  pen.scale(ratio, ratio)
  const styles = getComputedStyle(document.documentElement)
  const colours = channels.length > 1 ? ["--person", "--agent"] : ["--accent"]
  const height = clientHeight / channels.length
  channels.forEach((peaks, channel) => {
    pen.fillStyle = styles.getPropertyValue(colours[channel] ?? "--accent")
    const width = clientWidth / peaks.length
    peaks.forEach((peak, index) => {
      const size = Math.max(1, peak * (height - 4))
      pen.fillRect(index * width, channel * height + (height - size) / 2, Math.max(1, width - 1), size)
    })
  })
}
