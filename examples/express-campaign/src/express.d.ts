// Express brings no types along. In a project of your own: npm install --save-dev @types/express@5
declare module "express" {
  import type { IncomingMessage, Server, ServerResponse } from "node:http"

  interface Request extends IncomingMessage {
    /** Bytes, as `raw` reads them. */
    readonly body: Uint8Array
  }
  interface Response extends ServerResponse {
    readonly json: (value: unknown) => void
    readonly send: (text: string) => void
    readonly sendStatus: (code: number) => void
  }
  type Handler = (request: Request, response: Response, next: (error?: unknown) => void) => void

  interface Application {
    readonly use: ((path: string, handler: Handler) => void) & ((handler: Handler) => void)
    readonly get: (path: string, handler: Handler) => void
    readonly post: (path: string, ...handlers: ReadonlyArray<Handler>) => void
    readonly listen:
      & ((port: number, listening?: () => void) => Server)
      & ((port: number, host: string, listening: () => void) => Server)
  }
  const express: (() => Application) & {
    readonly json: () => Handler
    readonly raw: (options: { readonly type: string }) => Handler
  }
  export default express
}
