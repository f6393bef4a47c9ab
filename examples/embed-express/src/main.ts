import { Engine } from "@trunkline/engine"
import { toExpressHandler } from "@trunkline/express"
import express from "express"

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

const voice = await toExpressHandler(engine, { prefix: "/voice" })

const app = express()
app.use("/voice", voice)
app.use(express.json())
app.get("/", (_, response) => response.send("A page of one's own"))
app.post("/echo", ({ body }, response) => response.json(body))

const server = app.listen(8789, "127.0.0.1", () => {
  const workspace = "http://127.0.0.1:8789/voice/v1/orgs/me/workspaces/main"
  console.log(`Voice agents at ${workspace}`)
  console.log(`curl ${workspace}/deployments -H 'api-subscription-key: sk_dev_me_changeThisSecret'`)
})
server.on("upgrade", (request, socket, head) => {
  if (!voice.upgrade(request, socket, head)) socket.destroy()
})

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    server.close()
    await voice.close()
    server.closeAllConnections()
  })
}
