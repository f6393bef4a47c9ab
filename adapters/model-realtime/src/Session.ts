import { ModelUnavailable } from "@trunkline/errors"
import { faultError } from "@trunkline/http-client"
import type { Socket } from "@trunkline/transcriber-websocket/sockets"
import type { RealtimeCommand, RealtimeEvent, RealtimeOpening } from "@trunkline/turn-taking"
import { addMessages, type ClientEvent, configureSession, createResponse } from "./protocol/ClientEvents.js"
import type { ServerEvent } from "./protocol/ServerEvents.js"
import type { SoundFormat } from "./protocol/SoundFormat.js"
import { answerUsage, transcriptUsage } from "./protocol/Used.js"
import type { RealtimeSettings } from "./RealtimeOptions.js"

/** One session over a socket. */
export interface SocketSession {
  readonly push: (samples: Float32Array) => void
  readonly send: (command: RealtimeCommand) => void
  /** Takes an event of the server. */
  readonly take: (event: ServerEvent) => void
  /** Takes the end of the connection. */
  readonly close: () => void
}

/** An answer, as the server makes it. */
interface Answer {
  readonly reply: number
  /** Ids of the server; null until it has told them. */
  response: string | null
  item: string | null
  millis: number
  isCancelled: boolean
  isDone: boolean
}

/** Errors that two sides who do not wait for each other make: an answer ended before it was cancelled. */
const harmless: ReadonlySet<string> = new Set(["response_cancel_not_active"])

/** Answers that are remembered, so that they can still be truncated. */
const maxAnswers = 100

