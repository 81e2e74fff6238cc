import sharp, { type Sharp } from 'sharp';
import { bytesAt, heap, kernels, reserve, withKernels } from '../rasters/kernels.js';

/** Relative to the picture's mean side: the mark looks the same at every size. */
const TILE_SHARE = 0.28;
const SMALLEST_TILE = 48;

/**
 * Corners of a frame around a four-pointed spark, centered on the origin, about 1 wide. Paths only: minimal machines
 * have no fonts.
 */
const MARK = [
  'M-.5 -.22V-.38Q-.5 -.5 -.38 -.5H-.22',
  'M.22 -.5H.38Q.5 -.5 .5 -.38V-.22',
  'M.5 .22V.38Q.5 .5 .38 .5H.22',
  'M-.22 .5H-.38Q-.5 .5 -.5 .38V.22',
  'M0 -.3Q.04 -.04 .3 0Q.04 .04 0 .3Q-.04 .04 -.3 0Q-.04 -.04 0 -.3Z',
].join('');

/** Drawn twice, dark and wide below light, to be visible on any background. */
const STROKES = [
  { color: '#000', opacity: 0.22, extra: 0.45 },
  { color: '#fff', opacity: 0.45, extra: 0 },
];

/** Of the marks in a tile, in its sides: the middle and the corners. */
const PLACES = [
  [0.5, 0.5],
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
] as const;

/** A seamless tile, drawn some lines at a time: that of 100 megapixels takes 31 MB. */
export interface WatermarkTile {
  readonly width: number;
  readonly height: number;
  /** Straight RGBA of `count` lines from `first` on. */
  readonly lines: (first: number, count: number) => Sharp;
}

/**
 * Translucent marks in a diagonal lattice, which can't be cropped away and leaves the picture recognizable. No larger than the
 * picture.
 */
export function watermarkTile(width: number, height: number): WatermarkTile {
  const side = Math.max(SMALLEST_TILE, Math.round(Math.sqrt(width * height) * TILE_SHARE));
  const mark = side * 0.17;
  const line = Math.max(1, side * 0.007);
  const layers = STROKES.map(({ color, opacity, extra }) => {
    const thickness = line * (1 + extra);
    const path = (d: string, width: number, more = '') => `<path d="${d}" stroke-width="${width}"${more}/>`;
    const marks = PLACES.map(([x, y]) =>
      path(MARK, (thickness * 2) / mark, ` transform="translate(${x * side} ${y * side}) scale(${mark})"`),
    );
    const lines = connectors(side, mark).map((d) => path(d, thickness));
    const style = `fill="none" stroke="${color}" stroke-linejoin="round" stroke-linecap="round"`;
    // Group opacity, so that crossing lines do not add up.
    return `<g opacity="${opacity}" ${style}>${[...marks, ...lines].join('')}</g>`;
  });
  const tile = { width: Math.min(side, width), height: Math.min(side, height) };
  const lines = (first: number, count: number): Sharp => {
    const size = `width="${tile.width}" height="${count}" viewBox="0 ${first} ${tile.width} ${count}"`;
    return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${layers.join('')}</svg>`)).ensureAlpha();
  };
  return { ...tile, lines };
}

/** In fractions of the picture, 0..1. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Largest share of the picture without watermark: a face that fills the picture keeps some of it. */
const MAX_CLEAR_SHARE = 0.4;
/** Part of an ellipse's radius at which it starts to fade. */
const FADE_FROM = '80%';

/** An ellipse, fading at its rim, as an SVG at a place in whole pixels. */
export interface ClearEllipse {
  readonly mask: Buffer;
  readonly at: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

/** @param clear regions without watermark */
export function clearEllipses(width: number, height: number, clear: readonly Region[]): ClearEllipse[] {
  const share = clear.reduce((sum, region) => sum + (Math.PI / 4) * region.width * region.height, 0);
  const scale = Math.min(1, Math.sqrt(MAX_CLEAR_SHARE / share));
  return clear.flatMap((region) => {
    const [rx, ry] = [(region.width / 2) * width * scale, (region.height / 2) * height * scale];
    const [x, y] = [(region.x + region.width / 2) * width, (region.y + region.height / 2) * height];
    const [left, top] = [Math.max(0, Math.floor(x - rx)), Math.max(0, Math.floor(y - ry))];
    const [right, bottom] = [Math.min(width, Math.ceil(x + rx)), Math.min(height, Math.ceil(y + ry))];
    const at = { left, top, width: right - left, height: bottom - top };
    if (at.width < 1 || at.height < 1) return [];
    const fade = `<radialGradient id="fade"><stop offset="${FADE_FROM}"/><stop offset="1" stop-opacity="0"/></radialGradient>`;
    const ellipse = `<ellipse cx="${x - left}" cy="${y - top}" rx="${rx}" ry="${ry}" fill="url(#fade)"/>`;
    const size = `width="${at.width}" height="${at.height}"`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><defs>${fade}</defs>${ellipse}</svg>`;
    return [{ mask: Buffer.from(svg), at }];
  });
}

