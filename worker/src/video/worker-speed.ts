import { withTimeout } from '@clearframe/runtime/concurrency';
import type { MeasuredSpeed } from './speed.js';

/** Two cores of an EPYC (`bench video`). */
const ASSUMED: MeasuredSpeed = { perMegapixel: 0.04, perFace: 0.05 };
/** Measuring takes two seconds on quiet cores, and a minute where other work takes them all. */
const WAIT_MS = 4000;

/** The speed of this worker: measured once, at the first need. */
export class WorkerSpeed {
  private measuring: Promise<MeasuredSpeed> | null = null;

  constructor(private readonly measure: () => Promise<MeasuredSpeed>) {}

  /** Begins to measure; a failed measurement is repeated at the next call. */
  start(): Promise<MeasuredSpeed> {
    this.measuring ??= this.measure().catch((error) => {
      this.measuring = null;
      throw error;
    });
    this.measuring.catch(() => undefined);
    return this.measuring;
  }

  /** The assumed speed while measuring takes longer than a request can wait. */
  known(): Promise<MeasuredSpeed> {
    return withTimeout(this.start(), WAIT_MS, () => ASSUMED);
  }
}
