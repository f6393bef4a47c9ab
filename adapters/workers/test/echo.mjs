// A child process that sends back its settings, its environment and every message, and exits when the channel is closed.
process.on("message", (message) => {
  if (message === "loop") { for (;;); }
  process.send({ settings: process.argv[2], names: Object.keys(process.env), message })
})
process.on("disconnect", () => process.exit(7))
