import type { ServerResponse } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import type { Fault } from "./Faults.js"

/** Response of the test provider. */
export interface HttpResponse {
  readonly status: number
  readonly json: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An error in the format of the protocol. */
export const refusal = (status: number, code: string, isTaken?: boolean): HttpResponse => ({
  status,
  json: { error: { code, ...(isTaken !== undefined && { taken: isTaken }) } }
})

/** Sends a response. */
export const send = (response: ServerResponse, { headers, json, status }: HttpResponse) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(json))

/** Applies a fault; resolves to true when the request gets no regular response. */
export const applyFault = async (fault: Fault | undefined, response: ServerResponse): Promise<boolean> => {
  switch (fault?.kind) {
    case "status":
      send(response, { status: fault.status, json: fault.body ?? {} })
      return true
    case "cut":
      response.destroy()
      return true
    case "hang":
      return true
    case "late":
      await pause(fault.millis)
      return false
    case "garbage":
      response.writeHead(200, { "content-type": "text/html" }).end("<html>")
      return true
    case "endless":
      response.writeHead(200, { "content-type": "application/json" })
      while (!response.destroyed) {
        response.write(" ".repeat(64 * 1024))
        await pause(1)
      }
      return true
    case undefined:
      return false
  }
}
