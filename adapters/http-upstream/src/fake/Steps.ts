import type { ServerResponse } from "node:http"
import type { Seen } from "./FakeServer.js"

/** One step of a scripted answer. */
export type Step =
  /** Status and headers; without this step, 200 and no content type. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Bytes of the body, in one write. */
  | { readonly write: string | Uint8Array }
  /** Nothing, until a promise is kept. */
  | { readonly until: PromiseLike<unknown> }
  /** An answer before the answer: 103. */
  | "hint"
  /** The body is over. */
  | "end"
  /** The connection breaks. */
  | "cut"
  /** The connection is reset. */
  | "reset"
  /** Nothing more happens. */
  | "hang"

/** What to answer to a request. */
export type Script = ReadonlyArray<Step> | ((seen: Seen) => ReadonlyArray<Step> | Promise<ReadonlyArray<Step>>)

const words = {
  hint: (response: ServerResponse) => response.writeEarlyHints({ link: "</style.css>; rel=preload" }),
  end: (response: ServerResponse) => void response.end(),
  cut: (response: ServerResponse) => void response.destroy(),
  reset: (response: ServerResponse) => void response.socket?.resetAndDestroy(),
  hang: () => {}
}

/** Answers step by step, each write waiting until the network has taken it. */
export const play = async (steps: ReadonlyArray<Step>, response: ServerResponse): Promise<void> => {
  const closed = new Promise((done) => response.once("close", done))
  for (const step of steps) {
    if (response.destroyed) return
    if (typeof step === "string") words[step](response)
    else if ("status" in step) response.writeHead(step.status, step.headers).flushHeaders()
    else if ("until" in step) await step.until
    else await Promise.race([closed, new Promise((taken) => response.write(step.write, taken))])
  }
}
