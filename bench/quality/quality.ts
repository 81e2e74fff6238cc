import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { publish } from '../support/results.ts';
import { degrade, SEVERITIES } from './degrade.ts';
import { Judge } from './judge.ts';
import { gmsd, laplacianVariance, msSsim, ssim } from './measures.ts';
import { crop, type RgbImage, readRgb } from './rgb-image.ts';
import {
  type FaceScore,
  faceTable,
  type Groups,
  groupTable,
  type Score,
  SEVERITY_NAMES,
  summaryTable,
} from './tables.ts';
import { type Case, openVariants } from './variants.ts';

const PHOTO = /\.(avif|jpe?g|png|tiff?|webp)$/i;
const SHEET_CELL = 360;

async function judgeFaces(truth: RgbImage, result: RgbImage, input: Case, judge: Judge): Promise<FaceScore[]> {
  const faces: FaceScore[] = [];
  for (const face of input.faces) {
    const [own, other] = [crop(truth, face.box), crop(result, face.box)];
    faces.push({
      realHeight: face.box.height / SEVERITIES[input.severity].factor,
      ssim: ssim(own, other),
      sharpness: laplacianVariance(other) / laplacianVariance(own),
      identity: await judge.identityDistance(face, result),
    });
  }
  return faces;
}

async function drawSheet(file: string, truth: RgbImage, results: readonly RgbImage[], { faces }: Case): Promise<void> {
  const box = faces[0]?.box ?? { x: 0, y: 0, width: truth.width, height: truth.height };
  const around = {
    x: box.x - box.width / 4,
    y: box.y - box.height / 4,
    width: box.width * 1.5,
    height: box.height * 1.5,
  };
  const cells = await Promise.all(
    [truth, ...results].map(async (image, column) => {
      const part = crop(image, around);
      const input = await sharp(part.data, { raw: { width: part.width, height: part.height, channels: 3 } })
        .resize(SHEET_CELL, SHEET_CELL, { fit: 'contain' })
        .png()
        .toBuffer();
      return { input, left: column * SHEET_CELL, top: 0 };
    }),
  );
  await sharp({ create: { width: cells.length * SHEET_CELL, height: SHEET_CELL, channels: 3, background: '#222' } })
    .composite(cells)
    .toFile(file);
}

/**
 * `pnpm bench quality --photos FOLDER [--only REGEXP] [--severities mild,heavy] [--variants REGEXP] [--sheets FOLDER]
 * [--groups FILE]`: degrades photos, restores them with every model, and compares with the truth, no processing,
 * unsharp masking and the network alone. `--groups` names a JSON file (`Groups`).
 */
export async function benchQuality(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      photos: { type: 'string' },
      only: { type: 'string', default: '' },
      severities: { type: 'string', default: SEVERITY_NAMES.join() },
      variants: { type: 'string', default: '' },
      sheets: { type: 'string' },
      groups: { type: 'string' },
    },
  });
  if (!values.photos)
    throw new Error(
      'Usage: pnpm bench quality --photos FOLDER [--only REGEXP] [--severities mild,medium,heavy] [--variants REGEXP] [--sheets FOLDER] [--groups FILE]',
    );
  const groups: Groups | null = values.groups ? JSON.parse(await readFile(values.groups, 'utf8')) : null;
  const only = new RegExp(values.only);
  const names = (await readdir(values.photos)).filter((name) => PHOTO.test(name) && only.test(name)).sort();
  if (names.length === 0) throw new Error(`No photos in ${values.photos}`);
  const severities = SEVERITY_NAMES.filter((severity) => values.severities.split(',').includes(severity));
  if (values.sheets) await mkdir(values.sheets, { recursive: true });
  const judge = await Judge.open();
  const { variants: all, close } = await openVariants();
  const chosen = new RegExp(values.variants);
  const variants = all.filter((variant) => chosen.test(variant.name));
  const scores: Score[] = [];
  try {
    for (const name of names) {
      const photo = path.parse(name).name;
      const truth = await readRgb(path.join(values.photos, name));
      const faces = await judge.facesIn(truth);
      for (const severity of severities) {
        const input = { picture: await readRgb(await degrade(truth, name, severity)), severity, faces };
        const results: RgbImage[] = [];
        for (const variant of variants) {
          const result = await variant.restore(input);
          scores.push({
            photo,
            variant: variant.name,
            severity,
            ssim: ssim(truth, result),
            msSsim: msSsim(truth, result),
            gmsd: gmsd(truth, result),
            faces: await judgeFaces(truth, result, input, judge),
          });
          results.push(result);
        }
        if (values.sheets) {
          await drawSheet(path.join(values.sheets, `${photo}-${severity}.png`), truth, results, input);
        }
        console.log(`${name} ${severity}`);
      }
    }
  } finally {
    await close();
  }
  await publish(
    'quality',
    'Restored photos against the truth',
    [
      `${names.length} photos; SSIM, MS-SSIM, face SSIM: higher is better; GMSD, identity distance: lower is better; face sharpness: share of the truth's.`,
      '',
      summaryTable(scores, variants),
      '',
      faceTable(scores, variants),
      ...(groups ? ['', groupTable(scores, variants, groups)] : []),
    ].join('\n'),
  );
}
