import { IncomingMessage } from "node:http"

/** A request whose body middleware may have read already. */
export interface ParsedRequest extends IncomingMessage {
  /** The parsed body. */
  readonly body?: unknown
}

/** Copy of a request with a body of its own. Destroying it leaves the connection open. */
class RequestCopy extends IncomingMessage {
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

/** The name contains the advice, because logs show the names of defects but not their messages. */
class BodyAlreadyRead extends Error {
  override readonly name =
    "BodyAlreadyRead (mount Trunkline before the middleware that reads the bodies of its requests)"
}

/** A request whose body is lost. Reading it is a defect, because waiting for it would never end. */
class ConsumedRequest extends RequestCopy {
  override on(): never {
    throw new BodyAlreadyRead()
  }
}

/** JSON that is rejected as nested too deeply, in place of a value too deep to be encoded. */
const tooDeep = Buffer.from(`${"[".repeat(100)}${"]".repeat(100)}`)

const encodeJson = (body: unknown): Buffer | undefined => {
  try {
    return Buffer.from(JSON.stringify(body))
  } catch (error) {
    return error instanceof RangeError ? tooDeep : undefined
  }
}

/** Reconstructs the bytes of a body from the result of a parser; undefined when that is not possible. */
const reconstructBody = ({ body, headers, readableDidRead, readableEnded }: ParsedRequest): Uint8Array | undefined => {
  if (!readableEnded) return undefined
  if (!readableDidRead) return new Uint8Array()
  if (body instanceof Uint8Array) return body
  if (typeof body === "string") return Buffer.from(body)
  const isForm = headers["content-type"]?.trimStart().toLowerCase().startsWith("multipart/")
  return body === undefined || isForm === true ? undefined : encodeJson(body)
}

/**
 * Copies the request with a new body. The declared length is the larger one of the old and the new length, so that size
 * limits apply as before; the new body is not compressed.
 */
const withBytes = (request: IncomingMessage, bytes: Uint8Array) => {
  const {
    "content-encoding": _encoding,
    "content-length": declaredText = "0",
    "transfer-encoding": _transfer,
    ...headers
  } = request.headers
  const copy = new RequestCopy(request)
  copy.headers = { ...headers, "content-length": String(Math.max(bytes.length, Number(declaredText))) }
  copy.push(bytes)
  copy.push(null)
  return copy
}

/** Copies the request and pipes its body, although another listener has started or paused the stream. */
const pipeBody = (request: IncomingMessage) => {
  const copy = new RequestCopy(request)
  copy._read = () => void request.resume()
  copy._destroy = (error, callback) => {
    request.destroy()
    callback(error)
  }
  request.on("data", (bytes) => {
    if (!copy.push(bytes)) request.pause()
  })
  request.once("end", () => copy.push(null))
  request.once("error", (error) => copy.destroy(error))
  return copy
}

/**
 * Returns a request whose body can be read, although middleware may have read it: a parsed body is encoded again from
 * `request.body`. When that is not possible, reading the body is a defect.
 */
export const toUnreadRequest = (request: ParsedRequest): IncomingMessage => {
  if (request.readableDidRead || request.readableEnded) {
    const bytes = reconstructBody(request)
    return bytes === undefined ? new ConsumedRequest(request) : withBytes(request, bytes)
  }
  if (request.listenerCount("readable") > 0) return new ConsumedRequest(request)
  return request.readableFlowing === null ? request : pipeBody(request)
}
