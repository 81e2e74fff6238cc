/**
 * Decodes JPEG of 12 bits a sample, sequential or progressive, with Huffman coding (ITU-T T.81, annexes F and G), to 8
 * bits.
 */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Component, Scan } from './deep-jpeg-blocks.js';
import type { Huffman } from './segments.js';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const { intervalsFrom, readSegment, readTables }: typeof import('./segments.js') = await import(
  `./segments.${extension}`
);
const { Interval, PRECISION, samplesOf, ZIGZAG }: typeof import('./deep-jpeg-blocks.js') = await import(
  `./deep-jpeg-blocks.${extension}`
);

const MARKER = { sof1: 0xc1, sof2: 0xc2, dht: 0xc4, eoi: 0xd9, sos: 0xda, dqt: 0xdb, dri: 0xdd, adobe: 0xee };
/** 100 megapixels with chroma of half the width and height; 66 with all of it. */
const MAX_COEFFICIENT_BYTES = 400_000_000;

interface Frame {
  readonly width: number;
  readonly height: number;
  /** A unit has the blocks of each component that cover the same pixels. */
  readonly unitsAcross: number;
  readonly unitsDown: number;
  readonly components: readonly Component[];
}

function readFrame(segment: Buffer): Frame {
  const [precision, height, width] = [segment.readUInt8(0), segment.readUInt16BE(1), segment.readUInt16BE(3)];
  const entries = Array.from({ length: segment.readUInt8(5) }, (_, index) => {
    const factors = segment.readUInt8(7 + index * 3);
    const [id, quantization] = [segment.readUInt8(6 + index * 3), segment.readUInt8(8 + index * 3)];
    return { id, across: factors >> 4, down: factors & 15, quantization };
  });
  const isDamaged = entries.some(({ across, down }) => across < 1 || down < 1 || across > 4 || down > 4);
  if (precision !== PRECISION || isDamaged) throw new RangeError('the frame is damaged');
  if (entries.length !== 1 && entries.length !== 3) throw new RangeError('the picture has no known colors');
  const across = Math.max(...entries.map((entry) => entry.across));
  const down = Math.max(...entries.map((entry) => entry.down));
  const [unitsAcross, unitsDown] = [Math.ceil(width / (8 * across)), Math.ceil(height / (8 * down))];
  const lengthOf = (entry: (typeof entries)[number]) => unitsAcross * entry.across * unitsDown * entry.down * 64;
  const length = entries.reduce((sum, entry) => sum + lengthOf(entry), 0);
  if (length * Int16Array.BYTES_PER_ELEMENT > MAX_COEFFICIENT_BYTES) throw new RangeError('the picture is too large');
  const components = entries.map((entry) => ({
    ...entry,
    width: Math.ceil((width * entry.across) / across),
    height: Math.ceil((height * entry.down) / down),
    stride: unitsAcross * entry.across,
    coefficients: new Int16Array(lengthOf(entry)),
  }));
  return { width, height, unitsAcross, unitsDown, components };
}

/** T.81, B.2.4.1. */
function readQuantization(segment: Buffer, tables: Map<number, Float32Array>): void {
  for (let at = 0; at < segment.length; ) {
    const isWide = segment.readUInt8(at) >> 4 !== 0;
    const table = new Float32Array(64);
    for (const [index, place] of ZIGZAG.entries()) {
      table[place] = isWide ? segment.readUInt16BE(at + 1 + index * 2) : segment.readUInt8(at + 1 + index);
    }
    tables.set(segment.readUInt8(at) & 15, table);
    at += isWide ? 129 : 65;
  }
}

function readScan(segment: Buffer, { components }: Frame, tables: ReadonlyMap<number, Huffman>): Scan {
  const parts = Array.from({ length: segment.readUInt8(0) }, (_, index) => {
    const component = components.find(({ id }) => id === segment.readUInt8(1 + index * 2));
    if (!component) throw new RangeError('the scan is damaged');
    const numbers = segment.readUInt8(2 + index * 2);
    return { component, dc: tables.get(numbers >> 4), ac: tables.get(0x10 | (numbers & 15)) };
  });
  const [from, to, bits] = [3, 2, 1].map((fromEnd) => segment.readUInt8(segment.length - fromEnd)) as [
    number,
    number,
    number,
  ];
  const isDamaged = from > to || to > 63 || (from > 0 && parts.length !== 1);
  if (parts.length === 0 || isDamaged) throw new RangeError('the scan is damaged');
  return { parts, from, to, high: bits >> 4, low: bits & 15 };
}

function decodeScan(intervals: readonly Buffer[], scan: Scan, frame: Frame, restartUnits: number): void {
  const [only] = scan.parts;
  const alone = scan.parts.length === 1 && only ? only.component : null;
  const across = alone ? Math.ceil(alone.width / 8) : frame.unitsAcross;
  const units = across * (alone ? Math.ceil(alone.height / 8) : frame.unitsDown);
  const unitsOfInterval = restartUnits || units;
  for (let first = 0; first < units; first += unitsOfInterval) {
    const interval = new Interval(intervals[first / unitsOfInterval] ?? Buffer.alloc(0));
    for (let unit = first; unit < Math.min(units, first + unitsOfInterval); unit++) {
      const [column, row] = [unit % across, Math.floor(unit / across)];
      for (const part of scan.parts) {
        const { stride, ...factors } = part.component;
        const [blocks, rows] = alone ? [1, 1] : [factors.across, factors.down];
        for (let block = 0; block < blocks * rows; block++) {
          const x = column * blocks + (block % blocks);
          const y = row * rows + Math.floor(block / blocks);
          interval.block(part, (y * stride + x) * 64, scan);
        }
      }
    }
  }
}

