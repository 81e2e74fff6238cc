import type { VideoUpdate } from './files.js';

/**
 * The preview's place in the video, and milliseconds before it is made at the earliest. With fewer seconds left, the
 * result would replace it before the page, which asks every 2 s, has shown it.
 */
const PREVIEW = { part: 0.1, afterMs: 2000, secondsLeft: 4 } as const;

interface Progress {
  readonly fraction: number;
  /** Expected until the end. */
  readonly seconds: number;
  readonly frame: number;
}

/** Makes one pair of preview pictures beside a running video, or none. */
export class Previews {
  private making: Promise<void> | null = null;

  constructor(
    private readonly onUpdate: (update: VideoUpdate) => void,
    private readonly started = performance.now(),
  ) {}

  offer({ fraction, seconds, frame }: Progress, write: () => Promise<void>, now = performance.now()): void {
    if (this.making || fraction < PREVIEW.part || seconds < PREVIEW.secondsLeft) return;
    if (now - this.started < PREVIEW.afterMs) return;
    this.making = write().then(
      () => this.onUpdate({ type: 'preview', frame }),
      () => undefined,
    );
  }

  async settled(): Promise<void> {
    await this.making;
  }
}
