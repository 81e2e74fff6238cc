import { encodePng } from './src/core/png.ts';

/** Samples per pixel and side. */
const SAMPLES = 4;
const COLORS = { dark: [255, 255, 255], light: [40, 40, 44] } as const;

/** The favicon's shape in a box of 24: corners of a frame and a dot. */
function isInked(x: number, y: number): boolean {
  if (Math.hypot(x - 12, y - 12) <= 4.5) return true;
  const [fromLeft, fromTop] = [Math.min(x, 24 - x), Math.min(y, 24 - y)];
  if (fromLeft > 9.2 || fromTop > 9.2) return false;
  // A corner of radius 2 around (5, 5), 2.4 wide.
  const distance =
    fromLeft < 5 && fromTop < 5
      ? Math.abs(Math.hypot(5 - fromLeft, 5 - fromTop) - 2)
      : Math.abs(Math.min(fromLeft, fromTop) - 3);
  return distance <= 1.2;
}

/** A square PNG, transparent around the shape. */
export function drawIcon(size: number, theme: keyof typeof COLORS): Promise<Uint8Array> {
  const data = new Uint8Array(size * size * 4);
  for (let at = 0; at < size * size; at++) {
    let inked = 0;
    for (let sample = 0; sample < SAMPLES ** 2; sample++) {
      const x = (at % size) + ((sample % SAMPLES) + 0.5) / SAMPLES;
      const y = Math.floor(at / size) + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
      if (isInked((x * 24) / size, (y * 24) / size)) inked++;
    }
    data.set([...COLORS[theme], Math.round((inked * 255) / SAMPLES ** 2)], at * 4);
  }
  return encodePng({ width: size, height: size, channels: 4, data });
}
