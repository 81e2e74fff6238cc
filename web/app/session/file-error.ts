import type { ErrorCode } from '@clearframe/contract';

const OF_VIDEOS = {
  'uploads.too_many_pixels': 'common:videoErrors.tooManyPixels',
  'uploads.too_large': 'common:videoErrors.tooLarge',
  'uploads.undecodable': 'common:videoErrors.undecodable',
} as const satisfies Partial<Record<ErrorCode, string>>;

type VideoCode = keyof typeof OF_VIDEOS;
const isVideoCode = (code: ErrorCode): code is VideoCode => Object.hasOwn(OF_VIDEOS, code);

/** Key of the text that says what is wrong with a file. Videos have limits of their own. */
export const fileErrorKey = (
  code: ErrorCode,
  isVideo: boolean,
): `common:errors.${ErrorCode}` | (typeof OF_VIDEOS)[VideoCode] =>
  isVideo && isVideoCode(code) ? OF_VIDEOS[code] : `common:errors.${code}`;

/** Nothing is wrong with these files: their bytes didn't arrive, or not as they were sent. */
const OF_TRANSFERS: readonly ErrorCode[] = [
  'uploads.expired',
  'uploads.missing',
  'uploads.incomplete',
  'uploads.size_mismatch',
  'uploads.checksum_mismatch',
];

export const isTransferError = (code: ErrorCode): boolean => OF_TRANSFERS.includes(code);

/** Trusts the browser's type. Has no imports, because the first page loads it. */
export const isVideoFile = ({ type }: File): boolean => type.startsWith('video/');
