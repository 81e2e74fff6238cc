import { fileURLToPath } from 'node:url';
import type { AiPipeline } from '@clearframe/contract';
import sharp, { type Region } from 'sharp';
import type { ApiClient } from '../support/api-client.ts';
import { enhance, FOLDER, yellowed } from './sample-pictures.ts';

const PORTRAIT = fileURLToPath(new URL('../../worker/test/fixtures/astronaut.jpg', import.meta.url));

/** Twice the displayed size; the guide names both. */
const WIDTH = 1440;
const HEIGHT = 640;
const GAP = 8;

interface Shown {
  readonly before: Buffer;
  readonly pipeline: AiPipeline;
  /** What both halves show, in fractions of the picture. */
  readonly crop: Region;
}

/** `guide-TOOL.avif`: a picture of each tool of the pipeline, before and after, made by the product from the samples. */
export async function makeGuidePictures(account: ApiClient): Promise<void> {
  for (const [tool, { before, pipeline, crop }] of Object.entries(await shownTools())) {
    const { picture: after } = await enhance(account, before, pipeline);
    await sharp(await sideBySide(before, after, crop))
      .avif({ quality: 52, effort: 6 })
      .toFile(`${FOLDER}guide-${tool}.avif`);
  }
}

async function shownTools(): Promise<Readonly<Record<string, Shown>>> {
  const sample = (name: string) => sharp(`${FOLDER}${name}.jpg`).toBuffer();
  const portrait = await sharp(PORTRAIT).toBuffer();
  const head = await sharp(PORTRAIT)
    .extract({ left: 150, top: 20, width: 160, height: 142 })
    .jpeg({ quality: 92 })
    .toBuffer();
  return {
    face_enhance: {
      before: await sample('astronaut'),
      pipeline: { faceEnhance: { model: 'v2' } },
      crop: { left: 0.2, top: 0.3, width: 0.68, height: 0.48 },
    },
    face_lifting: {
      before: await sample('astronaut-after'),
      pipeline: { faceLifting: { model: 'glam' } },
      crop: { left: 0.2, top: 0.3, width: 0.68, height: 0.48 },
    },
    background_enhance: {
      before: await sample('coffee'),
      pipeline: { backgroundEnhance: { model: 'base' } },
      crop: { left: 0.1, top: 0.3, width: 0.8, height: 0.57 },
    },
    bokeh: {
      before: portrait,
      pipeline: { bokeh: { model: 'high' } },
      crop: { left: 0, top: 0, width: 1, height: 0.89 },
    },
    fade: {
      before: await yellowed(portrait),
      pipeline: { fade: { model: 'base' } },
      crop: { left: 0, top: 0, width: 1, height: 0.89 },
    },
    color_enhance: {
      before: await sample('coffee-after'),
      pipeline: { colorEnhance: { model: 'golden' } },
      crop: { left: 0, top: 0.2, width: 1, height: 0.71 },
    },
    upscale: {
      before: head,
      pipeline: { faceEnhance: { model: 'base' }, backgroundEnhance: { model: 'base' }, upscale: { factor: 4 } },
      crop: { left: 0, top: 0, width: 1, height: 1 },
    },
  };
}

async function sideBySide(before: Buffer, after: Buffer, crop: Region): Promise<Buffer> {
  const half = (WIDTH - GAP) / 2;
  const part = async (picture: Buffer) => {
    const { width = 0, height = 0 } = await sharp(picture).metadata();
    const cut = sharp(picture).extract({
      left: Math.round(crop.left * width),
      top: Math.round(crop.top * height),
      width: Math.round(crop.width * width),
      height: Math.round(crop.height * height),
    });
    return cut.resize(half, HEIGHT, { fit: 'cover', kernel: 'cubic' }).toBuffer();
  };
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .composite([
      { input: await part(before), left: 0, top: 0 },
      { input: await part(after), left: half + GAP, top: 0 },
    ])
    .png()
    .toBuffer();
}
