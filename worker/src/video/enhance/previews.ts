import type { VideoUpdate } from './files.js';

/** The preview's place in the video, and milliseconds before it is made at the earliest. */
const PREVIEW = { part: 0.1, afterMs: 2000 } as const;

/** Makes one pair of preview pictures beside a running video; a pair that can't be made is left out. */
export class Previews {
  private readonly started = performance.now();
  private making: Promise<void> | null = null;

  constructor(private readonly onUpdate: (update: VideoUpdate) => void) {}

  offer(part: number, frame: number, write: () => Promise<void>): void {
    if (this.making || part < PREVIEW.part || performance.now() - this.started < PREVIEW.afterMs) return;
    this.making = write().then(
      () => this.onUpdate({ type: 'preview', frame }),
      () => undefined,
    );
  }

  async settled(): Promise<void> {
    await this.making;
  }
}
