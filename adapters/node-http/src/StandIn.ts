import { IncomingMessage } from "node:http"

/** A request that some middleware may have read already. */
export interface ParsedRequest extends IncomingMessage {
  /** What it left of the body. */
  readonly body?: unknown
}

/** A request like another one but for its body. Letting it go leaves the connection alone. */
class StandIn extends IncomingMessage {
  constructor(request: IncomingMessage) {
    super(request.socket)
    this.method = request.method
    this.url = request.url
    this.headers = request.headers
  }
  override _read() {}
  override _destroy(error: Error | null, callback: (error?: Error | null) => void) {
    callback(error)
  }
}

/** Its name tells the log what to do, since messages are not logged. */
class BodyAlreadyRead extends Error {
  override readonly name =
    "BodyAlreadyRead (mount Trunkline before the middleware that reads the bodies of its requests)"
}

/** A request whose body is gone: asking for it is a defect, where waiting for it would never end. */
class SpentRequest extends StandIn {
  override on(): never {
    throw new BodyAlreadyRead()
  }
}

/** Bytes that are refused as too deep, for a value that is too deep to be written again. */
const tooDeep = Buffer.from(`${"[".repeat(100)}${"]".repeat(100)}`)

const rewritten = (body: unknown): Buffer | undefined => {
  try {
    return Buffer.from(JSON.stringify(body))
  } catch (error) {
    return error instanceof RangeError ? tooDeep : undefined
  }
}

/** What was sent, as far as it can be told from what a parser made of it; undefined when it cannot. */
const bytesOf = ({ body, headers, readableDidRead, readableEnded }: ParsedRequest): Uint8Array | undefined => {
  if (!readableEnded) return undefined
  if (!readableDidRead) return new Uint8Array()
  if (body instanceof Uint8Array) return body
  if (typeof body === "string") return Buffer.from(body)
  const isForm = headers["content-type"]?.trimStart().toLowerCase().startsWith("multipart/")
  return body === undefined || isForm === true ? undefined : rewritten(body)
}

/**
 * The request with these bytes, which are as many as were declared, or more where they came compressed; they are so no
 * longer.
 */
const withBytes = (request: IncomingMessage, bytes: Uint8Array) => {
  const {
    "content-encoding": _encoding,
    "content-length": declared = "0",
    "transfer-encoding": _transfer,
    ...headers
  } = request.headers
  const standIn = new StandIn(request)
  standIn.headers = { ...headers, "content-length": String(Math.max(bytes.length, Number(declared))) }
  standIn.push(bytes)
  standIn.push(null)
  return standIn
}

/** The request whose body comes from now on, whether or not somebody else has set it flowing or has paused it. */
const following = (request: IncomingMessage) => {
  const standIn = new StandIn(request)
  standIn._read = () => void request.resume()
  standIn._destroy = (error, callback) => {
    request.destroy()
    callback(error)
  }
  request.on("data", (bytes) => {
    if (!standIn.push(bytes)) request.pause()
  })
  request.once("end", () => standIn.push(null))
  request.once("error", (error) => standIn.destroy(error))
  return standIn
}

/**
 * The request as if nobody had touched its body: a body that a parser has read is written again from `request.body`.
 * Where that cannot be done, whoever reads the body fails.
 */
export const untouched = (request: ParsedRequest): IncomingMessage => {
  if (request.readableDidRead || request.readableEnded) {
    const bytes = bytesOf(request)
    return bytes === undefined ? new SpentRequest(request) : withBytes(request, bytes)
  }
  if (request.listenerCount("readable") > 0) return new SpentRequest(request)
  return request.readableFlowing === null ? request : following(request)
}
