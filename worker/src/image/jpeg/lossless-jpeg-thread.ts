/** Decodes lossless JPEG with Huffman coding (ITU-T T.81, annex H), 2 to 16 bits a sample, to 8 bits. */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Huffman } from './segments.js';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const { intervalsFrom, readSegment, readTables }: typeof import('./segments.js') = await import(
  `./segments.${extension}`
);

const MARKER = { sof3: 0xc3, dht: 0xc4, sos: 0xda, dri: 0xdd };

interface Component {
  readonly id: number;
  readonly across: number;
  readonly down: number;
  readonly width: number;
  readonly height: number;
  readonly samples: Uint16Array;
}
interface Frame {
  readonly precision: number;
  readonly width: number;
  readonly height: number;
  readonly components: readonly Component[];
  /** Samples lack so many of their lowest bits ('point transform'). */
  readonly shift: number;
}
type ScanComponent = Component & { readonly table: Huffman };

const largestFactors = (components: readonly Pick<Component, 'across' | 'down'>[]): readonly [number, number] => [
  Math.max(...components.map(({ across }) => across)),
  Math.max(...components.map(({ down }) => down)),
];

function readFrame(segment: Buffer): Frame {
  const [precision, height, width] = [segment.readUInt8(0), segment.readUInt16BE(1), segment.readUInt16BE(3)];
  const entries = Array.from({ length: segment.readUInt8(5) }, (_, index) => {
    const factors = segment.readUInt8(7 + index * 3);
    return { id: segment.readUInt8(6 + index * 3), across: factors >> 4, down: factors & 15 };
  });
  const [across, down] = largestFactors(entries);
  if (precision < 2 || precision > 16 || entries.some((entry) => entry.across < 1 || entry.down < 1)) {
    throw new RangeError('the frame is damaged');
  }
  const components = entries.map((entry) => {
    const columns = Math.ceil((width * entry.across) / across);
    const rows = Math.ceil((height * entry.down) / down);
    return { ...entry, width: columns, height: rows, samples: new Uint16Array(columns * rows) };
  });
  return { precision, width, height, components, shift: 0 };
}

type ReadDifference = (table: Huffman) => number;

/** Reads a restart interval: categories in Huffman code, each with its bits (T.81, H.1.2.2). */
function differencesOf(bytes: Buffer): ReadDifference {
  let [at, bits, count] = [0, 0, 0];
  const fill = (): void => {
    for (; count <= 16; count += 8) bits = (bits << 8) | (bytes[at++] ?? 0);
  };
  const skip = (length: number): void => {
    count -= length;
    if (length > 0 && at - (count >> 3) <= bytes.length) return;
    throw new RangeError('the picture ends too early or is damaged');
  };
  return (table) => {
    fill();
    const entry = table[(bits >>> (count - 16)) & 0xffff] ?? 0;
    skip(entry >> 8);
    const category = entry & 0xff;
    if (category === 0) return 0;
    if (category > 15) return 32_768;
    fill();
    const value = (bits >>> (count - category)) & ((1 << category) - 1);
    skip(category);
    return value < 1 << (category - 1) ? value - (1 << category) + 1 : value;
  };
}

type Predict = (left: number, above: number, corner: number) => number;
/** T.81, table H.1. */
const PREDICTIONS: readonly (Predict | undefined)[] = [
  undefined,
  (left) => left,
  (_, above) => above,
  (_left, _above, corner) => corner,
  (left, above, corner) => left + above - corner,
  (left, above, corner) => left + ((above - corner) >> 1),
  (left, above, corner) => above + ((left - corner) >> 1),
  (left, above) => (left + above) >> 1,
];

interface Scan {
  readonly parts: readonly ScanComponent[];
  readonly predict: Predict;
  readonly start: number;
  readonly units: number;
}

/** Rows of units from `first` to `end`; prediction starts anew. */
function decodeRows(read: ReadDifference, { parts, predict, start, units }: Scan, first: number, end: number): void {
  const isInterleaved = parts.length > 1;
  for (let unitRow = first; unitRow < end; unitRow++) {
    for (let unit = 0; unit < units; unit++) {
      for (const part of parts) {
        const { width, samples } = part;
        const [columns, rows] = isInterleaved ? [part.across, part.down] : [1, 1];
        for (let sample = 0; sample < columns * rows; sample++) {
          const difference = read(part.table);
          const x = unit * columns + (sample % columns);
          const y = unitRow * rows + Math.floor(sample / columns);
          if (x >= width || y >= part.height) continue;
          const at = y * width + x;
          const [left, above] = [samples[at - 1] ?? 0, samples[at - width] ?? 0];
          let guess = predict(left, above, samples[at - width - 1] ?? 0);
          if (y === first * rows) guess = x === 0 ? start : left;
          else if (x === 0) guess = above;
          samples[at] = guess + difference;
        }
      }
    }
  }
}

