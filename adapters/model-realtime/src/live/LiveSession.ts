import { ModelUnavailable } from "@trunkline/errors"
import { faultError } from "@trunkline/http-client"
import { messageText } from "@trunkline/models"
import type { Socket } from "@trunkline/transcriber-websocket/sockets"
import type { RealtimeCommand, RealtimeEvent, RealtimeOpening } from "@trunkline/turn-taking"
import type { ClientEvent } from "../protocol/ClientEvents.js"
import { lastingFaults } from "../protocol/ServerEvents.js"
import type { SoundFormat } from "../protocol/SoundFormat.js"
import { appendText, type LiveServerEvent } from "./LiveEvents.js"
import type { LiveSettings } from "./LiveOptions.js"

/** One session over a socket. */
export interface LiveSession {
  readonly push: (samples: Float32Array) => void
  readonly send: (command: RealtimeCommand) => void
  /** Takes an event of the server. */
  readonly take: (event: LiveServerEvent) => void
  /** Takes the end of the connection. */
  readonly close: () => void
}

/** Makes the session of a socket that has begun. */
export const makeLiveSession = ({ emit, onError, opening, send, settings, socket, sound }: {
  readonly socket: Pick<Socket, "terminate">
  readonly send: (event: ClientEvent) => void
  readonly settings: LiveSettings
  readonly opening: Pick<RealtimeOpening, "rate">
  readonly sound: SoundFormat
  readonly emit: (event: RealtimeEvent) => void
  /** Told the code of an error with which the session goes on. */
  readonly onError: (code: string) => void
}): LiveSession => {
  const { model, provider, serverName } = settings
  let isOver = false
  let sentMillis = 0
  let countedSeconds = 0

  const end = (failure: Extract<RealtimeEvent, { readonly _tag: "Ended" }>["failure"]): void => {
    if (isOver) return
    isOver = true
    emit({ _tag: "Ended", failure })
    socket.terminate()
  }

  /** Counts what has been used since the last report, which is of the whole session. */
  const count = (seconds: number): void => {
    const quantity = seconds - countedSeconds
    if (quantity <= 0) return
    countedSeconds = seconds
    emit({ _tag: "Used", usage: [{ service: "model", provider, model, unit: "second", quantity }] })
  }

  const take = (event: LiveServerEvent): void => {
    switch (event._tag) {
      case "CallerText": {
        const agoMillis = event.endMillis === null ? 0 : Math.max(0, Math.round(sentMillis - event.endMillis))
        return emit({ _tag: "CallerText", text: event.text, agoMillis })
      }
      case "Audio": {
        const samples = sound.decode(Buffer.from(event.base64, "base64"))
        if (samples.length > 0) emit({ _tag: "Sound", reply: 0, samples })
        return
      }
      case "Text":
        return emit({ _tag: "Text", reply: 0, text: event.text })
      case "Delegated":
        return emit({ _tag: "Delegated", id: event.id })
      case "Used":
        return count(event.seconds)
      case "Closed": {
        count(event.seconds)
        const how = event.isExpired ? "reached its longest time" : "was closed by the server"
        return end(new ModelUnavailable({ message: `A session of the ${serverName} ${how}` }))
      }
      case "Error":
        return lastingFaults.has(event.fault) ? end(faultError(serverName, event.fault).failure) : onError(event.code)
    }
  }

  const command = (askedCommand: RealtimeCommand): ReadonlyArray<ClientEvent> => {
    switch (askedCommand._tag) {
      case "Configure":
        return appendText("instructions", askedCommand.setup.instructions, null)
      case "Add":
        return askedCommand.messages.flatMap((message) => appendText("thinking", messageText(message), null))
      case "Comment":
        return appendText("commentary", askedCommand.text, askedCommand.delegation)
      default:
        return []
    }
  }

  return {
    push: (samples) => {
      if (isOver) return
      sentMillis += samples.length * 1_000 / opening.rate
      const bytes = sound.encode(samples)
      if (bytes.length > 0) {
        send({ type: "session.input_audio.append", audio: Buffer.from(bytes).toString("base64") })
      }
    },
    send: (askedCommand) => {
      if (!isOver) command(askedCommand).forEach(send)
    },
    take: (event) => {
      if (!isOver) take(event)
    },
    close: () => end(new ModelUnavailable({ message: `The connection to the ${serverName} broke off` }))
  }
}
