import type { ProblemView } from '../../../http/problem';
import { formatNameOf } from '../shared/file-types';
import { trackUploadError } from './choose-files';
import { megabytesOver } from './decide-upload';
import { uploadErrorOf } from './read-upload-error';
import type { UploadError } from './upload-error';

/** The error to show for a file that the server refused, or null when the problem is not about the file. */
export async function explainRefusal({ code }: ProblemView, files: readonly File[]): Promise<UploadError | null> {
  const known = uploadErrorOf(code);
  const [file] = files;
  if (!known || !file) return known;
  const found = known.reason === 'wrong_file_format' ? await formatFoundIn(file) : null;
  const actual = known.reason === 'size' ? megabytesOver(file.size) : undefined;
  const error = { ...known, ...(found && { found }), ...(actual && { actual }) };
  trackUploadError(error, files.length);
  return error;
}

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

/** By the first bytes, else by a name that is no photo's; null when unknown. */
async function formatFoundIn(file: File): Promise<string | null> {
  const bytes = new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer());
  const start = String.fromCharCode(...bytes);
  const signature = SIGNATURES.find(([pattern]) => pattern.test(start));
  if (signature) return signature[1];
  const isNamedLikePhoto = /^(?:jpe?g|jfif|png|tiff?|webp|psd|hei[cf]|avif)$/i.test(formatNameOf(file) ?? '');
  return isNamedLikePhoto ? null : formatNameOf(file);
}
