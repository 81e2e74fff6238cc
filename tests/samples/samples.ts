/**
 * `pnpm samples`: makes the pictures in web/public/samples, their record and the link preview. Each is a crop of a known
 * picture, degraded, and what the product makes of it with its default tools. `pnpm samples icons` makes the icons,
 * `pnpm samples offers` the clips of the tools and the pictures of the offers, `pnpm samples guide` those of the API's
 * guide. Origin and license: web/public/samples/LICENCE.md.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { ApiClient } from '../support/api-client.ts';
import { subscribe } from '../support/payments/purchases.ts';
import { startProduct } from '../support/product/product.ts';
import { makeGuidePictures } from './guide-pictures.ts';
import { makeOfferPictures } from './offer-pictures.ts';
import { makeProductResults } from './product-results.ts';
import { digestOf, type SampleRecord, writeRecords } from './records.ts';
import { degrade, enhance, FOLDER, RESULT_QUALITY, SAMPLES } from './sample-pictures.ts';
import { makeToolClips } from './tool-clips.ts';

const PUBLIC = fileURLToPath(new URL('../../web/public/', import.meta.url));
const THUMBNAIL = 160;
/** Parts that can be made alone. */
const ONLY: readonly string[] = ['icons', 'offers', 'guide'];

async function publish(picture: Buffer, name: string, quality: { avif: number; jpeg: number }): Promise<void> {
  await sharp(picture).avif({ quality: quality.avif, effort: 6 }).toFile(`${FOLDER}${name}.avif`);
  await sharp(picture).jpeg({ quality: quality.jpeg, mozjpeg: true }).toFile(`${FOLDER}${name}.jpg`);
}

/** 1200 × 630 pixels: before and after, for links in other applications. */
async function makeLinkPreview(before: Buffer, after: Buffer): Promise<void> {
  const [width, height] = [1200, 630];
  const half = width / 2;
  const portrait = (picture: Buffer) => sharp(picture).resize(half, height, { position: 'top' }).toBuffer();
  const handle = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="${height}"><path d="M46 0h4v${height}h-4z" fill="#fff"/><circle cx="48" cy="${height / 2}" r="36" fill="#fff"/><path d="m36 ${height / 2 - 10}-10 10 10 10m24-20 10 10-10 10" fill="none" stroke="#16181d" stroke-width="5" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  );
  await sharp({ create: { width, height, channels: 3, background: '#000' } })
    .composite([
      { input: await portrait(before), left: 0, top: 0 },
      { input: await portrait(after), left: half, top: 0 },
      { input: handle, left: half - 48, top: 0 },
    ])
    .jpeg({ quality: 84, mozjpeg: true })
    .toFile(`${PUBLIC}link-preview.jpg`);
}

async function makeIcons(): Promise<void> {
  const logo = await readFile(`${PUBLIC}favicon.svg`);
  for (const [name, side] of [
    ['touch-icon', 180],
    ['icon-192', 192],
    ['icon-512', 512],
  ] as const) {
    const mark = Math.round(side * 0.56);
    await sharp({ create: { width: side, height: side, channels: 3, background: '#0c0e14' } })
      .composite([
        {
          input: await sharp(logo, { density: 72 * (mark / 24) })
            .resize(mark, mark)
            .png()
            .toBuffer(),
        },
      ])
      .png({ palette: true })
      .toFile(`${PUBLIC}${name}.png`);
  }
}

const product = process.env.PRODUCT_URL ? null : await startProduct();
try {
  const origin = product?.url ?? process.env.PRODUCT_URL ?? '';
  const account = await ApiClient.logIn(origin, 'samples@example.com');
  await subscribe(account, 'business');
  const only = process.argv.find((argument) => ONLY.includes(argument));
  const records: SampleRecord[] = [];
  for (const sample of only ? [] : SAMPLES) {
    const before = await degrade(sample);
    const { picture: after, recipe } = await enhance(account, before);
    await publish(before, sample.name, { avif: 48, jpeg: 80 });
    await publish(after, `${sample.name}-after`, RESULT_QUALITY);
    await sharp(after)
      .resize(THUMBNAIL, THUMBNAIL, { position: 'top' })
      .jpeg({ quality: 78, mozjpeg: true })
      .toFile(`${FOLDER}${sample.name}-small.jpg`);
    if (sample.name === 'astronaut') await makeLinkPreview(before, after);
    const models = recipe.models.map(({ id, version }) => ({ id, version }));
    records.push({ sample: sample.name, recipe: recipe.version, models, sha256: await digestOf(sample.name) });
  }
  if (records.length > 0) await writeRecords(records);
  if (!only || only === 'icons') await makeIcons();
  if (!only || only === 'guide') await makeGuidePictures(account);
  if (!only || only === 'offers') {
    const results = await makeProductResults(account);
    await makeToolClips(results);
    await makeOfferPictures(results);
  }
} finally {
  await product?.stop();
}
