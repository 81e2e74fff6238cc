/** Counted at the average rate: the same time is the same frame of both videos. */
export interface Timeline {
  /** In seconds. */
  readonly duration: number;
  /** Frames a second. */
  readonly frameRate: number;
}

/** The number of the frame shown at a time, from 0. */
export function frameAt(time: number, { duration, frameRate }: Timeline): number {
  const last = Math.max(0, Math.round(duration * frameRate) - 1);
  // A millionth: times are rounded to microseconds.
  return Math.min(last, Math.max(0, Math.floor(time * frameRate + 1e-4)));
}

/** The middle of a frame: two decoders that round differently show the same one. */
export const timeOfFrame = (frame: number, timeline: Timeline): number => {
  const { duration, frameRate } = timeline;
  const last = Math.max(0, Math.round(duration * frameRate) - 1);
  return (Math.min(last, Math.max(0, frame)) + 0.5) / frameRate;
};

type Correction = { readonly kind: 'seek' } | { readonly kind: 'rate'; readonly rate: number };

/** Drift in seconds from which a seek is faster than another rate. */
const SEEK_DRIFT = 0.25;
/** Largest change of the rate, and the time in seconds in which a drift is corrected. */
const MAX_RATE_CHANGE = 0.15;
const CATCH_UP_SECONDS = 0.4;

/**
 * How the follower of two playing videos gets back in step.
 * @param drift of the follower in seconds; positive when it is ahead
 */
export function correctionOf(drift: number, frameRate: number): Correction {
  if (Math.abs(drift) > SEEK_DRIFT) return { kind: 'seek' };
  if (Math.abs(drift) < 0.25 / frameRate) return { kind: 'rate', rate: 1 };
  const change = Math.min(MAX_RATE_CHANGE, Math.max(-MAX_RATE_CHANGE, drift / CATCH_UP_SECONDS));
  return { kind: 'rate', rate: 1 - change };
}

/** 75.4 is '1:15'. */
export function formatTimecode(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
