import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { createTrunkline } from "trunkline"

const trunkline = await createTrunkline({
  data: ".trunkline",
  agents: [{ app_id: "reminder", first_message: "Hello {{name}}, your table is booked for tonight." }],
  lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }]
})
const { key } = await trunkline.keys.ensureKey({
  key: process.env["API_KEY"] ?? "sk_test_main_trunklineLocalExampleKey"
})
const voice = trunkline.fetch({ prefix: "/voice" })

const app = new Hono()
app.get("/", (context) => context.text("A page of one's own"))
app.all("/voice/*", ({ req }) => voice(req.raw))

const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 8790 }, ({ port }) => {
  const workspace = `http://127.0.0.1:${port}/voice/v1/orgs/main/workspaces/main`
  console.log(`Voice agents at ${workspace}`)
  console.log(`curl ${workspace}/deployments -H 'api-subscription-key: ${key}'`)
})

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    server.close()
    await trunkline.close()
    if ("closeAllConnections" in server) server.closeAllConnections()
  })
}
