/**
 * `node bench/contact-sheet.ts <tool> [--pictures folder] [--out file] [--cell pixels] [--close]`: a row per picture,
 * with the original and every model of a tool. `--close` crops to the largest face.
 */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  AiPipeline,
  BackgroundEnhance,
  BOKEH_PRESETS,
  ColorEnhance,
  FaceEnhance,
  FaceLifting,
  Fade,
  OUTPUT_MAX_SIDE,
  Repair,
} from '@clearframe/contract';
import { canvasOf, encodeImage } from '@clearframe/worker/dist/image/encode.js';
import { decodePicture, probeImage } from '@clearframe/worker/dist/image/formats/decode.js';
import type { Picture } from '@clearframe/worker/dist/image/picture.js';
import { AiEngine } from '@clearframe/worker/dist/inference/engine.js';
import sharp, { type OverlayOptions, type Region } from 'sharp';

const MODELS: Readonly<Record<string, readonly string[]>> = {
  face_enhance: FaceEnhance.shape.model.options,
  repair: Repair.shape.model.options,
  face_lifting: FaceLifting.shape.model.options,
  background_enhance: BackgroundEnhance.shape.model.options,
  bokeh: Object.keys(BOKEH_PRESETS),
  fade: Fade.shape.model.options,
  color_enhance: ColorEnhance.shape.model.options,
  default: ['base'],
};
const CARRIED = ['astronaut.jpg', 'chelsea.jpg', 'coffee.jpg'].map((name) =>
  fileURLToPath(new URL(`../web/public/samples/${name}`, import.meta.url)),
);
const PICTURE = /\.(avif|heic|heif|jpe?g|png|psd|tiff?|webp)$/i;
const LABEL_HEIGHT = 22;
/** In face boxes. */
const CLOSE = 2;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    pictures: { type: 'string' },
    out: { type: 'string' },
    cell: { type: 'string', default: '420' },
    close: { type: 'boolean', default: false },
  },
});
const [tool = ''] = positionals;
const models = MODELS[tool];
if (!models) {
  console.error(`Usage: node bench/contact-sheet.ts ${Object.keys(MODELS).join(' | ')}`);
  process.exit(2);
}

const engine = new AiEngine();
const signal = new AbortController().signal;

function pipelineOf(model: string): AiPipeline {
  if (tool === 'default') return AiPipeline.parse({ faceEnhance: { model }, backgroundEnhance: { model } });
  const key = tool.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return AiPipeline.parse({ [key]: { model } });
}

const enhance = (picture: Picture, pipeline: AiPipeline) => {
  if (picture.rgb instanceof Uint16Array) throw new Error('pictures are decoded to 8 bits');
  const { width, height, rgb: data } = picture;
  return engine.enhance({ width, height, data }, pipeline, { signal, onProgress: () => undefined });
};

async function regionOf(picture: Picture): Promise<Region> {
  const whole = { left: 0, top: 0, width: picture.width, height: picture.height };
  if (!values.close) return whole;
  // Strength 0 detects faces without changing them.
  const { faces } = await enhance(picture, { faceEnhance: { model: 'base', strength: 0 } });
  const box = faces[0]?.box;
  if (!box) return whole;
  const side = Math.round(Math.min(Math.max(box.width, box.height) * CLOSE, picture.width, picture.height));
  const start = (at: number, length: number, end: number) =>
    Math.max(0, Math.min(Math.round(at + (length - side) / 2), end - side));
  return {
    left: start(box.x, box.width, picture.width),
    top: start(box.y, box.height, picture.height),
    width: side,
    height: side,
  };
}

async function cellOf(picture: Picture, region: Region, label: string, cell: number): Promise<Buffer> {
  // Keeps the profile, so that every color space is converted correctly.
  const { bytes } = await encodeImage(
    canvasOf(picture),
    { contentType: 'image/png', jpegQuality: 90 },
    { ...picture.metadata, xmp: null },
  );
  const shown = await sharp(bytes).extract(region).flatten().resize({ width: cell }).toColourspace('srgb').toBuffer();
  const text = label.replace(/[&<>]/g, ' ');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${cell}" height="${LABEL_HEIGHT}"><text x="6" y="16" font-family="sans-serif" font-size="14" fill="#fff">${text}</text></svg>`;
  return await sharp(shown)
    .extend({ top: LABEL_HEIGHT, background: '#222' })
    .composite([{ input: Buffer.from(svg), left: 0, top: 0 }])
    .png()
    .toBuffer();
}

async function rowOf(file: string, names: readonly string[], cell: number): Promise<Buffer[]> {
  const picture = await decodePicture(await probeImage(file), { maxSide: OUTPUT_MAX_SIDE, keepDepth: false });
  const region = await regionOf(picture);
  const cells = [await cellOf(picture, region, `${basename(file)} ${picture.width} x ${picture.height}`, cell)];
  for (const model of names) {
    const start = performance.now();
    const { raster, faces } = await enhance(picture, pipelineOf(model));
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const found = faces.length > 0 ? `, ${faces.length} faces` : '';
    cells.push(await cellOf({ ...picture, rgb: raster.data }, region, `${tool} ${model} ${seconds} s${found}`, cell));
  }
  return cells;
}

async function filesOf(folder: string | undefined): Promise<readonly string[]> {
  if (folder === undefined) return CARRIED;
  const names = (await readdir(folder)).filter((name) => PICTURE.test(name)).sort();
  return names.map((name) => join(folder, name));
}

async function draw(names: readonly string[]): Promise<void> {
  const cell = Number(values.cell);
  const placed: OverlayOptions[] = [];
  let top = 0;
  for (const file of await filesOf(values.pictures)) {
    const cells = await rowOf(file, names, cell);
    for (const [column, input] of cells.entries()) placed.push({ input, left: column * cell, top });
    top += (await sharp(cells[0]).metadata()).height;
    console.log(file);
  }
  const size = { width: cell * (names.length + 1), height: top };
  const out = values.out ?? `contact-${tool}.png`;
  await sharp({ create: { ...size, channels: 3, background: '#222' } })
    .composite(placed)
    .toFile(out);
  console.log(`${out} ${size.width} x ${size.height}`);
}

try {
  await draw(models);
} finally {
  await engine.close();
}
