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

/** As the browser says. Without imports, since the card of uploads is on the first page. */
export const isVideoFile = ({ type }: File): boolean => type.startsWith('video/');
