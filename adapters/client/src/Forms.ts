/** Body of a request, as `fetch` takes it; `type` is its content type where `fetch` does not know it. */
export interface RequestBody {
  readonly body: NonNullable<RequestInit["body"]>
  readonly type?: string
  /** True for a body that can be sent once only. */
  readonly isStream?: boolean
}

const isStream = (value: unknown): value is AsyncIterable<Uint8Array> =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value

const isFile = (name: string, value: unknown): boolean =>
  value instanceof Blob || value instanceof Uint8Array || isStream(value) || /file$|audio$/.test(name)

const nameOf = (field: string, value: unknown): string =>
  value instanceof Blob && "name" in value && typeof value.name === "string" ? value.name : field

const textOf = (value: unknown): string => typeof value === "object" ? JSON.stringify(value) : String(value)

type Fields = ReadonlyArray<readonly [name: string, value: unknown]>

const formOf = (fields: Fields): FormData => {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (!isFile(name, value)) form.append(name, textOf(value))
    else if (value instanceof Blob) form.append(name, value, nameOf(name, value))
    else form.append(name, new Blob([value instanceof Uint8Array ? new Uint8Array(value) : String(value)]), name)
  }
  return form
}

const quote = (text: string): string =>
  text.replaceAll("\r\n", "%0D%0A").replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll("\"", "%22")

const utf8 = new TextEncoder()

/** Bytes of a form (RFC 7578), whose streams are read as the form is sent. */
async function* bytesOf(fields: Fields, boundary: string): AsyncGenerator<Uint8Array> {
  for (const [name, value] of fields) {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${quote(name)}"`
    if (!isFile(name, value)) {
      yield utf8.encode(`${head}\r\n\r\n${textOf(value)}\r\n`)
      continue
    }
    yield utf8.encode(
      `${head}; filename="${quote(nameOf(name, value))}"\r\ncontent-type: application/octet-stream\r\n\r\n`
    )
    if (isStream(value)) yield* value
    else if (value instanceof Blob) yield new Uint8Array(await value.arrayBuffer())
    else yield value instanceof Uint8Array ? value : utf8.encode(String(value))
    yield utf8.encode("\r\n")
  }
  yield utf8.encode(`--${boundary}--\r\n`)
}

/** A stream of what an iterator gives, which ends the iterator when it is cancelled. */
const streamOf = (chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => {
      await chunks.return(undefined)
    }
  })

/** Writes the fields of a body as a form: bytes, blobs, streams and fields for files as files, and objects as JSON. */
export const formBody = (body: object): RequestBody => {
  const fields = Object.entries(body).filter(([, value]) => value !== undefined && value !== null)
  if (!fields.some(([, value]) => isStream(value) && !(value instanceof Blob))) return { body: formOf(fields) }
  const boundary = `trunkline-${crypto.randomUUID()}`
  return {
    body: streamOf(bytesOf(fields, boundary)),
    type: `multipart/form-data; boundary=${boundary}`,
    isStream: true
  }
}
