// Express brings no types along. In a project of your own: npm install --save-dev @types/express@5
declare module "express" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  interface Request extends IncomingMessage {
    readonly body: unknown
  }
  interface Response extends ServerResponse {
    readonly json: (value: unknown) => void
    readonly send: (text: string) => void
    readonly type: (type: string) => Response
  }
  type Handler = (request: Request, response: Response, next: (error?: unknown) => void) => void

  interface Application {
    (request: IncomingMessage, response: ServerResponse): void
    readonly use: ((path: string, handler: Handler) => void) & ((handler: Handler) => void)
    readonly get: (path: string, handler: Handler) => void
    readonly post: (path: string, handler: Handler) => void
  }
  const express: (() => Application) & { readonly json: () => Handler }
  export default express
}
