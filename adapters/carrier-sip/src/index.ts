export * as CarrierSip from "./CarrierSip.js"
export type { CarrierSipOptions, LinesUnusable, SipCarrier } from "./CarrierSip.js"
export {
  Media,
  type MediaDescription,
  type MediaDirection,
  type MediaEvent,
  type MediaGauges,
  type MediaOpenOptions,
  type MediaOptions,
  type MediaSession,
  type MediaStatistics,
  MediaUnavailable
} from "./media/Media.js"
export { ConnectionOptions } from "./settings/ConnectionOptions.js"
export { type ConnectionSettings, connectionSettings, type Environment } from "./settings/ConnectionSettings.js"
export { layerMedia } from "./SipMedia.js"
export type { NameServer, SrvRecord } from "./transport/Resolver.js"
