import type { TurnModel } from "@trunkline/turn-taking"
import { Effect, Layer } from "effect"
import type { Fields } from "../../errors/Fields.js"
import { checkKnown, InvalidOption } from "../InvalidOption.js"
import type { ProvidedTurnModel, SmartTurnOptions } from "./TurnModelOption.js"

const smartTurnOptions: Fields<SmartTurnOptions> = { model: true }

/** Smart Turn; its package is loaded only here. */
export const smartTurnLayer = (options: SmartTurnOptions): Layer.Layer<TurnModel, Error> =>
  Layer.unwrapEffect(
    Effect.map(Effect.promise(() => import("@trunkline/onnx")), ({ SmartTurn }) => SmartTurn.layer(options))
  )

/** The layer of a model of turns. Throws `InvalidOption`. */
export const turnModelLayer = ({ options, provider }: ProvidedTurnModel): Layer.Layer<TurnModel, Error> => {
  if (provider !== "smart-turn") {
    throw new InvalidOption("turnModel", `there is no provider "${String(provider)}"; there is smart-turn`)
  }
  checkKnown(options, smartTurnOptions, "turnModel")
  if (typeof options.model !== "string" || options.model === "") {
    throw new InvalidOption("turnModel.model", "must be the path of smart-turn-v3.2-cpu.onnx")
  }
  return smartTurnLayer(options)
}
