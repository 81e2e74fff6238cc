export {
  type BatchItem,
  type BatchOptions,
  Clearframe,
  type ClearframeOptions,
  type EnhanceOptions,
  type UploadTokenOptions,
  type UsageOptions,
  type VideoOptions,
} from './clearframe.ts';
export { ClearframeError } from './errors.ts';
export type { Input } from './inputs.ts';
export type { Tools } from './pipeline.ts';
export type { Result, SaveOptions } from './result.ts';
export type {
  Analysis,
  Pipeline,
  Schemas,
  Task,
  TaskStatus,
  UsageRow,
  User,
  VideoPipeline,
  VideoTask,
} from './schemas.ts';
export type { ListOptions, Progress, ReprocessOptions, WaitOptions } from './tasks.ts';
export type { Destinations, Format, PictureOptions } from './uploads.ts';
export { type VerifyOptions, type WebhookEvent, webhooks } from './webhooks.ts';
