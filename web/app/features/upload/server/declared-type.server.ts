import { extensionOf, IMAGE_CONTENT_TYPES, type ImageContentType, isImageContentType } from '@clearframe/contract';

/** Non-standard names of accepted types. */
const ALIASES: ReadonlyMap<string, ImageContentType> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['image/tif', 'image/tiff'],
  ['image/x-tiff', 'image/tiff'],
  ['image/photoshop', 'image/vnd.adobe.photoshop'],
  ['image/x-photoshop', 'image/vnd.adobe.photoshop'],
  ['image/psd', 'image/vnd.adobe.photoshop'],
  ['application/photoshop', 'image/vnd.adobe.photoshop'],
  ['application/x-photoshop', 'image/vnd.adobe.photoshop'],
]);

const BY_EXTENSION: ReadonlyMap<string, ImageContentType> = new Map([
  ...IMAGE_CONTENT_TYPES.map((type) => [extensionOf(type), type] as const),
  ['jpeg', 'image/jpeg'],
  ['jfif', 'image/jpeg'],
  ['tiff', 'image/tiff'],
]);

/** `accept` of file inputs: systems without a type for HEIC, AVIF or PSD recognize the extension. */
export const ACCEPTED_FILES: string = [
  ...IMAGE_CONTENT_TYPES,
  ...[...BY_EXTENSION.keys()].map((extension) => `.${extension}`),
].join(',');

/** Sent by browsers for files of unknown type. */
const UNKNOWN_TYPES = ['', 'application/octet-stream'];

/**
 * The type to declare for a file, from the browser's type, else from the extension; null for other types. Files of
 * unknown type are declared as JPEG: the backend detects the actual type from the bytes.
 */
export function declaredTypeOf(browserType: string, fileName: string): ImageContentType | null {
  const type = browserType.toLowerCase().split(';', 1)[0]?.trim() ?? '';
  if (isImageContentType(type)) return type;
  const alias = ALIASES.get(type);
  if (alias) return alias;
  const byName = BY_EXTENSION.get(fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase());
  if (byName) return byName;
  return UNKNOWN_TYPES.includes(type) ? 'image/jpeg' : null;
}
