import { inSeconds } from '../units.js';

/** How long something is kept, valid or waited for, in seconds; the guide names these. */
export const LIFETIMES = {
  /** Pictures and videos (decisions, section 3). */
  guestMedia: inSeconds.hours(24),
  accountMedia: inSeconds.days(30),
  /** Answers to requests with an `Idempotency-Key`. */
  idempotencyKey: inSeconds.hours(24),
  /** Signed addresses. */
  readAddress: inSeconds.hours(1),
  uploadAddress: inSeconds.minutes(15),
  resumableUpload: inSeconds.hours(24),
  /** A file at `input_url`: its host's first answer, and all of it. The largest picture at 6.7 Mbit/s, a video of 1 GB at 8. */
  remoteAnswer: 15,
  remotePicture: inSeconds.minutes(1),
  remoteVideo: inSeconds.minutes(17),
} as const;

/** Delivery of webhooks, in seconds (decisions, section 9). */
export const WEBHOOK_TIMES = {
  answer: 15,
  /** Waits after failed attempts; the last one is a day after the first. */
  retries: [
    5,
    inSeconds.minutes(1),
    inSeconds.minutes(5),
    inSeconds.minutes(30),
    inSeconds.hours(2),
    inSeconds.hours(6),
    inSeconds.hours(15),
  ],
  /** Messages are also signed with a replaced secret. */
  replacedSecret: inSeconds.days(1),
  /** An endpoint that has failed for so long is disabled. */
  failing: inSeconds.days(5),
} as const;