interface Decoded {
  readonly frame: Frame;
  readonly quantizations: ReadonlyMap<number, Float32Array>;
  readonly isRgb: boolean;
}

function decode(file: Buffer): Decoded {
  const [tables, quantizations] = [new Map<number, Huffman>(), new Map<number, Float32Array>()];
  let frame: Frame | null = null;
  let [restartUnits, isProgressive, isRgb] = [0, false, false];
  const scanned = new Set<Component>();
  let at = 2;
  for (; at + 4 <= file.length && file[at + 1] !== MARKER.eoi; ) {
    const { marker, segment, end: next } = readSegment(file, at);
    at = next;
    if (marker === MARKER.dht) readTables(segment, tables);
    else if (marker === MARKER.dqt) readQuantization(segment, quantizations);
    else if (marker === MARKER.dri) restartUnits = segment.readUInt16BE(0);
    else if (marker === MARKER.adobe && segment.length >= 12) isRgb = segment.readUInt8(11) === 0;
    else if (marker === MARKER.sof1 || marker === MARKER.sof2) {
      isProgressive = marker === MARKER.sof2;
      frame ??= readFrame(segment);
    } else if (marker === MARKER.sos) {
      if (!frame) throw new RangeError('a scan precedes the frame');
      const scan = readScan(segment, frame, tables);
      const { intervals, end } = intervalsFrom(file, at);
      decodeScan(intervals, scan, frame, restartUnits);
      for (const { component } of scan.parts) scanned.add(component);
      at = end;
    }
  }
  // Without the end, scans of a progressive picture may be missing.
  const isWhole =
    frame?.components.every((component) => scanned.has(component)) && (!isProgressive || at < file.length);
  if (!frame || !isWhole) throw new RangeError('there is no whole picture in the file');
  return { frame, quantizations, isRgb: isRgb || frame.components[0]?.id === 'R'.charCodeAt(0) };
}

/** Where the samples of a component are between which `count` pixels lie; ends are repeated. */
const placesOf = (count: number, ratio: number, samples: number): Float32Array =>
  Float32Array.from({ length: count }, (_, pixel) => Math.min(samples - 1, Math.max(0, (pixel + 0.5) * ratio - 0.5)));

function toRgba({ frame, quantizations, isRgb }: Decoded): Uint8Array {
  const { width, height, components } = frame;
  const [across, down] = [Math.max(...components.map((c) => c.across)), Math.max(...components.map((c) => c.down))];
  const planes = components.map((component) => {
    const quantization = quantizations.get(component.quantization);
    if (!quantization) throw new RangeError('a table is missing');
    const samples = samplesOf(component, quantization);
    const columns = placesOf(width, component.across / across, component.width);
    const rows = placesOf(height, component.down / down, component.height);
    const isWhole = component.across === across && component.down === down;
    return { samples, isWhole, columns, rows, rowSamples: component.stride * 8, row: new Float32Array(width) };
  });
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  const isColor = planes.length === 3 && !isRgb;
  for (let y = 0, to = 0; y < height; y++) {
    for (const plane of planes) readRow(plane, y);
    const [first, second, third] = [planes[0]?.row, planes[1]?.row, planes[2]?.row];
    for (let x = 0; x < width; x++, to += 4) {
      const light = first?.[x] ?? 0;
      const [a, b] = [second?.[x] ?? light, third?.[x] ?? light];
      rgba[to] = isColor ? light + 1.402 * (b - 128) : light;
      rgba[to + 1] = isColor ? light - 0.344136 * (a - 128) - 0.714136 * (b - 128) : a;
      rgba[to + 2] = isColor ? light + 1.772 * (a - 128) : b;
    }
  }
  return new Uint8Array(rgba.buffer);
}

interface Plane {
  /** A sample for each pixel. */
  readonly isWhole: boolean;
  readonly samples: Uint8ClampedArray;
  readonly columns: Float32Array;
  readonly rows: Float32Array;
  readonly rowSamples: number;
  /** One row of pixels, interpolated. */
  readonly row: Float32Array;
}

function readRow({ samples, isWhole, columns, rows, rowSamples, row }: Plane, y: number): void {
  const place = rows[y] ?? 0;
  const top = Math.floor(place) * rowSamples;
  const below = Math.ceil(place) * rowSamples - top;
  if (isWhole) {
    row.set(samples.subarray(top, top + row.length));
    return;
  }
  for (let x = 0; x < row.length; x++) {
    const column = columns[x] ?? 0;
    const at = top + Math.floor(column);
    const next = Math.ceil(column) - Math.floor(column);
    const share = column % 1;
    const above = (samples[at] ?? 0) * (1 - share) + (samples[at + next] ?? 0) * share;
    const under = (samples[at + below] ?? 0) * (1 - share) + (samples[at + below + next] ?? 0) * share;
    row[x] = above + (under - above) * (place % 1);
  }
}

const decoded = decode(await readFile(String(workerData)));
const samples = toRgba(decoded);
const { width, height } = decoded.frame;
parentPort?.postMessage({ width, height, samples }, [samples.buffer as ArrayBuffer]);
