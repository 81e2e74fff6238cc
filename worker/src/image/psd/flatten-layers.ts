import { setImmediate } from 'node:timers/promises';
import { type Band, compositeOver, copyOf, createBand, mixTowards } from './layer-band.js';
import type { ChannelRows } from './layer-channel.js';
import { readLayerRecords } from './layer-records.js';
import { type Layer, type LayerNode, openLayers } from './layer-tree.js';
import { layerInfoAt, type PsdLayout } from './psd-layout.js';

const COLORS = { gray: 1, rgb: 3 } as const;
/** 50 megapixels of 8 bits in RGB, which take 0.6 GB while they are composed. */
const MAX_MERGED_BYTES = 200_000_000;
/** Pixels of a band times layers: at most 100 ms before other work gets its turn. */
const BAND_PIXELS = 1_000_000;
/** Pixels times visible layers and groups, each of which takes 0.25 µs: 33 of 12 megapixels. */
const MAX_COMPOSITED_PIXELS = 400_000_000;
/** A TIFF header will replace them. */
const RESERVED_BYTES = 8;
const RAW = 0;

/**
 * Composes the layers of a document without a merged picture, into one that `psdAsTiff` reads.
 * @returns null where the result would depend on something that the layers' pixels don't show: adjustments, effects, gradients,
 *   shapes, and modes other than gray and RGB of 8 or 16 bits
 * @throws RangeError for layers outside the file
 */
export async function flattenLayers(
  layout: PsdLayout,
  signal: AbortSignal,
): Promise<{ document: Buffer; layout: PsdLayout } | null> {
  const { header, layerSection } = layout;
  const { mode, bitsPerSample, width, height, isLarge } = header;
  const at = layerInfoAt(layerSection, isLarge);
  if ((mode !== 'gray' && mode !== 'rgb') || (bitsPerSample !== 8 && bitsPerSample !== 16) || at === null) return null;
  const colors = COLORS[mode];
  const bytesPerSample = bitsPerSample / 8;
  const planeBytes = width * height * bytesPerSample;
  if (planeBytes * (colors + 1) > MAX_MERGED_BYTES) return null;
  const records = readLayerRecords(layerSection, at, isLarge);
  const nodes = records && (await openLayers(layerSection, records, layout, colors));
  if (!records || !nodes || nodes.length === 0) return null;
  if (countOf(nodes) * width * height > MAX_COMPOSITED_PIXELS) return null;

  const document = Buffer.alloc(RESERVED_BYTES + 2 + planeBytes * (colors + 1));
  document.writeUInt16BE(RAW, RESERVED_BYTES);
  const rows = Math.max(1, Math.min(height, Math.floor(BAND_PIXELS / (width * records.length))));
  for (let top = 0; top < height; top += rows) {
    signal.throwIfAborted();
    const band = createBand({ width, top, rows: Math.min(rows, height - top), channels: colors });
    composite(nodes, band, bytesPerSample);
    writeBand(band, document.subarray(RESERVED_BYTES + 2), planeBytes, bytesPerSample);
    await setImmediate();
  }
  const merged = { ...header, channels: colors + 1 };
  return {
    document,
    layout: { ...layout, header: merged, hasTransparency: true, hasMergedPicture: true, dataOffset: RESERVED_BYTES },
  };
}

const countOf = (nodes: readonly LayerNode[]): number =>
  nodes.reduce((count, node) => count + 1 + (node.kind === 'group' ? countOf(node.children) : 0), 0);

const isBeside = ({ kind, record }: LayerNode, { top, rows }: Band): boolean =>
  kind === 'layer' && !record.fill && (record.bottom <= top || record.top >= top + rows);

function composite(nodes: readonly LayerNode[], band: Band, bytesPerSample: number): void {
  for (let index = 0; index < nodes.length; index++) {
    const node = nodes[index] as LayerNode;
    const clipped: LayerNode[] = [];
    for (let next = nodes[index + 1]; next?.record.isClipped; next = nodes[index + 1]) {
      clipped.push(next);
      index++;
    }
    if (isBeside(node, band)) continue;
    if (node.kind === 'group' && node.isPassThrough && clipped.length === 0) {
      const target = copyOf(band);
      composite(node.children, target, bytesPerSample);
      mixTowards(band, target, shownBy(node, band, bytesPerSample), node.record.opacity);
      continue;
    }
    const source = sourceOf(node, band, bytesPerSample);
    for (const each of clipped) {
      if (isBeside(each, band)) continue;
      compositeOver(source, sourceOf(each, band, bytesPerSample), each.blend, each.record.opacity, true);
    }
    compositeOver(band, source, node.blend, node.record.opacity, false);
  }
}

