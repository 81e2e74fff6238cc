import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRaster, type Raster } from '../../rasters/raster.js';
import { tabulateColors } from '../../tools/color/color-lut.js';
import { measureColor } from '../../tools/color/color-measure.js';
import { colorSpaceOf } from '../../tools/color/color-space.js';
import { lookTransform } from '../../tools/color/enhance-color.js';
import { LOOKS, type LookName } from '../../tools/color/looks.js';
import type { Frame } from '../frames/frame.js';
import { toRaster } from '../frames/rgb.js';
import { isSceneCut } from './scene-cuts.js';

/** Frames of a scene that its light is measured on. */
const SAMPLES = 6;
/** Scenes with a table of their own; later cuts continue the last one. */
const MAX_SCENES = 60;

interface Scene {
  /** Number and seconds of its first frame. */
  readonly start: number;
  readonly time: number;
  readonly samples: Raster[];
}

/** Splits a video into scenes and keeps a few small frames of each. */
export class SceneSampler {
  private readonly scenes: Scene[] = [];
  private previous: Frame | null = null;
  private frames = 0;

  constructor(private readonly is709: boolean) {}

  add(frame: Frame): void {
    const isCut = this.previous !== null && isSceneCut(this.previous, frame);
    this.previous = frame;
    if (this.frames === 0 || (isCut && this.scenes.length < MAX_SCENES)) {
      this.scenes.push({ start: this.frames, time: frame.time, samples: [] });
    }
    const scene = this.scenes.at(-1);
    // At 0, 1, 2, 4, 8, 16, ... frames, so that a long scene is not judged by its first second.
    const age = this.frames++ - (scene?.start ?? 0);
    if (!scene || (age & (age - 1)) !== 0) return;
    scene.samples.push(toRaster(frame, this.is709));
    if (scene.samples.length > SAMPLES) scene.samples.shift();
  }

  /**
   * Writes a table for each scene. @returns filters that apply each to its scene's frames: within a scene all frames
   * get the same colors, so that nothing flickers
   */
  async writeTables(folder: string, model: LookName, strength: number): Promise<string[]> {
    const filters: string[] = [];
    for (const [index, { time, samples }] of this.scenes.entries()) {
      const name = `look-${index}.cube`;
      const next = this.scenes[index + 1];
      await writeFile(join(folder, name), await tableOf(samples, model, strength));
      // Keyed by time, which is the same for a single frame from the middle of the video.
      const bounds = [
        ...(index === 0 ? [] : [`gte(t,${boundary(time)})`]),
        ...(next ? [`lt(t,${boundary(next.time)})`] : []),
      ];
      filters.push(`lut3d=file=${name}${bounds.length > 0 ? `:enable='${bounds.join('*')}'` : ''}`);
    }
    const matrix = this.is709 ? 'bt709' : 'bt601';
    return [
      `scale=in_color_matrix=${matrix}:in_range=tv:out_range=pc`,
      'format=gbrp',
      ...filters,
      `scale=out_color_matrix=${matrix}:out_range=tv`,
      'format=yuv420p',
    ];
  }
}

/** Slightly before the first frame: programs round times differently. */
const boundary = (seconds: number): string => (seconds - 0.001).toFixed(6);

/** All samples side by side count as one picture. */
async function tableOf(samples: readonly Raster[], model: LookName, strength: number): Promise<string> {
  const [first] = samples;
  const { width, height } = first ?? { width: 1, height: 1 };
  const all = createRaster(width, height * samples.length);
  for (const [index, { data }] of samples.entries()) all.data.set(data, index * width * height * 3);
  const space = colorSpaceOf(null);
  const transform = lookTransform(space, await measureColor(all, space), LOOKS[model], strength);
  const { size, values } = tabulateColors(transform);
  const lines = [`LUT_3D_SIZE ${size}`];
  // The file has red fastest, the table slowest.
  for (let blue = 0; blue < size; blue++) {
    for (let green = 0; green < size; green++) {
      for (let red = 0; red < size; red++) {
        const at = ((red * size + green) * size + blue) * 3;
        lines.push([...values.subarray(at, at + 3)].map((value) => clamped(value).toFixed(5)).join(' '));
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

const clamped = (value: number): number => Math.max(0, Math.min(1, value));
