import { AiPipeline, FaceEnhance } from '@clearframe/contract';
import { AiEngine } from '@clearframe/worker/dist/inference/engine.js';
import { modelsFolder, readManifest } from '@clearframe/worker/dist/networks/manifest.js';
import { Sessions } from '@clearframe/worker/dist/networks/sessions.js';
import { enlarge } from '@clearframe/worker/dist/networks/super-resolution.js';
import sharp from 'sharp';
import type { Severity } from './degrade.ts';
import type { JudgedFace } from './judge.ts';
import { crop, type RgbImage, readRgb } from './rgb-image.ts';

export interface Case {
  readonly picture: RgbImage;
  readonly severity: Severity;
  readonly faces: readonly JudgedFace[];
}

export interface Variant {
  readonly name: string;
  restore(input: Case): Promise<RgbImage>;
}

const rawOf = ({ width, height }: RgbImage) => ({ width, height, channels: 3 as const });

const unprocessed: Variant = { name: 'unprocessed', restore: async ({ picture }) => picture };

const unsharpMask: Variant = {
  name: 'unsharp mask',
  restore: async ({ picture }) =>
    readRgb(
      await sharp(picture.data, { raw: rawOf(picture) })
        .sharpen({ sigma: 2 })
        .png()
        .toBuffer(),
    ),
};

/** In pixels, before the network enlarges the crop four times. */
const CROP_SIDE: Readonly<Record<Severity, number>> = { mild: 256, medium: 200, heavy: 80 };
/** Side of the crop in face heights. */
const CROP_FACES = 1.6;
const TILE = { size: 256, context: 16, feather: 8 };

function networkAlone(sessions: Sessions): Variant {
  return {
    name: 'network alone',
    async restore({ picture, severity, faces }) {
      const session = await sessions.get('restore-face');
      const patches = await Promise.all(
        faces.map(async ({ box }) => {
          const side = Math.max(box.width, box.height) * CROP_FACES;
          const left = Math.max(0, Math.round(box.x + (box.width - side) / 2));
          const top = Math.max(0, Math.round(box.y + (box.height - side) / 2));
          const part = crop(picture, { x: left, y: top, width: side, height: side });
          const small = await sharp(part.data, { raw: rawOf(part) })
            .resize(CROP_SIDE[severity], CROP_SIDE[severity], { fit: 'fill', kernel: 'cubic' })
            .raw()
            .toBuffer({ resolveWithObject: true });
          const { width, height } = small.info;
          const large = await enlarge(session, { width, height, data: small.data }, { limits: TILE });
          const mask = Buffer.from(
            `<svg width="${part.width}" height="${part.height}"><defs><radialGradient id="g"><stop offset="0.8" stop-color="#fff"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient></defs><rect width="100%" height="100%" fill="url(#g)"/></svg>`,
          );
          const input = await sharp(large.data, { raw: { width: large.width, height: large.height, channels: 3 } })
            .resize(part.width, part.height, { fit: 'fill', kernel: 'lanczos3' })
            .ensureAlpha()
            .composite([{ input: mask, blend: 'dest-in' }])
            .png()
            .toBuffer();
          return { input, left, top };
        }),
      );
      return readRgb(
        await sharp(picture.data, { raw: rawOf(picture) })
          .composite(patches)
          .png()
          .toBuffer(),
      );
    },
  };
}

function product(engine: AiEngine, model: string): Variant {
  return {
    name: `face ${model}`,
    async restore({ picture: { data, width, height } }) {
      const { raster } = await engine.enhance(
        { data: new Uint8Array(data), width, height },
        AiPipeline.parse({ faceEnhance: { model }, backgroundEnhance: { model: 'base' } }),
        { signal: new AbortController().signal, onProgress: () => undefined },
      );
      return { data: Buffer.from(raster.data), width: raster.width, height: raster.height };
    },
  };
}

export async function openVariants(): Promise<{ variants: readonly Variant[]; close(): Promise<void> }> {
  const engine = new AiEngine();
  const sessions = new Sessions(await readManifest(modelsFolder()));
  const models = FaceEnhance.shape.model.options.map((model) => product(engine, model));
  return {
    variants: [unprocessed, unsharpMask, networkAlone(sessions), ...models],
    close: () => engine.close(),
  };
}
