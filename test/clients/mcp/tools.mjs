// Tools of the test servers of both eras: a booking, and what bad servers do.
const text = (content) => ({ content: [{ type: "text", text: content }] })

const image = { type: "image", data: "A".repeat(40_000), mimeType: "image/png" }

const parameters = {
  type: "object",
  properties: { people: { type: "integer", minimum: 1 }, when: { type: "string" } },
  required: ["people", "when"]
}

const nothing = { type: "object", properties: {} }

/** Names with their description, schema, and what they answer. */
export const tools = {
  book_table: {
    description: "Books a table",
    parameters,
    run: ({ people, when }) => text(`Booked for ${people} at ${when}`)
  },
  picture: { description: "Shows a picture", parameters: nothing, run: () => ({ content: [image] }) },
  flood: { description: "Floods", parameters: nothing, run: () => text("x".repeat(10_000_000)) },
  long: { description: "Talks", parameters: nothing, run: () => text("word ".repeat(4_000)) },
  refuse: {
    description: "Refuses",
    parameters: nothing,
    run: () => ({ ...text("We are closed on Mondays."), isError: true })
  },
  hang: { description: "Hangs", parameters: nothing, run: () => new Promise(() => {}) },
  die: { description: "Dies", parameters: nothing, run: () => process.exit(3) },
  secret: {
    description: "Tells its environment",
    parameters: nothing,
    run: () => text(process.env.BOOKING_TOKEN ?? "none")
  }
}

/** Starts to serve a handler of node:http and prints its URL. */
export const announce = async (listener) => {
  const { createServer } = await import("node:http")
  const server = createServer((request, response) => {
    if (
      process.env.BOOKING_TOKEN !== undefined && request.headers.authorization !== `Bearer ${process.env.BOOKING_TOKEN}`
    ) {
      response.writeHead(401).end()
      return
    }
    listener(request, response)
  })
  server.listen(Number(process.argv[3] ?? 0), "127.0.0.1", () => {
    console.log(`http://127.0.0.1:${server.address().port}/mcp`)
  })
}

/** The body of a request. */
export const bodyOf = async (request) => {
  const pieces = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces)
}