/** Makes the session of a socket that has begun. */
export const makeSession = ({ emit, onError, opening, send, settings, socket, sound }: {
  readonly socket: Pick<Socket, "terminate">
  readonly send: (event: ClientEvent) => void
  readonly settings: RealtimeSettings
  readonly opening: Pick<RealtimeOpening, "rate">
  readonly sound: SoundFormat
  readonly emit: (event: RealtimeEvent) => void
  /** Told the code of an error with which the session goes on. */
  readonly onError: (code: string) => void
}): SocketSession => {
  const { serverName, turnDetection } = settings
  const answers: Array<Answer> = []
  let isOver = false
  let sentMillis = 0
  const words = new Map<string, string>()
  let sounding: Answer | null = null
  /** Requests for answers that wait until the server has ended the one before: it makes one at a time. */
  const waiting: Array<Extract<RealtimeCommand, { readonly _tag: "Respond" }>> = []

  const ofReply = (reply: number): Answer | undefined => answers.findLast((answer) => answer.reply === reply)
  const ofResponse = (response: string): Answer | undefined =>
    answers.findLast((answer) => answer.response === response)

  const end = (failure: Extract<RealtimeEvent, { readonly _tag: "Ended" }>["failure"]): void => {
    if (isOver) return
    isOver = true
    emit({ _tag: "Ended", failure })
    socket.terminate()
  }

  const onAudio = ({ base64, item, response }: Extract<ServerEvent, { readonly _tag: "Audio" }>): void => {
    const answer = ofResponse(response)
    if (answer === undefined || answer.isCancelled) return
    if (sounding !== answer) sound.reset()
    sounding = answer
    answer.item = item
    const samples = sound.decode(Buffer.from(base64, "base64"))
    answer.millis += samples.length * 1_000 / opening.rate
    if (samples.length > 0) emit({ _tag: "Sound", reply: answer.reply, samples })
  }

  const onCreated = (id: string, reply: number | null): void => {
    const answer = reply === null
      ? answers.find(({ isDone, response }) => response === null && !isDone)
      : ofReply(reply)
    if (answer === undefined) return
    answer.response = id
    if (answer.isCancelled) send({ type: "response.cancel", response_id: id })
  }

  const ask = ({ reply, words }: Extract<RealtimeCommand, { readonly _tag: "Respond" }>): void => {
    answers.push({ reply, response: null, item: null, millis: 0, isCancelled: false, isDone: false })
    if (answers.length > maxAnswers) answers.shift()
    send(createResponse(reply, words))
  }

  /** Notes that the server makes nothing any more. */
  const settle = (answer: Answer): void => {
    answer.isDone = true
    const next = waiting.shift()
    if (next !== undefined) ask(next)
  }

  const onDone = ({ fault, response, usage }: Extract<ServerEvent, { readonly _tag: "ResponseDone" }>): void => {
    if (usage !== null) emit({ _tag: "Used", usage: answerUsage(settings, usage) })
    const answer = ofResponse(response)
    if (answer === undefined) return
    const { reply } = answer
    emit(
      fault === null
        ? { _tag: "Responded", reply }
        : { _tag: "Refused", reply, failure: faultError(serverName, fault).failure }
    )
    settle(answer)
  }

  const onFailed = (
    { code, fault, isEnd, isExpired, reply }: Extract<ServerEvent, { readonly _tag: "Error" }>
  ): void => {
    if (isExpired) {
      return end(new ModelUnavailable({ message: `A session of the ${serverName} reached its longest time` }))
    }
    const { failure } = faultError(serverName, fault)
    if (isEnd) return end(failure)
    const answer = reply === null ? undefined : ofReply(reply)
    if (answer !== undefined) {
      emit({ _tag: "Refused", reply: answer.reply, failure })
      settle(answer)
    } else if (!harmless.has(code)) onError(code)
  }

  const take = (event: ServerEvent): void => {
    switch (event._tag) {
      case "SpeechStarted":
        return emit({ _tag: "VoiceBegan" })
      case "SpeechStopped": {
        const silence = turnDetection.type === "server_vad" ? turnDetection.silenceMillis : 0
        const since = event.endMillis === null ? 0 : Math.max(0, sentMillis - event.endMillis)
        return emit({ _tag: "VoiceEnded", silentMillis: Math.round(since + silence) })
      }
      case "TranscriptDelta": {
        const text = `${words.get(event.item) ?? ""}${event.text}`
        words.set(event.item, text)
        return emit({ _tag: "Words", text, isFinal: false })
      }
      case "Transcript":
        words.delete(event.item)
        if (event.usage !== null) emit({ _tag: "Used", usage: transcriptUsage(settings, event.usage) })
        return emit({ _tag: "Words", text: event.text, isFinal: true })
      case "ResponseCreated":
        return onCreated(event.id, event.reply)
      case "Audio":
        return onAudio(event)
      case "AudioTranscript": {
        const answer = ofResponse(event.response)
        if (answer !== undefined) emit({ _tag: "Text", reply: answer.reply, text: event.text })
        return
      }
      case "FunctionCall": {
        const answer = ofResponse(event.response)
        if (answer !== undefined) emit({ _tag: "ToolCall", reply: answer.reply, request: event.request })
        return
      }
      case "ResponseDone":
        return onDone(event)
      case "Error":
        return onFailed(event)
    }
  }

  /** Forgets a request that waits. Returns false for one that was sent. */
  const forget = (reply: number): boolean => {
    const index = waiting.findIndex((request) => request.reply === reply)
    if (index < 0) return false
    waiting.splice(index, 1)
    emit({ _tag: "Responded", reply })
    return true
  }

  const cancel = (answer: Answer | undefined): void => {
    if (answer === undefined || answer.isDone) return
    answer.isCancelled = true
    if (answer.response !== null) send({ type: "response.cancel", response_id: answer.response })
  }

  const truncate = (answer: Answer | undefined, heardMillis: number): void => {
    if (answer === undefined || answer.item === null) return
    // A time beyond the sound is an error of the protocol.
    const audio_end_ms = Math.floor(Math.min(heardMillis, answer.millis))
    send({ type: "conversation.item.truncate", item_id: answer.item, content_index: 0, audio_end_ms })
  }

  const command = (askedCommand: RealtimeCommand): void => {
    switch (askedCommand._tag) {
      case "Configure":
        return send(configureSession(settings, askedCommand.setup))
      case "Add":
        return addMessages(settings, askedCommand.messages).forEach(send)
      case "Respond":
        if (answers.every(({ isDone }) => isDone)) ask(askedCommand)
        else waiting.push(askedCommand)
        return
      case "Cancel":
        if (!forget(askedCommand.reply)) cancel(ofReply(askedCommand.reply))
        return
      case "Truncate":
        return truncate(ofReply(askedCommand.reply), askedCommand.heardMillis)
    }
  }

  return {
    push: (samples) => {
      if (isOver) return
      sentMillis += samples.length * 1_000 / opening.rate
      const bytes = sound.encode(samples)
      if (bytes.length > 0) {
        send({ type: "input_audio_buffer.append", audio: Buffer.from(bytes).toString("base64") })
      }
    },
    send: (askedCommand) => {
      if (!isOver) command(askedCommand)
    },
    take: (event) => {
      if (!isOver) take(event)
    },
    close: () => end(new ModelUnavailable({ message: `The connection to the ${serverName} broke off` }))
  }
}
