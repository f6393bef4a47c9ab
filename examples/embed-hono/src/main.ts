import { serve } from "@hono/node-server"
import { Engine } from "@trunkline/engine"
import { toFetchHandler } from "@trunkline/fetch"
import { Hono } from "hono"

const engine = Engine.layerMemory({
  agents: [{
    app_id: "reminder",
    versions: [{ app_version: 1, committed: true, first_message: "Hello {{name}}, your table is booked for tonight." }]
  }],
  connections: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }],
  access: {
    accounts: [{ account_id: "me" }],
    workspaces: [{ org_id: "me", workspace_id: "main", account_id: "me" }],
    keys: [{ account_id: "me", key: "sk_dev_me_changeThisSecret" }]
  }
})

const voice = await toFetchHandler(engine, { prefix: "/voice" })

const app = new Hono()
app.get("/", (context) => context.text("A page of one's own"))
app.all("/voice/*", ({ req }) => voice(req.raw))

const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 8790 }, ({ port }) => {
  const workspace = `http://127.0.0.1:${port}/voice/v1/orgs/me/workspaces/main`
  console.log(`Voice agents at ${workspace}`)
  console.log(`curl ${workspace}/deployments -H 'api-subscription-key: sk_dev_me_changeThisSecret'`)
})

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    server.close()
    await voice.close()
    if ("closeAllConnections" in server) server.closeAllConnections()
  })
}