/** A layer or group by itself, behind its mask. */
function sourceOf(node: LayerNode, like: Band, bytesPerSample: number): Band {
  const band = createBand(like);
  if (node.kind === 'group') composite(node.children, band, bytesPerSample);
  else readLayer(node, band, bytesPerSample);
  if (node.mask || node.record.mask) {
    const shown = shownBy(node, band, bytesPerSample);
    for (let pixel = 0; pixel < shown.length; pixel++)
      band.alpha[pixel] = (band.alpha[pixel] ?? 0) * (shown[pixel] ?? 0);
  }
  return band;
}

function readLayer({ record, colors, alpha }: Layer, band: Band, bytesPerSample: number): void {
  const { fill } = record;
  if (fill) {
    band.alpha.fill(1);
    for (let at = 0; at < band.color.length; at++) band.color[at] = fill[at % fill.length] ?? 0;
    return;
  }
  if (colors.length === 0) return;
  colors.forEach((rows, channel) => {
    readRows(rows, record, band, bytesPerSample, (pixel, value) => {
      band.color[pixel * band.channels + channel] = value;
    });
  });
  readRows(alpha ?? colors[0] ?? null, record, band, bytesPerSample, (pixel, value) => {
    band.alpha[pixel] = alpha ? value : 1;
  });
}

/** How much the mask shows of each pixel, 0..1. */
function shownBy({ record, mask }: LayerNode, band: Band, bytesPerSample: number): Float32Array {
  const shown = new Float32Array(band.alpha.length);
  if (!record.mask) return shown.fill(1);
  const { outside, isInverted, density } = record.mask;
  shown.fill(outside);
  readRows(mask, record.mask, band, bytesPerSample, (pixel, value) => {
    shown[pixel] = value;
  });
  for (let pixel = 0; pixel < shown.length; pixel++) {
    const value = shown[pixel] ?? 0;
    shown[pixel] = 1 - density * (1 - (isInverted ? 1 - value : value));
  }
  return shown;
}

function readRows(
  rows: ChannelRows | null,
  place: { readonly top: number; readonly left: number; readonly bottom: number; readonly right: number },
  band: Band,
  bytesPerSample: number,
  write: (pixel: number, value: number) => void,
): void {
  if (!rows) return;
  const buffer = Buffer.alloc(rows.rowBytes);
  const [first, last] = [Math.max(band.top, place.top), Math.min(band.top + band.rows, place.bottom)];
  const [from, to] = [Math.max(0, place.left), Math.min(band.width, place.right)];
  for (let y = first; y < last; y++) {
    rows.read(y - place.top, buffer);
    const start = (y - band.top) * band.width;
    for (let x = from; x < to; x++) {
      const at = x - place.left;
      write(start + x, bytesPerSample === 1 ? (buffer[at] ?? 0) / 0xff : buffer.readUInt16BE(at * 2) / 0xffff);
    }
  }
}

function writeBand(band: Band, planes: Buffer, planeBytes: number, bytesPerSample: number): void {
  const write = (plane: number, pixel: number, value: number): void => {
    const at = plane * planeBytes + (band.top * band.width + pixel) * bytesPerSample;
    const share = Math.min(1, Math.max(0, value));
    if (bytesPerSample === 1) planes[at] = Math.round(share * 0xff);
    else planes.writeUInt16BE(Math.round(share * 0xffff), at);
  };
  for (let pixel = 0; pixel < band.alpha.length; pixel++) {
    for (let channel = 0; channel < band.channels; channel++) {
      write(channel, pixel, band.color[pixel * band.channels + channel] ?? 0);
    }
    write(band.channels, pixel, band.alpha[pixel] ?? 0);
  }
}
