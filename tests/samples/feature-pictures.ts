import { fileURLToPath } from 'node:url';
import sharp, { type Region } from 'sharp';
import type { ApiClient } from '../support/api-client.ts';
import { enhance, FOLDER } from './sample-pictures.ts';

const PORTRAIT = fileURLToPath(new URL('../../worker/test/fixtures/astronaut.jpg', import.meta.url));

/** Twice the displayed size. */
const WIDTH = 112;
const HEIGHT = 80;

export interface FeatureMakers {
  /** A result with watermark. */
  readonly guest: ApiClient;
  /** An account with every tool. */
  readonly business: ApiClient;
}

/** Small pictures of the plans' features: left without, right with. Made from the samples by the product itself. */
export async function makeFeaturePictures({ guest, business }: FeatureMakers): Promise<void> {
  const read = (name: string) => sharp(`${FOLDER}${name}.jpg`).toBuffer();
  const enhanced = async (...order: Parameters<typeof enhance>) => (await enhance(...order)).picture;
  const face = { left: 220, top: 330, width: 476, height: 340 };
  // This crop shows the background.
  const astronaut = await sharp(PORTRAIT).extract({ left: 0, top: 0, width: 410, height: 512 }).toBuffer();
  const [before, portrait, coffee, cat] = await Promise.all([
    read('astronaut'),
    read('astronaut-after'),
    read('coffee-after'),
    read('chelsea-after'),
  ]);
  const halves: Readonly<Record<string, readonly [Buffer, Buffer, Region]>> = {
    face: [before, portrait, face],
    watermark: [await enhanced(guest, cat), cat, { left: 0, top: 200, width: 819, height: 585 }],
    blur: [
      astronaut,
      await enhanced(business, astronaut, { bokeh: { model: 'high' } }),
      { left: 60, top: 40, width: 700, height: 500 },
    ],
    color: [
      coffee,
      await enhanced(business, coffee, { colorEnhance: { model: 'golden' } }),
      { left: 0, top: 240, width: 819, height: 585 },
    ],
  };
  for (const [name, [without, withFeature, crop]] of Object.entries(halves)) {
    await sharp(await joined(without, withFeature, crop))
      .jpeg({ quality: 76, mozjpeg: true })
      .toFile(`${FOLDER}feature-${name}.jpg`);
  }
}

async function joined(left: Buffer, right: Buffer, crop: Region): Promise<Buffer> {
  const part = async (picture: Buffer, x: number) => {
    const cut = await sharp(await sharp(picture).resize(819, 1024, { fit: 'fill' }).toBuffer())
      .extract(crop)
      .toBuffer();
    const small = await sharp(cut).resize(WIDTH, HEIGHT).toBuffer();
    return sharp(small)
      .extract({ left: x, top: 0, width: WIDTH / 2, height: HEIGHT })
      .toBuffer();
  };
  const line = { create: { width: 2, height: HEIGHT, channels: 3, background: '#fff' } } as const;
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#000' } })
    .composite([
      { input: await part(left, 0), left: 0, top: 0 },
      { input: await part(right, WIDTH / 2), left: WIDTH / 2, top: 0 },
      { input: line, left: WIDTH / 2 - 1, top: 0 },
    ])
    .png()
    .toBuffer();
}
