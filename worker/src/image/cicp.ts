import { readFileSync } from 'node:fs';

/** Code points of ITU-T H.273. */
export interface CodedColor {
  readonly primaries: number;
  readonly transfer: number;
}

const profile = (name: string): Buffer => readFileSync(new URL(`../../profiles/${name}.icc`, import.meta.url));

const PROFILES: Readonly<Record<number, Buffer>> = { 9: profile('bt2020'), 12: profile('display-p3') };
/** sRGB, and BT.709 and its equivalents, which screens show with sRGB's curve. */
const SRGB_LIKE = new Set([1, 6, 13, 14, 15]);

/** The equivalent ICC profile; null for sRGB and for PQ and HLG, which have none. */
export const profileOfCode = ({ primaries, transfer }: CodedColor): Buffer | null =>
  (SRGB_LIKE.has(transfer) && PROFILES[primaries]) || null;

const CICP_CHUNK = Buffer.from('cICP', 'latin1');
const DATA_CHUNK = Buffer.from('IDAT', 'latin1');

/** The cICP chunk precedes the image data. */
export function codedColorOfPng(file: Buffer): CodedColor | null {
  const at = file.subarray(0, Math.max(0, file.indexOf(DATA_CHUNK))).indexOf(CICP_CHUNK);
  return at < 0 ? null : { primaries: file.readUInt8(at + 4), transfer: file.readUInt8(at + 5) };
}
