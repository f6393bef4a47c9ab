import express from "express"
import { createTrunkline } from "trunkline"

const trunkline = await createTrunkline({
  data: ".trunkline",
  agents: [{ app_id: "reminder", first_message: "Hello {{name}}, your table is booked for tonight." }],
  lines: [{ connection_id: "line", provider: "simulator", phone_numbers: ["+911140000001"] }]
})
const { key } = await trunkline.keys.ensureKey({
  key: process.env["API_KEY"] ?? "sk_test_main_trunklineLocalExampleKey"
})
const voice = trunkline.express({ prefix: "/voice" })

const app = express()
app.use("/voice", voice)
app.use(express.json())
app.get("/", (_, response) => response.send("A page of one's own"))
app.post("/echo", ({ body }, response) => response.json(body))

const server = app.listen(8789, "127.0.0.1", () => {
  const workspace = "http://127.0.0.1:8789/voice/v1/orgs/main/workspaces/main"
  console.log(`Voice agents at ${workspace}`)
  console.log(`curl ${workspace}/deployments -H 'api-subscription-key: ${key}'`)
})
server.on("upgrade", (request, socket, head) => {
  if (!voice.upgrade(request, socket, head)) socket.destroy()
})

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, async () => {
    server.close()
    await trunkline.close()
    server.closeAllConnections()
  })
}
