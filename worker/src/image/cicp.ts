/** Code points of ITU-T H.273. */
export interface CodedColor {
  readonly primaries: number;
  readonly transfer: number;
}

type Xyz = readonly [number, number, number];

/** Primaries under D50. */
const COLORANTS: Readonly<Record<number, { readonly name: string; readonly rgb: readonly [Xyz, Xyz, Xyz] }>> = {
  9: {
    name: 'BT.2020',
    rgb: [
      [0.67348, 0.27904, -0.00194],
      [0.16566, 0.67534, 0.02998],
      [0.12505, 0.04561, 0.79686],
    ],
  },
  12: {
    name: 'Display P3',
    rgb: [
      [0.51512, 0.2412, -0.00105],
      [0.29198, 0.69225, 0.04189],
      [0.1571, 0.06657, 0.78407],
    ],
  },
};
/** sRGB, and BT.709 and its equivalents, which screens show with sRGB's curve. */
const SRGB_LIKE = new Set([1, 6, 13, 14, 15]);

const WHITE: Xyz = [0.9642, 1, 0.82491];
/** Bradford, D65 to D50. */
const ADAPTATION = [1.04788, 0.02292, -0.05022, 0.02959, 0.99048, -0.01707, -0.00925, 0.01508, 0.75168];
/** sRGB as ICC.1:2022, 10.18, function 3: exponent, then a to d. */
const CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045];

const HEADER_BYTES = 128;
const VERSION = 0x0440_0000;

/** The equivalent ICC profile; null for sRGB and for PQ and HLG, which have none. */
export function profileOfCode({ primaries, transfer }: CodedColor): Buffer | null {
  const colorants = COLORANTS[primaries];
  if (!colorants || !SRGB_LIKE.has(transfer)) return null;
  const curve = Buffer.concat([signature('para'), u16(3), u16(0), ...CURVE.map(s15Fixed16)]);
  const [red, green, blue] = colorants.rgb;
  return assemble([
    ['desc', text(colorants.name)],
    ['cprt', text('No copyright')],
    ['wtpt', xyz(WHITE)],
    ['chad', Buffer.concat([signature('sf32'), ...ADAPTATION.map(s15Fixed16)])],
    ['rXYZ', xyz(red)],
    ['gXYZ', xyz(green)],
    ['bXYZ', xyz(blue)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]);
}

function assemble(tags: readonly (readonly [string, Buffer])[]): Buffer {
  const table: Buffer[] = [u32(tags.length)];
  const data: Buffer[] = [];
  let at = HEADER_BYTES + 4 + tags.length * 12;
  for (const [name, value] of tags) {
    const padded = Buffer.concat([value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
    table.push(Buffer.from(name, 'latin1'), u32(at), u32(value.length));
    data.push(padded);
    at += padded.length;
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(at, 0);
  header.writeUInt32BE(VERSION, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  // Fixed date: the same picture gives the same bytes.
  header.writeUInt16BE(2026, 24);
  header.writeUInt16BE(1, 26);
  header.writeUInt16BE(1, 28);
  header.write('acsp', 36, 'latin1');
  WHITE.forEach((value, index) => {
    s15Fixed16(value).copy(header, 68 + index * 4);
  });
  return Buffer.concat([header, ...table, ...data]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function s15Fixed16(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65_536));
  return bytes;
}

/** Four zero bytes follow a type signature. */
const signature = (type: string): Buffer => Buffer.concat([Buffer.from(type, 'latin1'), Buffer.alloc(4)]);
const xyz = (values: Xyz): Buffer => Buffer.concat([signature('XYZ '), ...values.map(s15Fixed16)]);

/** One English record in UTF-16. */
function text(words: string): Buffer {
  const utf16 = Buffer.from(words, 'utf16le').swap16();
  return Buffer.concat([signature('mluc'), u32(1), u32(12), Buffer.from('enUS'), u32(utf16.length), u32(28), utf16]);
}

const CICP_CHUNK = Buffer.from('cICP', 'latin1');
const DATA_CHUNK = Buffer.from('IDAT', 'latin1');

/** The cICP chunk precedes the image data. */
export function codedColorOfPng(file: Buffer): CodedColor | null {
  const at = file.subarray(0, Math.max(0, file.indexOf(DATA_CHUNK))).indexOf(CICP_CHUNK);
  return at < 0 ? null : { primaries: file.readUInt8(at + 4), transfer: file.readUInt8(at + 5) };
}
