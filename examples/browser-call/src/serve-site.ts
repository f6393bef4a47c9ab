import { build } from "esbuild"
import express from "express"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import type { Trunkline } from "trunkline"

const page = (name: string) => fileURLToPath(new URL(`../page/${name}`, import.meta.url))

/** The page's script, and the worklet as a file of its own, since the policy below allows no blobs. */
const bundle = async () => {
  const { outputFiles } = await build({
    entryPoints: { call: page("call.js"), "talk-worklet": "@trunkline/client/talk-worklet" },
    absWorkingDir: page(".."),
    conditions: ["@trunkline/source"],
    bundle: true,
    minify: true,
    format: "esm",
    outdir: "/",
    write: false
  })
  return outputFiles
}

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'"

/** Serves a site whose page calls an agent. Resolves with its address and what stops it. */
export const serveSite = async (
  trunkline: Trunkline,
  { agent, port = 0 }: { readonly agent: string; readonly port?: number }
) => {
  const voice = trunkline.express({ prefix: "/voice" })
  const app = express()
  app.use((_, response, next) => {
    response.setHeader("content-security-policy", policy)
    response.setHeader("permissions-policy", "microphone=(self)")
    next()
  })
  for (const { path, text } of await bundle()) {
    app.get(path, (_, response) => response.type("text/javascript").send(text))
  }
  app.get("/", (_, response) => response.type("text/html").send(readFileSync(page("index.html"), "utf8")))
  app.get("/call.css", (_, response) => response.type("text/css").send(readFileSync(page("call.css"), "utf8")))

  // Your server decides who may call, and what the agent knows of them. The page only gets the address of one call.
  app.post("/call", async (_, response, next) => {
    try {
      const { url } = await trunkline.calls.talk({ agent, variables: { name: "Asha" }, user_identifier: "customer-17" })
      response.json({ url })
    } catch (error) {
      next(error)
    }
  })
  app.use("/voice", voice)

  const server = createServer(app)
  server.on("upgrade", (request, socket, head) => {
    if (!voice.upgrade(request, socket, head)) socket.destroy()
  })
  await once(server.listen(port, "127.0.0.1"), "listening")
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      await trunkline.close()
      server.closeAllConnections()
    }
  }
}