function connectors(side: number, mark: number): string[] {
  const from = mark * 0.95;
  const gap = from * Math.SQRT1_2;
  const middle = side / 2;
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([dx = 0, dy = 0]) => {
    const corner = [middle + dx * middle, middle + dy * middle] as const;
    return `M${middle + dx * gap} ${middle + dy * gap}L${corner[0] - dx * gap} ${corner[1] - dy * gap}`;
  });
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Opaque RGB of 8 bits. */
interface Pixels extends Size {
  readonly rgb: Uint8Array;
}

const CHANNELS = 3;

/**
 * A copy with the tile repeated from the picture's center, and without it in the ellipses. libvips takes 250 ms of a
 * processor for 12 megapixels, this 30.
 */
export async function markPixels(
  { width, height, rgb }: Pixels,
  tile: WatermarkTile,
  clear: readonly ClearEllipse[],
): Promise<Uint8Array> {
  const marked = Uint8Array.from(rgb);
  await rowMarker(tile, { width, height })(marked, 0);
  for (const ellipse of clear) await uncover(marked, { width, height, rgb }, ellipse);
  return marked;
}

/** Of a tile, drawn and held at a time: 3 MB of that of 100 megapixels. */
const BAND_LINES = 256;

/**
 * Covers opaque rows of 8 bits, which begin at a row of the picture, with the tile.
 * @param size of the picture
 */
export function rowMarker(tile: WatermarkTile, size: Size): (rows: Uint8Array, first: number) => Promise<void> {
  const [left, top] = [offsetOf(size.width, tile.width), offsetOf(size.height, tile.height)];
  const stride = size.width * CHANNELS;
  let drawn = { first: 0, end: 0, pixels: Buffer.alloc(0) };
  return async (rows, first) => {
    // Lines after which the tile repeats.
    const count = Math.min(rows.length / stride, tile.height);
    for (let done = 0; done < count; ) {
      const line = (first + done + top) % tile.height;
      if (line < drawn.first || line >= drawn.end) {
        const end = Math.min(tile.height, line + BAND_LINES);
        const pixels = await tile
          .lines(line, end - line)
          .raw()
          .toBuffer();
        drawn = { first: line, end, pixels };
      }
      const lineBytes = tile.width * 4;
      const lines = drawn.pixels.subarray((line - drawn.first) * lineBytes).subarray(0, (count - done) * lineBytes);
      withKernels(() => {
        const [colors, opacities, pixels] = [reserve(stride), reserve(stride), reserve(stride)];
        for (let from = 0; from < lines.length; from += lineBytes, done++) {
          repeat(lines.subarray(from, from + lineBytes), left, bytesAt(colors, stride), bytesAt(opacities, stride));
          for (let at = done * stride; at < rows.length; at += tile.height * stride) {
            heap.bytes.set(rows.subarray(at, at + stride), pixels);
            kernels.coverBytes(pixels, colors, opacities, stride);
            rows.set(bytesAt(pixels, stride), at);
          }
        }
      });
    }
  };
}

/** Place of the picture's first pixel in the tile: an odd number of tiles is centered. */
function offsetOf(length: number, tile: number): number {
  const count = Math.ceil(length / tile) | 1;
  return Math.floor((count * tile - length + 1) / 2) % tile;
}

/** The tile's row from a pixel on, as colors and as the opacity of each sample. */
function repeat(row: Uint8Array, left: number, colors: Uint8Array, opacities: Uint8Array): void {
  const once = Math.min(colors.length, (row.length / 4) * CHANNELS);
  for (let to = 0, from = 4 * left; to < once; to += CHANNELS) {
    for (let channel = 0; channel < CHANNELS; channel++) {
      colors[to + channel] = row[from + channel] as number;
      opacities[to + channel] = row[from + CHANNELS] as number;
    }
    from += 4;
    if (from === row.length) from = 0;
  }
  for (let to = once; to < colors.length; to *= 2) {
    colors.copyWithin(to, 0, to);
    opacities.copyWithin(to, 0, to);
  }
}

async function uncover(marked: Uint8Array, { width, rgb }: Pixels, { mask, at }: ClearEllipse): Promise<void> {
  const opacity = await sharp(mask).ensureAlpha().extractChannel('alpha').raw().toBuffer();
  const stride = at.width * CHANNELS;
  withKernels(() => {
    const [own, colors, opacities] = [reserve(stride), reserve(stride), reserve(stride)];
    const line = bytesAt(opacities, stride);
    for (let y = 0; y < at.height; y++) {
      const start = ((at.top + y) * width + at.left) * CHANNELS;
      heap.bytes.set(marked.subarray(start, start + stride), own);
      heap.bytes.set(rgb.subarray(start, start + stride), colors);
      for (let to = 0; to < stride; to++) line[to] = opacity[y * at.width + Math.floor(to / CHANNELS)] as number;
      kernels.coverBytes(own, colors, opacities, stride);
      marked.set(bytesAt(own, stride), start);
    }
  });
}
