/** Loudness of a recording by channel, in equal parts of its time, 0 to 1, with its length in seconds. */
export const peaksOf = async (sound: Blob, parts: number) => {
  const context = new OfflineAudioContext(1, 1, 8000)
  const decoded = await context.decodeAudioData(await sound.arrayBuffer())
  const peaks = Array.from({ length: decoded.numberOfChannels }, (_, channel) => {
    const samples = decoded.getChannelData(channel)
    const size = Math.max(1, samples.length / parts)
    const step = Math.max(1, Math.floor(size / 64))
    return Array.from({ length: parts }, (__, part) => {
      let peak = 0
      for (let at = Math.floor(part * size); at < Math.min(samples.length, (part + 1) * size); at += step) {
        peak = Math.max(peak, Math.abs(samples[at] ?? 0))
      }
      return peak
    })
  })
  return { peaks, length: decoded.duration }
}

/** Draws channels above each other, the agent and the person in their colours; they take a share of the width. */
export const drawPeaks = (
  canvas: HTMLCanvasElement,
  channels: ReadonlyArray<ReadonlyArray<number>>,
  share: number
): void => {
  const ratio = devicePixelRatio
  const { clientHeight, clientWidth } = canvas
  canvas.width = clientWidth * ratio
  canvas.height = clientHeight * ratio
  const pen = canvas.getContext("2d")
  if (pen === null) return
  pen.scale(ratio, ratio)
  const styles = getComputedStyle(document.documentElement)
  const [first = [], second] = channels
  // Recordings have the person first; the axis has the agent above.
  const sides = second === undefined
    ? [{ peaks: first, colour: "--accent" }]
    : [{ peaks: second, colour: "--agent" }, { peaks: first, colour: "--person" }]
  const height = clientHeight / sides.length
  const loudest = Math.max(0.05, ...sides.flatMap(({ peaks }) => peaks))
  sides.forEach(({ colour, peaks }, side) => {
    pen.fillStyle = styles.getPropertyValue(colour)
    const width = (clientWidth * share) / peaks.length
    peaks.forEach((peak, index) => {
      const size = Math.max(1, (peak / loudest) * (height - 6))
      pen.fillRect(index * width, side * height + (height - size) / 2, Math.max(0.5, width * 0.7), size)
    })
  })
}
