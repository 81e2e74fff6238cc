import { extensionOf, type ImageContentType } from '@clearframe/contract';
import type { TaskRow } from './task.entity.js';

const DEFAULT_NAMES = { image: 'picture', video: 'video' } as const;

const stemOf = ({ fileName, mediaType }: Pick<TaskRow, 'fileName' | 'mediaType'>): string =>
  `${fileName?.replace(/\.[^.]{1,5}$/, '') || DEFAULT_NAMES[mediaType]}-clearframe`;

/** `IMG_1.HEIC` → `IMG_1-clearframe.jpg`. */
export const downloadNameOf = (fileName: string | null, contentType: ImageContentType): string =>
  `${stemOf({ fileName, mediaType: 'image' })}.${extensionOf(contentType)}`;

/** `clip.mov` → `clip-clearframe.mp4`. */
export const videoNameOf = ({ fileName }: Pick<TaskRow, 'fileName'>): string =>
  `${stemOf({ fileName, mediaType: 'video' })}.mp4`;

const MEDIA_NAMES = {
  image: /\.(?:jpe?g|jfif|png|tiff?|webp|psd|hei[cf]|avif)$/i,
  video: /\.(?:mp4|m4v|mov|qt)$/i,
} as const;

/** Only names with an extension of their kind are kept: an upload named `me.html` must not be saved as a page. */
export const originalNameOf = ({ fileName, mediaType, contentType }: TaskRow): string =>
  fileName && MEDIA_NAMES[mediaType].test(fileName)
    ? fileName
    : `${fileName ?? DEFAULT_NAMES[mediaType]}.${extensionOf(contentType)}`;
