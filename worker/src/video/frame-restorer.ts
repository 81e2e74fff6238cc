import type { Session } from '../networks/sessions.js';
import { type Frame, lumaOf } from './frame.js';
import type { FrameCleaner } from './frame-by-frame.js';

/** Rows that the network gets at once: whole frames of 1080 rows would take it 340 MB. */
const BAND = 320;
/** Rows around them that it sees, at least 14 (models/train/model/network.py). */
const CONTEXT = 16;

/** Takes back what compression has done to the luma of frames; each is seen alone. */
export class FrameRestorer implements FrameCleaner {
  /** @param strength 0..1 of the change */
  constructor(
    private readonly session: Session,
    private readonly strength: number,
  ) {}

  async clean(frame: Frame): Promise<Frame> {
    const { width, height } = frame;
    const seen = lumaOf(frame);
    const data = new Uint8ClampedArray(frame.data);
    for (let top = 0; top < height; top += BAND) {
      const [from, to] = [Math.max(0, top - CONTEXT), Math.min(height, top + BAND + CONTEXT)];
      const rows = new Float32Array((to - from) * width);
      for (let at = 0, first = from * width; at < rows.length; at++) rows[at] = (seen[first + at] as number) / 255;
      const [restored] = await this.session.run(rows, [1, 1, to - from, width]);
      for (let at = top * width, end = Math.min(height, top + BAND) * width; at < end; at++) {
        const level = seen[at] as number;
        data[at] = level + this.strength * (255 * (restored[at - from * width] as number) - level);
      }
    }
    return { ...frame, data: new Uint8Array(data.buffer) };
  }
}
