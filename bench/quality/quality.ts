import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { publish, table } from '../support/results.ts';
import { degrade, SEVERITIES, type Severity } from './degrade.ts';
import { Judge } from './judge.ts';
import { gmsd, laplacianVariance, msSsim, ssim } from './measures.ts';
import { crop, type RgbImage, readRgb } from './rgb-image.ts';
import { type Case, openVariants, type Variant } from './variants.ts';

const PHOTO = /\.(avif|jpe?g|png|tiff?|webp)$/i;
const SEVERITY_NAMES = Object.keys(SEVERITIES) as Severity[];
/**
 * By face height in pixels after downsampling. The first class overlaps the next two: it is also reported separately.
 */
const FACE_SIZES = [
  { label: 'under 24', lower: 0, upper: 24 },
  { label: 'under 16', lower: 0, upper: 16 },
  { label: '16–32', lower: 16, upper: 32 },
  { label: '32–64', lower: 32, upper: 64 },
  { label: '64–128', lower: 64, upper: 128 },
  { label: 'above', lower: 128, upper: Number.POSITIVE_INFINITY },
] as const;
const SHEET_CELL = 360;

interface FaceScore {
  readonly realHeight: number;
  readonly ssim: number;
  /** Share of the truth's sharpness (variance of the Laplacian). */
  readonly sharpness: number;
  readonly identity: number | null;
}

interface Score {
  readonly variant: string;
  readonly severity: Severity;
  readonly ssim: number;
  readonly msSsim: number;
  readonly gmsd: number;
  readonly faces: readonly FaceScore[];
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const shown = (values: readonly number[], digits = 3): string =>
  values.length === 0 ? '–' : mean(values).toFixed(digits);

async function scoreOf(truth: RgbImage, result: RgbImage, variant: Variant, input: Case, judge: Judge): Promise<Score> {
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
  return {
    variant: variant.name,
    severity: input.severity,
    ssim: ssim(truth, result),
    msSsim: msSsim(truth, result),
    gmsd: gmsd(truth, result),
    faces,
  };
}

function wholeTable(scores: readonly Score[], variants: readonly Variant[]): string {
  const head = ['severity', 'variant', 'SSIM', 'MS-SSIM', 'GMSD', 'face SSIM', 'face sharpness', 'identity distance'];
  const rows = SEVERITY_NAMES.flatMap((severity) =>
    variants.map(({ name }) => {
      const own = scores.filter((score) => score.severity === severity && score.variant === name);
      const faces = own.flatMap((score) => score.faces);
      return [
        severity,
        name,
        shown(
          own.map((score) => score.ssim),
          4,
        ),
        shown(
          own.map((score) => score.msSsim),
          4,
        ),
        shown(
          own.map((score) => score.gmsd),
          4,
        ),
        shown(faces.map((face) => face.ssim)),
        shown(faces.map((face) => face.sharpness)),
        shown(faces.flatMap(({ identity }) => identity ?? [])),
      ];
    }),
  );
  return table([head, ...rows.filter(([, , value]) => value !== '–')]);
}

function faceTable(scores: readonly Score[], variants: readonly Variant[]): string {
  const rows = FACE_SIZES.flatMap(({ label, lower, upper }) =>
    variants.map(({ name }) => {
      const faces = scores
        .filter((score) => score.variant === name)
        .flatMap((score) => score.faces)
        .filter(({ realHeight }) => realHeight >= lower && realHeight < upper);
      return [
        label,
        name,
        faces.length,
        shown(faces.map((face) => face.ssim)),
        shown(faces.map((face) => face.sharpness)),
        shown(faces.flatMap(({ identity }) => identity ?? [])),
      ];
    }),
  );
  return table([
    ['real face height, px', 'variant', 'faces', 'face SSIM', 'face sharpness', 'identity distance'],
    ...rows.filter(([, , count]) => count !== 0),
  ]);
}

/** The largest face or whole photo, truth and results side by side. */
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
 * `pnpm bench quality --photos FOLDER [--only REGEXP] [--severities mild,heavy] [--variants REGEXP] [--sheets FOLDER]`:
 * degrades photos, restores them with every model, and compares with the truth, next to no processing, unsharp masking
 * and the network alone.
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
    },
  });
  if (!values.photos)
    throw new Error(
      'Usage: pnpm bench quality --photos FOLDER [--only REGEXP] [--severities mild,medium,heavy] [--variants REGEXP] [--sheets FOLDER]',
    );
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
      const truth = await readRgb(path.join(values.photos, name));
      const faces = await judge.facesIn(truth);
      for (const severity of severities) {
        const input = { picture: await readRgb(await degrade(truth, name, severity)), severity, faces };
        const results: RgbImage[] = [];
        for (const variant of variants) {
          const result = await variant.restore(input);
          scores.push(await scoreOf(truth, result, variant, input, judge));
          results.push(result);
        }
        if (values.sheets) {
          await drawSheet(path.join(values.sheets, `${path.parse(name).name}-${severity}.png`), truth, results, input);
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
      wholeTable(scores, variants),
      '',
      faceTable(scores, variants),
    ].join('\n'),
  );
}
