import { extensionOf, IMAGE_CONTENT_TYPES, type ImageContentType, isImageContentType } from '@clearframe/contract';

/** Other names that browsers and systems have for types we take. */
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
  ['tiff', 'image/tiff'],
]);

/** What a browser says of a file it knows nothing about. */
const UNKNOWN_TYPES = ['', 'application/octet-stream'];

/**
 * The type to announce for a file, from what the browser says and else from the name; null for a file that is
 * plainly something else. The bytes decide in the end, so a file that says nothing about itself gets its chance.
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
