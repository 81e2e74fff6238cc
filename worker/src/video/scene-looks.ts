import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRaster, type Raster } from '../rasters/raster.js';
import { measureColor } from '../tools/color/color-measure.js';
import { colorSpaceOf } from '../tools/color/color-space.js';
import { lookTransform } from '../tools/color/enhance-color.js';
import { LOOKS, type LookName } from '../tools/color/looks.js';
import type { Frame } from './frame.js';
import { toRaster } from './frame.js';
import type { SceneLook } from './look-filters.js';
import { type LookTable, tabulateLook } from './look-filters.js';
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

  /** One table for each scene, so that nothing flickers. */
  async writeTables(folder: string, model: LookName, strength: number): Promise<SceneLook[]> {
    const looks: SceneLook[] = [];
    for (const [index, { time, samples }] of this.scenes.entries()) {
      const table = `look-${index}.cube`;
      const { cube, luma } = await tableOf(samples, this.is709, model, strength);
      await writeFile(join(folder, table), cube);
      const from = index === 0 ? Number.NEGATIVE_INFINITY : time;
      looks.push({ table, luma, from, until: this.scenes[index + 1]?.time ?? Number.POSITIVE_INFINITY });
    }
    return looks;
  }
}

/** All samples side by side count as one picture. */
async function tableOf(
  samples: readonly Raster[],
  is709: boolean,
  model: LookName,
  strength: number,
): Promise<LookTable> {
  const [first] = samples;
  const { width, height } = first ?? { width: 1, height: 1 };
  const all = createRaster(width, height * samples.length);
  for (const [index, { data }] of samples.entries()) all.data.set(data, index * width * height * 3);
  const space = colorSpaceOf(null);
  const transform = lookTransform(space, await measureColor(all, space), LOOKS[model], strength);
  return tabulateLook(transform, is709);
}
