// Speaks as the program espeak-ng in the way that the first argument names; notes what it does in the folder of the second.
import { appendFileSync, existsSync, readFileSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"

const [way, folder, ...given] = process.argv.slice(2)
const note = (name, text) => appendFileSync(join(folder, name), `${text}\n`)

const header = () => {
  const bytes = Buffer.alloc(44)
  bytes.write("RIFF\x24\xf0\xff\x7fWAVEfmt \x10", "latin1")
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(way === "other" ? 16_000 : 22_050, 24)
  bytes.writeUInt32LE(44_100, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write("data\x00\xf0\xff\x7f", 36, "latin1")
  return bytes
}

const write = (bytes) => {
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at)
}
const sound = (samples, level = 8_192) => write(Buffer.from(new Int16Array(samples).fill(level).buffer))
const forever = () => {
  const parent = process.ppid
  setInterval(() => process.ppid === parent || process.exit(), 500)
}

const ways = {
  dies: () => {
    sound(5_000)
    process.exit(3)
  },
  crashes: () => {
    sound(5_000)
    process.kill(process.pid, "SIGSEGV")
    forever()
  },
  empty: () => undefined,
  holds: () => {
    const timer = setInterval(() => {
      if (!existsSync(join(folder, "go"))) return
      clearInterval(timer)
      sound(2_205)
      note("log", "end")
    }, 2)
  },
  huge: () => {
    for (let block = 1; block <= 400; block++) {
      sound(50_000)
      writeFileSync(join(folder, "written"), String(block * 50_000))
    }
  },
  mute: forever,
  noisy: () => {
    for (let line = 0; line < 2_000; line++) writeSync(2, `${"Error: ".repeat(100)}\n`)
    sound(2_205)
  },
  other: () => sound(100),
  silent: () => sound(22_050, 0),
  speaks: () => sound(2_205)
}

process.on("SIGTERM", () => undefined)
note("arguments", JSON.stringify(given))
note("environment", Object.keys(process.env).join(" "))
note("log", "start")
note("pid", process.pid)
if (way !== "dies") note("text", readFileSync(0, "utf8"))
if (way !== "empty") write(header())
ways[way]()
