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
export { layerMedia } from "./SipMedia.js"