function decode(file: Buffer): Frame {
  const tables = new Map<number, Huffman>();
  let frame: Frame | null = null;
  let [restartUnits, shift, scanned] = [0, 0, 0];
  for (let at = 2; at + 4 <= file.length && scanned < (frame?.components.length ?? 1); ) {
    const { marker, segment, end: next } = readSegment(file, at);
    at = next;
    if (marker === MARKER.dht) readTables(segment, tables);
    else if (marker === MARKER.dri) restartUnits = segment.readUInt16BE(0);
    else if (marker === MARKER.sof3) frame ??= readFrame(segment);
    else if (marker === MARKER.sos) {
      if (!frame) throw new RangeError('a scan precedes the frame');
      const parts = partsOf(segment, frame, tables);
      const predict = PREDICTIONS[segment.readUInt8(segment.length - 3)];
      shift = segment.readUInt8(segment.length - 1) & 15;
      const [first] = parts;
      if (!first || !predict || shift >= frame.precision) throw new RangeError('the scan is damaged');
      const [across, down] =
        parts.length > 1
          ? [Math.ceil(first.width / first.across), Math.ceil(first.height / first.down)]
          : [first.width, first.height];
      const scan = { parts, predict, start: 1 << (frame.precision - shift - 1), units: across };
      const { intervals, end } = intervalsFrom(file, at);
      const rows = restartUnits > 0 ? restartUnits / across : down;
      if (!Number.isInteger(rows)) throw new RangeError('an interval ends within a row');
      for (let row = 0; row < down; row += rows) {
        const read = differencesOf(intervals[row / rows] ?? Buffer.alloc(0));
        decodeRows(read, scan, row, Math.min(down, row + rows));
      }
      scanned += parts.length;
      at = end;
    }
  }
  if (frame && scanned >= frame.components.length) return { ...frame, shift };
  throw new RangeError('there is no whole picture in the file');
}

function partsOf(segment: Buffer, { components }: Frame, tables: ReadonlyMap<number, Huffman>): ScanComponent[] {
  return Array.from({ length: segment.readUInt8(0) }, (_, index) => {
    const component = components.find(({ id }) => id === segment.readUInt8(1 + index * 2));
    const table = tables.get(segment.readUInt8(2 + index * 2) >> 4);
    if (!component || !table) throw new RangeError('the scan is damaged');
    return { ...component, table };
  });
}

/** Others are RGB, which ffmpeg writes with 9 bits. */
const storesYCbCr = ({ components: [first, second] }: Frame, file: Buffer): boolean =>
  first?.samples.length !== second?.samples.length || file.subarray(0, 1_024).includes('Lavc');

function toRgba(frame: Frame, isYCbCr: boolean): Uint8Array {
  const { width, height, components, precision, shift } = frame;
  const [first, second, third] = components;
  if (!first || components.length > 3) throw new RangeError('the picture has no known colors');
  const scale = (255 * 2 ** shift) / (2 ** precision - 1);
  const [across, down] = largestFactors(components);
  const rgba = new Uint8ClampedArray(width * height * 4).fill(255);
  const isWhole = components.every(({ samples }) => samples.length === width * height);
  const read = (component: Component, pixel: number): number => {
    if (isWhole) return component.samples[pixel] ?? 0;
    const row = Math.floor((Math.floor(pixel / width) * component.down) / down);
    return component.samples[row * component.width + Math.floor(((pixel % width) * component.across) / across)] ?? 0;
  };
  for (let pixel = 0, to = 0; pixel < width * height; pixel++, to += 4) {
    const light = read(first, pixel);
    const [a, b] = second && third ? [read(second, pixel), read(third, pixel)] : [light, light];
    let [red, green, blue] = [light * scale, a * scale, b * scale];
    if (precision === 9 && third) {
      // ffmpeg's RGB: green and two differences from it.
      green = light - ((a + b - 512) >> 2);
      [red, blue] = [b - 256 + green, a - 256 + green];
    } else if (third && isYCbCr) {
      const [luma, cb, cr] = [light * scale, a * scale - 128, b * scale - 128];
      [red, green, blue] = [luma + 1.402 * cr, luma - 0.344136 * cb - 0.714136 * cr, luma + 1.772 * cb];
    }
    rgba[to] = red;
    rgba[to + 1] = green;
    rgba[to + 2] = blue;
  }
  return new Uint8Array(rgba.buffer);
}

const file = await readFile(String(workerData));
const frame = decode(file);
const samples = toRgba(frame, storesYCbCr(frame, file));
parentPort?.postMessage({ width: frame.width, height: frame.height, samples }, [samples.buffer as ArrayBuffer]);
