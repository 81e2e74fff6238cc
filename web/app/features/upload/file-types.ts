import {
  extensionOf,
  IMAGE_CONTENT_TYPES,
  type ImageContentType,
  isImageContentType,
  VIDEO_CONTENT_TYPES,
} from '@clearframe/contract';

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

/** Photos by the extensions of their files, without a dot. */
export const BY_EXTENSION: ReadonlyMap<string, ImageContentType> = new Map([
  ...IMAGE_CONTENT_TYPES.map((type) => [extensionOf(type), type] as const),
  ['jpeg', 'image/jpeg'],
  ['jfif', 'image/jpeg'],
  ['tiff', 'image/tiff'],
]);

/** MP4 under other names: what phones record. */
const MP4_ALIASES: readonly string[] = ['video/3gpp', 'video/3gpp2'];

/** `accept` of file inputs: systems without a type for HEIC, AVIF or PSD recognize the extension. */
export const ACCEPTED_PHOTOS: string = [
  ...IMAGE_CONTENT_TYPES,
  ...[...BY_EXTENSION.keys()].map((extension) => `.${extension}`),
].join(',');

/** The same with videos. */
export const ACCEPTED_FILES: string = [
  ACCEPTED_PHOTOS,
  ...VIDEO_CONTENT_TYPES,
  ...MP4_ALIASES,
  '.mov',
  '.mp4',
  '.3gp',
].join(',');

/** Sent by browsers for files of unknown type. */
const UNKNOWN_TYPES = ['', 'application/octet-stream'];

/**
 * The type to declare for a file, from the browser's type, else from the extension; null for other types. Files of
 * unknown type are declared as JPEG: the backend detects the actual type from the bytes.
 */
export function declaredTypeOf(browserType: string, fileName: string): ImageContentType | null {
  const type = normalizedType(browserType);
  if (isImageContentType(type)) return type;
  return (
    ALIASES.get(type) ?? BY_EXTENSION.get(extensionIn(fileName)) ?? (UNKNOWN_TYPES.includes(type) ? 'image/jpeg' : null)
  );
}

export interface NamedFile {
  readonly name: string;
  /** The browser's content type; may be empty or wrong. */
  readonly type: string;
}

export interface FileInfo extends NamedFile {
  /** In bytes. */
  readonly size: number;
}

/** Declared or named like a photo, unlike the other files of a folder. */
export const isNamedPhoto = ({ name, type }: NamedFile): boolean =>
  !name.startsWith('.') && declaredTypeOf(type, name) !== null && (type !== '' || BY_EXTENSION.has(extensionIn(name)));

/** Extensions of the accepted videos, for systems without their types. */
const VIDEO_EXTENSIONS: readonly string[] = ['mov', 'mp4', '3gp', '3g2'];

type FileKind = 'image' | 'video' | 'other';

/** Decides by declared type and name; the bytes are checked when they are received. */
export function fileKindOf({ name, type }: NamedFile): FileKind {
  const declared = normalizedType(type);
  const isVideo =
    [...VIDEO_CONTENT_TYPES, ...MP4_ALIASES].includes(declared) ||
    (UNKNOWN_TYPES.includes(declared) && VIDEO_EXTENSIONS.includes(extensionIn(name)));
  if (isVideo) return 'video';
  const isDocument = UNKNOWN_TYPES.includes(declared) && DOCUMENT_EXTENSIONS.includes(extensionIn(name));
  return declaredTypeOf(type, name) && !isDocument ? 'image' : 'other';
}

/** Files that can't be images, although some systems know no type for them. */
const DOCUMENT_EXTENSIONS: readonly string[] = ['pdf', 'zip', 'gif', 'svg', 'txt', 'doc', 'docx', 'mkv', 'avi', 'webm'];

/** In an error: 'PDF'; null when unknown. */
export function formatNameOf({ name, type }: NamedFile): string | null {
  const extension = extensionIn(name);
  if (FORMAT_NAME.test(extension)) return extension.toUpperCase();
  const subtype = normalizedType(type).split('/')[1] ?? '';
  return FORMAT_NAME.test(subtype) ? subtype.toUpperCase() : null;
}

/** Checked in addresses, too: nothing else is repeated on a page. */
export const FORMAT_NAME = /^[a-z0-9]{2,5}$/i;

const normalizedType = (browserType: string): string => browserType.toLowerCase().split(';', 1)[0]?.trim() ?? '';

/** Lowercase, without the dot; empty without one. */
const extensionIn = (fileName: string): string =>
  fileName.includes('.') ? fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase() : '';
