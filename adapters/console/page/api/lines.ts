/** Lines of a stream, as they arrive. */
export const linesOf = async function*(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ""
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n")
    rest = lines.pop() ?? ""
    yield* lines
  }
}
