/** Bytes in `count` MB; decimal (1 MB = 1,000,000 bytes), as in every limit of the product. */
export const megabytes = (count: number): number => count * 1_000_000;
/** 1 MP = 1,000,000 pixels. */
export const megapixels = (count: number): number => count * 1_000_000;

/** Seconds, the unit of the wire. */
export const inSeconds = {
  minutes: (count: number): number => count * 60,
  hours: (count: number): number => count * 3_600,
  days: (count: number): number => count * 86_400,
} as const;

/** Milliseconds, the unit of timers. */
export const inMilliseconds = {
  seconds: (count: number): number => count * 1_000,
  minutes: (count: number): number => count * 60_000,
  hours: (count: number): number => count * 3_600_000,
  days: (count: number): number => count * 86_400_000,
} as const;
