import { Either } from "effect"
import { carriesSound } from "../assembly/HostedProviders.js"
import { lineCheckOf } from "../assembly/LineSettings.js"
import { InvalidOption } from "./InvalidOption.js"
import type { Line } from "./LineOptions.js"
import { languageProblems } from "./speech/LanguageCodes.js"
import { languagesOfTranscriber } from "./speech/TranscriberLayer.js"
import { languagesOfVoices } from "./speech/VoiceLayer.js"
import type { TrunklineOptions } from "./TrunklineOptions.js"

/** Fails at lines with wrong options, or whose secrets are not in the environment. */
export const checkLines = async (lines: ReadonlyArray<Line>): Promise<void> => {
  for (const [index, { options = {}, provider }] of lines.entries()) {
    const check = await lineCheckOf(provider)
    if (check === undefined) continue
    const settings = check({ options }, process.env)
    if (Either.isRight(settings)) continue
    const [path = "options", ...reason] = settings.left.map((problem) => `lines.${index}.${problem}`).join("\n  ")
      .split(": ")
    throw new InvalidOption(path, reason.join(": "))
  }
}

/** Fails at languages of agents that voices or the transcriber do not support, where a line carries sound. */
export const checkLanguages = ({ agents = [], lines = [], transcriber, voices }: TrunklineOptions): void => {
  if (!lines.some(({ provider }) => carriesSound(provider))) return
  const [problem] = languageProblems(agents, {
    voiceLanguages: voices === undefined ? null : languagesOfVoices(voices),
    transcriberLanguages: transcriber === undefined ? null : languagesOfTranscriber(transcriber)
  })
  if (problem !== undefined) throw new InvalidOption(problem.path, problem.message)
}
