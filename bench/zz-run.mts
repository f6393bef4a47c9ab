process.argv[2] = process.argv[2] ?? "trunkline, in place"
process.argv[3] = "/tmp/m/bc"
const c = process.cpuUsage()
process.send = ((m: unknown) => console.log(m)) as never
process.disconnect = () => undefined
await import("./cohorts-contender.js")
const d = process.cpuUsage(c)
console.log("cpu user", d.user / 1e6, "system", d.system / 1e6)
