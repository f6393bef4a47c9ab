import { toLinear16, wavHeader } from "@trunkline/audio"
import { Effect, type Scope } from "effect"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { freePort, startPeer, temporaryFolder, toolPath } from "./PeerProcess.js"

/** A softphone that plays a recording to whom it calls, and records both sides. */
export interface Baresip {
  /** Port of its user agent; the next one is that of TLS. */
  readonly port: number
  readonly dial: (uri: string) => Effect.Effect<void>
  readonly command: (command: string, params?: string) => Effect.Effect<void>
  /** Text that it has printed. */
  readonly output: () => string
  /** WAV file of what it has heard; complete once the call has ended. Undefined before a call. */
  readonly heardSound: () => Uint8Array | undefined
  /** WAV file of what it has said, on the same clock. */
  readonly spokenSound: () => Uint8Array | undefined
}

/** Folder of the modules, beside the program. */
const modules = () => join(toolPath("baresip") ?? "", "../../lib/baresip/modules")

const wav = (samples: Float32Array, rate: number) =>
  Buffer.concat([wavHeader({ rate, samples: samples.length }), toLinear16(samples)])

/** Settings of a softphone. */
export interface BaresipOptions {
  /** Sound, which must last longer than its call: baresip hangs up at its end. */
  readonly sound: Float32Array
  /** Rate of the sound: 8,000, which is the default and has mu-law, or 16,000, which has G.722. */
  readonly rate?: 8_000 | 16_000
  /** Parameters of its account, such as `;answermode=auto`. */
  readonly account?: string
  /** Certificate with its key in one file, and that of the authority it trusts, for TLS at its port + 1. */
  readonly tls?: { readonly certificate: string; readonly ca: string }
}

/** Starts a softphone. */
export const startBaresip = (
  { account = "", rate = 8_000, sound, tls }: BaresipOptions
): Effect.Effect<Baresip, never, Scope.Scope> =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const dumps = join(folder, "dumps")
    mkdirSync(dumps)
    const port = yield* freePort(1)
    // Its port + 1 is that of TLS.
    const control = yield* freePort()
    const media = yield* freePort(20)
    writeFileSync(join(folder, "source.wav"), wav(sound, rate))
    writeFileSync(
      join(folder, "config"),
      [
        "poll_method epoll",
        `sip_listen 127.0.0.1:${port}`,
        ...(tls === undefined
          ? []
          : [`sip_certificate ${tls.certificate}`, `sip_cafile ${tls.ca}`, "sip_verify_server yes", "module srtp.so"]),
        "audio_path /tmp",
        `audio_source aufile,${join(folder, "source.wav")}`,
        "audio_player aubridge,nowhere",
        "audio_alert aubridge,nowhere",
        `ausrc_srate ${rate}`,
        `auplay_srate ${rate}`,
        "ausrc_channels 1",
        "auplay_channels 1",
        "audio_txmode thread",
        `rtp_ports ${media}-${media + 20}`,
        `module_path ${modules()}`,
        rate === 16_000 ? "module g722.so" : "module g711.so",
        "module aufile.so",
        "module aubridge.so",
        "module sndfile.so",
        "module_app account.so",
        "module_app menu.so",
        "module_app ctrl_tcp.so",
        `ctrl_tcp_listen 127.0.0.1:${control}`,
        `snd_path ${dumps}`,
        "call_max_calls 4",
        ""
      ].join("\n")
    )
    writeFileSync(
      join(folder, "accounts"),
      `<sip:+919876543210@127.0.0.1:${tls === undefined ? port : `${port + 1};transport=tls`}>;regint=0;audio_codecs=${
        rate === 16_000 ? "G722/16000/1" : "PCMU/8000/1"
      }${account}\n`
    )
    writeFileSync(join(folder, "contacts"), "")
    const phone = yield* startPeer("baresip", ["-f", folder], { cwd: folder, ending: "SIGINT" })
    yield* Effect.iterate(0, {
      while: (tries) => tries < 500 && !phone.output().includes("baresip is ready"),
      body: (tries) => Effect.as(Effect.sleep("20 millis"), tries + 1)
    })

    const command = (name: string, params = "") =>
      Effect.async<void>((resume) => {
        const text = JSON.stringify({ command: name, params, token: "test" })
        const socket = connect({ host: "127.0.0.1", port: control }, () => socket.write(`${text.length}:${text},`))
        const finish = () => {
          socket.destroy()
          resume(Effect.void)
        }
        socket.once("data", finish)
        socket.once("error", finish)
      })

    const dump = (kind: "dec" | "enc") => {
      const name = readdirSync(dumps).sort().find((file) => file.endsWith(`${kind}.wav`))
      return name === undefined ? undefined : readFileSync(join(dumps, name))
    }

    return {
      port,
      command,
      dial: (uri) => command("dial", uri),
      output: phone.output,
      heardSound: () => dump("dec"),
      spokenSound: () => dump("enc")
    }
  })
