import { fileKindOf, formatNameOf, isNamedPhoto } from './file-types';

/** Signatures of formats that are often named like photos. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^%PDF/, 'PDF'],
  [/^GIF8/, 'GIF'],
  [/^BM/, 'BMP'],
  [/^PK/, 'ZIP'],
  [/^....ftyp(?:qt|mp4|isom|M4V)/s, 'MP4'],
  [/^\s*(?:<\?xml[^>]*>\s*)?<svg/i, 'SVG'],
  [/^\s*<(?:!doctype|html)/i, 'HTML'],
];

const SNIFFED_BYTES = 512;

/** Reads the first bytes, else the name; null when unknown, or when the file only claims to be of an accepted format. */
export async function formatFoundIn(file: File): Promise<string | null> {
  const isNamedVideo = fileKindOf(file) === 'video';
  const bytes = new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer());
  const start = String.fromCharCode(...bytes);
  const signature = SIGNATURES.find(([pattern]) => pattern.test(start));
  if (signature) return isNamedVideo && signature[1] === 'MP4' ? null : signature[1];
  return isNamedVideo || isNamedPhoto(file) ? null : formatNameOf(file);
}
